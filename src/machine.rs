//! What this machine lets the process have: open files, sockets among them.
//!
//! Systems start a process with a low bound that it may raise itself, up to one that it may not.

/// Raises the number of descriptors that the process may have open towards `wanted`, as far as the
/// system lets it; returns how many it may have now. Where the system knows no bound, any number.
pub fn allow_open_files(wanted: usize) -> usize {
    let Some(Bound { now, most }) = Bound::read() else { return usize::MAX };
    let raised = Bound { now: wanted.min(most), most };
    if raised.now > now && raised.set() { raised.now } else { now }
}

/// How many descriptors the process may have open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// As things stand.
    pub now: usize,
    /// As far as the process may raise it.
    pub most: usize,
}

#[cfg(unix)]
impl Bound {
    /// The present bound; `None` where there is none.
    pub fn read() -> Option<Self> {
        let bound = rustix::process::getrlimit(rustix::process::Resource::Nofile);
        let number = |written: u64| usize::try_from(written).unwrap_or(usize::MAX);
        let now = number(bound.current?);
        Some(Self { now, most: bound.maximum.map_or(usize::MAX, number) })
    }

    /// Puts it in force; whether that could be done.
    fn set(self) -> bool {
        let resource = rustix::process::Resource::Nofile;
        let maximum = rustix::process::getrlimit(resource).maximum;
        let current = Some(self.now as u64);
        rustix::process::setrlimit(resource, rustix::process::Rlimit { current, maximum }).is_ok()
    }
}

#[cfg(not(unix))]
impl Bound {
    /// No such bound is known here.
    pub fn read() -> Option<Self> {
        None
    }

    fn set(self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, allow_open_files};

    #[test]
    fn a_bound_is_raised_as_far_as_the_system_lets_it() {
        let Some(before) = Bound::read() else { return };
        assert_eq!(allow_open_files(1), before.now, "a lower wish changes nothing");
        assert_eq!(Bound::read(), Some(before));
        let more = before.most.min(before.now + 1);
        assert_eq!(allow_open_files(more), more);
        assert_eq!(Bound::read(), Some(Bound { now: more, ..before }));
        if before.most < usize::MAX {
            assert!(allow_open_files(before.most + 1) <= before.most);
        }
    }
}
