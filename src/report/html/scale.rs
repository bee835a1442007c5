//! An axis of shares from 0.

/// The steps of an axis that holds what is drawn.
pub(super) struct Scale {
    end: f64,
    step: f64,
}

impl Scale {
    /// The shortest axis of whole steps that holds a share.
    pub(super) fn up_to(share: f64) -> Self {
        let step = [0.01, 0.02, 0.05, 0.1].into_iter().find(|step| share <= 5.0 * step);
        let step = step.unwrap_or(0.2);
        Self { end: ((share / step).ceil() * step).clamp(step, 1.0), step }
    }

    /// Where a share lies, from 0 at the beginning of the axis to 1 at its end.
    pub(super) fn part(&self, share: f64) -> f64 {
        (share / self.end).clamp(-1.0, 1.0)
    }

    /// The shares at its steps, 0 first.
    pub(super) fn steps(&self) -> impl Iterator<Item = f64> {
        let steps = (self.end / self.step).round() as u32;
        (0..=steps).map(|step| f64::from(step) * self.step)
    }
}

#[cfg(test)]
mod tests {
    use super::Scale;

    #[test]
    fn the_axis_holds_what_is_drawn_in_at_most_five_steps() {
        for (share, end) in [(0.0, 0.01), (0.044, 0.05), (0.2, 0.2), (0.31, 0.4), (0.77, 0.8)] {
            let scale = Scale::up_to(share);
            assert!((scale.end - end).abs() < 1e-9, "{share}: {}", scale.end);
            assert!(scale.steps().count() <= 6, "{share}");
            assert!(scale.part(share) <= 1.0, "{share}");
        }
        assert!((Scale::up_to(1.0).end - 1.0).abs() < 1e-9);
    }
}
