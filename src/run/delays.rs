//! When those that are asked again may be: after the gap, and after what they asked for themselves.
//!
//! Read from the timing table of the attempt before, so that a run that is taken up again knows it
//! too. A site's wish counts from the end of that attempt, or from taking up, and up to a bound.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use super::courtesy::Settled;
use crate::plan::Plan;
use crate::record::TimingRow;
use crate::sample::{Domain, Sample};
use crate::scan::Delays;
use crate::store::RunFolder;

/// The delays of an attempt.
pub(super) fn of(
    plan: &Plan,
    sample: &Sample,
    folder: &RunFolder,
    courtesy: &Settled,
) -> io::Result<Delays> {
    let Some(before) = plan.attempt.checked_sub(1).filter(|before| *before > 0) else {
        return Ok(Delays::default());
    };
    let mut delays = Delays {
        everyone: Duration::from_secs(courtesy.attempt_gap_s.into()),
        by_position: BTreeMap::new(),
    };
    if courtesy.retry_after_most_s == 0 {
        return Ok(delays);
    }
    let domain = |position: usize| &sample.entries[position].domain;
    let positions: BTreeMap<&Domain, usize> =
        plan.turns.iter().map(|turn| (domain(turn.position), turn.position)).collect();
    for row in folder.read::<TimingRow>(&format!("attempt-{before}.timing.csv"))? {
        let row = row?;
        if let (Some(wish_s), Some(&position)) = (row.retry_after_s, positions.get(&row.domain)) {
            let wish = Duration::from_secs(wish_s.min(courtesy.retry_after_most_s.into()));
            let longest = delays.by_position.entry(position).or_default();
            *longest = wish.max(*longest);
        }
    }
    Ok(delays)
}
