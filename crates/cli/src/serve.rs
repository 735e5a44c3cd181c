//! `netspurt serve [DIR]`: the built page on this machine.

use crate::failure::Failure;
use crate::output::Out;
use clap::{Arg, ArgMatches, Command, value_parser};
use std::net::IpAddr;
use std::path::PathBuf;

pub(crate) fn define() -> Command {
    Command::new("serve")
        .about("Serve the built page on this machine, with fine clocks and /echo?len=N")
        .arg(
            Arg::new("dir")
                .value_name("DIR")
                .help("The folder with the built page")
                .default_value("dist")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("port")
                .long("port")
                .value_name("N")
                .help("The port to listen on; 0 picks a free one")
                .default_value("8889")
                .value_parser(value_parser!(u16)),
        )
        .arg(
            Arg::new("bind")
                .long("bind")
                .value_name("ADDR")
                .help("The address to listen on; 0.0.0.0 lets other machines in")
                .default_value("127.0.0.1")
                .value_parser(value_parser!(IpAddr)),
        )
}

pub(crate) fn run(matches: &ArgMatches, out: Out<'_>) -> Result<(), Failure> {
    let (Some(dir), Some(&port), Some(&bind)) = (
        matches.get_one::<PathBuf>("dir"),
        matches.get_one::<u16>("port"),
        matches.get_one::<IpAddr>("bind"),
    ) else {
        return Ok(());
    };
    if !dir.is_dir() {
        return Err(Failure::input(
            "there is no such folder",
            dir.display().to_string(),
            "build the page with `cargo xtask build`, then name its folder, dist",
        ));
    }
    let server = netspurt_serve::serve(dir, bind, port).map_err(|e| {
        let advice = "give another --port or --bind; port 0 picks a free one";
        Failure::input(format!("cannot listen ({e})"), format!("{bind} port {port}"), advice)
    })?;
    writeln!(out, "{}", server.url())?;
    out.flush()?;
    server.wait().map_err(|e| {
        Failure::input(format!("the server has stopped ({e})"), bind.to_string(), "start it again")
    })
}
