//! What `scanner resume` and `scanner rerun` may be told of a run that was recorded before.

use std::path::PathBuf;

use clap::Args;

use crate::run::Again;

/// Where a recorded run's inputs are now, and how fast it is to be asked.
#[derive(Args)]
pub(super) struct Repeating {
    /// Where the sample is now, if it has moved since
    #[arg(long, value_name = "FILE")]
    sample: Option<PathBuf>,

    /// Where the pattern library is now, if it has moved since
    #[arg(long, value_name = "DIR")]
    library: Option<PathBuf>,

    /// Domains asked at the same time [default: as before]
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,

    /// Domains begun in a second, at most [default: as before]
    #[arg(long, value_name = "R")]
    rate: Option<u32>,
}

impl Repeating {
    /// What the options mean.
    pub(super) fn again(&self) -> Again {
        Again {
            sample: self.sample.clone(),
            library: self.library.clone(),
            concurrency: self.concurrency,
            rate: self.rate,
        }
    }
}
