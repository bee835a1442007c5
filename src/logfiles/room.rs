//! Room for octets that is cleared once and filled again and again.

/// Octets, and free room behind them that holds what it last held: to clear it each time anew costs
/// as much as to copy what it is filled with.
#[derive(Default)]
pub(super) struct Room {
    octets: Vec<u8>,
    held: usize,
}

impl Room {
    /// The octets.
    pub(super) fn held(&self) -> &[u8] {
        &self.octets[..self.held]
    }

    /// Free room behind them.
    pub(super) fn free(&mut self, octets: usize) -> &mut [u8] {
        let needed = self.held + octets;
        if self.octets.len() < needed {
            self.octets.resize(needed, 0);
        }
        &mut self.octets[self.held..needed]
    }

    /// Takes in the first octets of the free room, which were filled.
    pub(super) fn hold(&mut self, octets: usize) {
        self.held += octets;
    }

    /// Adds octets.
    pub(super) fn add(&mut self, octets: &[u8]) {
        self.free(octets.len()).copy_from_slice(octets);
        self.hold(octets.len());
    }

    /// Drops all but the first octets.
    pub(super) fn keep_first(&mut self, octets: usize) {
        self.held = octets;
    }

    /// Drops the first octets.
    pub(super) fn drop_first(&mut self, octets: usize) {
        self.octets.copy_within(octets..self.held, 0);
        self.held -= octets;
    }
}

#[cfg(test)]
mod tests {
    use super::Room;

    #[test]
    fn a_room_holds_what_it_was_told_to() {
        let mut room = Room::default();
        room.add(b"abc");
        room.free(4)[..2].copy_from_slice(b"de");
        room.hold(2);
        assert_eq!(room.held(), b"abcde");
        room.drop_first(2);
        assert_eq!(room.held(), b"cde");
        room.keep_first(1);
        room.add(b"f");
        assert_eq!(room.held(), b"cf");
    }
}
