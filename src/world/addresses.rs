//! The fixture internet's addresses: what happens to a TCP connection is decided by where it goes.
//!
//! Five loopback addresses share one port number: one accepts, one refuses, one answers no SYN,
//! one closes and one resets what it accepted. Linux routes the whole of 127.0.0.0/8 to itself, so
//! no address must be added and no port is privileged; to the last address of the block, the one
//! for broadcasts, it lets no TCP connection go at all.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::{TcpListener, TcpSocket, TcpStream};

use super::site::Connection;

const ACCEPTING: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 1);
const REFUSING: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const SILENT: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);
const CLOSING: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 4);
const RESETTING: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 5);
const UNREACHABLE: Ipv4Addr = Ipv4Addr::new(127, 255, 255, 255);

/// Connections that wait to be accepted before the kernel drops a SYN.
const BACKLOG: u32 = 1;

/// Ports tried before giving up: another program may hold one on one of the addresses.
const TRIES: u32 = 32;

/// The address at which a host lies that behaves so.
pub(super) fn address_of(connection: Connection) -> Ipv4Addr {
    match connection {
        Connection::Accepted => ACCEPTING,
        Connection::Refused => REFUSING,
        Connection::BlackHole => SILENT,
        Connection::Closed => CLOSING,
        Connection::Reset => RESETTING,
        Connection::Unreachable => UNREACHABLE,
    }
}

/// One port number on all addresses.
pub(super) struct Port {
    /// The number.
    pub(super) number: u16,
    /// Whose connections are to be served.
    pub(super) accepting: TcpListener,
    /// Whose connections are to be closed at once.
    pub(super) closing: TcpListener,
    /// Whose connections are to be reset at once.
    pub(super) resetting: TcpListener,
    /// What must live as long as the port is in use.
    pub(super) held: Held,
}

/// Sockets that do their work by being there.
pub(super) struct Held {
    _refusing: TcpSocket,
    _silent: TcpListener,
    _waiting: Vec<TcpStream>,
}

impl Port {
    /// Finds a number that is free on all addresses, and opens it there.
    pub(super) async fn open() -> io::Result<Self> {
        let mut tries = 0;
        loop {
            tries += 1;
            match Self::try_open().await {
                Err(error) if error.kind() == io::ErrorKind::AddrInUse && tries < TRIES => {}
                ended => return ended,
            }
        }
    }

    /// One try, with a number of the kernel's choice.
    async fn try_open() -> io::Result<Self> {
        let accepting = TcpListener::bind((ACCEPTING, 0)).await?;
        let number = accepting.local_addr()?.port();
        let closing = TcpListener::bind((CLOSING, number)).await?;
        let resetting = TcpListener::bind((RESETTING, number)).await?;
        let refusing = bound(REFUSING, number)?;
        let silent = bound(SILENT, number)?.listen(BACKLOG)?;
        let mut waiting = Vec::new();
        for _ in 0..=BACKLOG {
            waiting.push(TcpStream::connect((SILENT, number)).await?);
        }
        let held = Held { _refusing: refusing, _silent: silent, _waiting: waiting };
        Ok(Self { number, accepting, closing, resetting, held })
    }
}

/// A socket that keeps others from an address, and refuses connections as long as it only does so.
fn bound(address: Ipv4Addr, number: u16) -> io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((address, number)))?;
    Ok(socket)
}
