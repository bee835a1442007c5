//! A person's or a system's wish that the run stop.
//!
//! The first signal stops the asking and lets what is in flight end within a grace; a second one,
//! or the end of the grace, stops at once.

use std::time::Duration;

use tokio::sync::watch;

/// Time that domains in flight are given after the first signal.
const GRACE: Duration = Duration::from_secs(10);

/// The signals that stop a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// SIGINT: Ctrl-C.
    Interrupt,
    /// SIGTERM.
    Terminate,
}

impl Signal {
    /// The exit status after it: 128 and the signal's number.
    pub fn exit_status(self) -> u8 {
        match self {
            Self::Interrupt => 130,
            Self::Terminate => 143,
        }
    }

    /// The signal's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Interrupt => "SIGINT",
            Self::Terminate => "SIGTERM",
        }
    }
}

/// What was received so far.
#[derive(Clone, Copy, Debug, Default)]
struct Received {
    first: Option<Signal>,
    is_grace_over: bool,
}

/// Tells whether the run is to stop.
#[derive(Clone)]
pub struct Stop {
    received: watch::Receiver<Received>,
}

impl Stop {
    /// Listens to the process's signals, for as long as the runtime lives.
    pub fn on_signals() -> std::io::Result<Self> {
        let mut signals = Signals::listen()?;
        let (sender, received) = watch::channel(Received::default());
        tokio::spawn(async move {
            let Some(first) = signals.next().await else { return };
            sender.send_modify(|received| received.first = Some(first));
            let _ = tokio::time::timeout(GRACE, signals.next()).await;
            sender.send_modify(|received| received.is_grace_over = true);
        });
        Ok(Self { received })
    }

    /// The first signal received, if one was.
    pub fn signal(&self) -> Option<Signal> {
        self.received.borrow().first
    }

    /// Whether no further domain is to be asked.
    pub fn is_asked(&self) -> bool {
        self.signal().is_some()
    }

    /// Ends when the first signal comes; never if none can.
    pub async fn asked(&mut self) {
        if self.received.wait_for(|received| received.first.is_some()).await.is_err() {
            std::future::pending().await
        }
    }

    /// Ends when what is in flight is to be given up; never if no signal can come.
    pub async fn at_once(&mut self) {
        if self.received.wait_for(|received| received.is_grace_over).await.is_err() {
            std::future::pending().await
        }
    }
}

/// The signals of the process, as they come.
#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let interrupt = signal(SignalKind::interrupt())?;
        Ok(Self { interrupt, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) -> Option<Signal> {
        tokio::select! {
            Some(()) = self.interrupt.recv() => Some(Signal::Interrupt),
            Some(()) = self.terminate.recv() => Some(Signal::Terminate),
            else => None,
        }
    }
}

/// The signals of the process, as they come: Ctrl-C alone.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> Option<Signal> {
        tokio::signal::ctrl_c().await.ok().map(|()| Signal::Interrupt)
    }
}
