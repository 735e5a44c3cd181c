//! A small static server for the built page.
//!
//! It serves one folder with the right types, with the compressed copies that lie beside the files, and
//! with the headers that give a page fine clocks (cross-origin isolation). `/echo?len=N` answers N octets,
//! for cells that measure a path. Files whose names carry a hash may be cached for ever, all others are
//! asked for again each time.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::mpsc;
use std::thread::JoinHandle;

use axum::Router;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

mod answers;

pub use answers::{HASH_DIGITS, MAX_ECHO, is_hashed};

/// A running server. Dropping it stops it.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

/// Serves `dir` on `bind`:`port` from a thread of its own. Port 0 picks a free one.
pub fn serve(dir: &Path, bind: IpAddr, port: u16) -> io::Result<Server> {
    let dir = dir.canonicalize()?;
    if !dir.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::NotADirectory,
            format!("{} is not a folder", dir.display()),
        ));
    }
    let app = answers::router(&dir);
    let (bound, is_bound) = mpsc::channel();
    let (stop, stopped) = oneshot::channel();
    let thread = std::thread::Builder::new()
        .name("netspurt-serve".to_owned())
        .spawn(move || run(app, SocketAddr::new(bind, port), &bound, stopped))?;
    match is_bound.recv() {
        Ok(address) => Ok(Server { address, stop: Some(stop), thread: Some(thread) }),
        Err(_) => Err(outcome(thread).err().unwrap_or_else(|| io::Error::other("the server did not start"))),
    }
}

impl Server {
    /// Where it listens, with the port it was given.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The page's address, ending in a slash. Behind a wildcard address that is this machine.
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(if address.is_ipv4() {
                [127, 0, 0, 1].into()
            } else {
                IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1])
            });
        }
        format!("http://{address}/")
    }

    /// Stops listening and drops every open connection.
    pub fn shutdown(mut self) -> io::Result<()> {
        self.stop = None;
        self.thread.take().map_or(Ok(()), outcome)
    }

    /// Serves until the process ends or the listener fails.
    pub fn wait(mut self) -> io::Result<()> {
        self.thread.take().map_or(Ok(()), outcome)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // Nobody is left to tell.
            let _ = thread.join();
        }
    }
}

fn run(
    app: Router,
    address: SocketAddr,
    bound: &mpsc::Sender<SocketAddr>,
    stopped: oneshot::Receiver<()>,
) -> io::Result<()> {
    // One thread is enough: answers are short and files are read by tokio's own pool.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(address).await?;
        // A send error means that `serve` has gone; the next line then ends this thread too.
        let _ = bound.send(listener.local_addr()?);
        // Small answers must leave at once, or the echo would measure Nagle's algorithm.
        let listener = listener.tap_io(|stream| {
            let _ = stream.set_nodelay(true);
        });
        let server = tokio::spawn(async { axum::serve(listener, app).await });
        // Ends when the sender is dropped, whether by `shutdown` or by `drop`.
        let _ = stopped.await;
        server.abort();
        Ok(())
    })
}

fn outcome(thread: JoinHandle<io::Result<()>>) -> io::Result<()> {
    thread.join().unwrap_or_else(|_| Err(io::Error::other("the server's thread panicked")))
}
