//! Names of a JSON log that its reader states: `user_agent=agent.original`. They stand before those of
//! the table of aliases, and count before them.

use super::aliases::{ALIASES, NAME_OCTETS, OBJECTS, Slot, place_of};
use super::template::Field;

/// What may be mapped, and what it stands for.
const FIELDS: [(&str, Slot); 15] = [
    ("time", Slot::Field(Field::Time)),
    ("peer", Slot::Field(Field::Peer)),
    ("client", Slot::Walked),
    ("forwarded_for", Slot::Field(Field::ForwardedFor)),
    ("forwarded", Slot::Field(Field::Forwarded)),
    ("host", Slot::Field(Field::Host)),
    ("method", Slot::Field(Field::Method)),
    ("request", Slot::Field(Field::Line)),
    ("url", Slot::Url),
    ("target", Slot::Field(Field::Target)),
    ("path", Slot::Field(Field::Path)),
    ("query", Slot::Field(Field::Query)),
    ("status", Slot::Field(Field::Status)),
    ("octets", Slot::Field(Field::Size)),
    ("user_agent", Slot::Field(Field::UserAgent)),
];

/// The names that a reader states, by which a JSON log is read before the table of aliases is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mapped {
    names: Vec<(String, Slot)>,
    /// Objects in which such a name stands.
    objects: Vec<String>,
}

impl Mapped {
    /// Reads `field=name`, where objects around a name are parted from it by points; `Err` says what is
    /// wrong.
    pub fn parse<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Self, String> {
        let mut mapped = Self::default();
        for text in texts {
            let (field, name) = text.split_once('=').ok_or(format!("no = in {text:?}"))?;
            let known = FIELDS.iter().find(|(known, _)| *known == field);
            let &(_, slot) = known.ok_or_else(|| {
                let known: Vec<&str> = FIELDS.iter().map(|(known, _)| *known).collect();
                format!("unknown field: {field:?}; there are {}", known.join(", "))
            })?;
            if name.is_empty() || name.len() > NAME_OCTETS {
                return Err(format!("a name has 1 to {NAME_OCTETS} octets: {name:?}"));
            }
            let name = name.to_ascii_lowercase();
            let objects = name.match_indices('.').map(|(at, _)| name[..at].to_owned());
            mapped.objects.extend(objects);
            mapped.names.push((name, slot));
        }
        Ok(mapped)
    }

    /// The place of a name among those that are stated and then those of the table.
    pub(super) fn place_of(&self, path: &[u8]) -> Option<usize> {
        let stated = self.names.iter().position(|(name, _)| name.as_bytes() == path);
        stated.or_else(|| place_of(path).map(|place| self.names.len() + place))
    }

    /// What the name at a place stands for.
    pub(super) fn slot(&self, place: usize) -> Slot {
        match self.names.get(place) {
            Some(&(_, slot)) => slot,
            None => ALIASES[place - self.names.len()].1,
        }
    }

    /// The object of a path, if a known name may stand in it.
    pub(super) fn object(&self, path: &[u8]) -> Option<&str> {
        let stated = self.objects.iter().map(String::as_str);
        stated.chain(OBJECTS).find(|object| object.as_bytes() == path)
    }
}

#[cfg(test)]
mod tests {
    use super::Mapped;

    #[test]
    fn what_is_no_mapping_is_refused() {
        for text in ["user_agent", "agent=a", "user_agent=", "time=", "=a"] {
            assert!(Mapped::parse([text]).is_err(), "{text}");
        }
        let mapped = Mapped::parse(["user_agent=A.b.C", "time=t"]).unwrap();
        assert_eq!(mapped.place_of(b"a.b.c"), Some(0));
        assert_eq!(mapped.object(b"a.b"), Some("a.b"));
        assert_eq!(mapped.object(b"request"), Some("request"));
        assert!(mapped.place_of(b"status").is_some() && mapped.place_of(b"nothing").is_none());
    }
}
