//! How many domains are asked at the same time; the number may change while they are.
//!
//! A domain that waits for a busy network gives its slot back meanwhile, so that a sample in which
//! many share one network keeps asking the others.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::lag::{self, Gate};

/// The slots of a run.
#[derive(Clone, Debug)]
pub struct Slots(Arc<Shared>);

/// What all that hold slots share.
#[derive(Debug)]
struct Shared {
    free: Arc<Semaphore>,
    size: Mutex<Size>,
}

/// How many slots there are.
#[derive(Debug)]
struct Size {
    /// How many there may be.
    allowed: usize,
    /// How many of those in use are too many, and end when they are given back.
    excess: usize,
}

/// One domain's leave to be in flight; dropping it gives it back.
#[derive(Debug)]
pub struct Slot {
    permit: Option<OwnedSemaphorePermit>,
    slots: Slots,
}

impl Slots {
    /// So many slots.
    pub fn new(count: usize) -> Self {
        let size = Mutex::new(Size { allowed: count, excess: 0 });
        Self(Arc::new(Shared { free: Arc::new(Semaphore::new(count)), size }))
    }

    /// At most so many slots, fewer while this process does not keep up; a task of the present tokio
    /// runtime sees to it.
    pub fn held_back(most: usize) -> Self {
        let slots = Self::new(most);
        let shared = Arc::downgrade(&slots.0);
        let mut gate = Gate::new(most);
        slots.allow(gate.allowed());
        tokio::spawn(async move {
            loop {
                let mut lags = lag::of_a_second().await;
                let Some(shared) = shared.upgrade() else { return };
                Self(shared).allow(gate.decide(&mut lags));
            }
        });
        slots
    }

    /// Waits for a slot.
    pub async fn take(&self) -> Slot {
        let permit = Arc::clone(&self.0.free).acquire_owned().await;
        Slot { permit: permit.ok(), slots: self.clone() }
    }

    /// Changes how many there may be; none is taken away from whoever holds it.
    fn allow(&self, count: usize) {
        let mut size = self.size();
        if count < size.allowed {
            let fewer = size.allowed - count;
            size.excess += fewer - self.0.free.forget_permits(fewer);
        } else {
            let more = count - size.allowed;
            let kept = more.min(size.excess);
            size.excess -= kept;
            self.0.free.add_permits(more - kept);
        }
        size.allowed = count;
    }

    fn size(&self) -> MutexGuard<'_, Size> {
        self.0.size.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut size = self.slots.size();
        if let Some(permit) = self.permit.take().filter(|_| size.excess > 0) {
            size.excess -= 1;
            permit.forget();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Slots;

    #[tokio::test]
    async fn fewer_slots_are_reached_as_they_are_given_back() {
        let slots = Slots::new(4);
        let mut held = Vec::new();
        for _ in 0..4 {
            held.push(slots.take().await);
        }
        slots.allow(2);
        held.truncate(2);
        assert_eq!(slots.0.free.available_permits(), 0, "two are in use, and two are allowed");
        held.truncate(1);
        assert_eq!(slots.0.free.available_permits(), 1);
        slots.allow(5);
        assert_eq!((slots.0.free.available_permits(), slots.size().allowed), (4, 5));
        slots.allow(1);
        slots.allow(3);
        drop(held);
        assert_eq!(slots.0.free.available_permits(), 3);
    }
}
