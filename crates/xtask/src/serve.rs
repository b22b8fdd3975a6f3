//! The development server: Trunk builds, serves and rebuilds on change.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crate::bundle;
use crate::command::{heading, spoken};
use crate::failure::{Failure, Outcome};
use crate::project::Project;
use crate::tools;

const PORT: u16 = 8080;

/// Serves until interrupted.
///
/// # Errors
/// When a tool is missing, the port is taken, or Trunk ends by itself.
pub fn serve(project: &Project, arguments: &[String]) -> Outcome {
    let start = Instant::now();
    let port = port(arguments)?;
    refuse_taken(port)?;
    let toolbox = tools::for_bundle(project)?;
    heading("serve: building, then watching web/, crates/ and static/");
    let mut trunk = bundle::trunk(project, &toolbox)?;
    trunk.args(["serve", "--port", &port.to_string()]);
    let mut child =
        trunk.spawn().map_err(|error| Failure::new(format!("cannot start trunk: {error}")))?;
    thread::spawn(move || announce(port, start));
    let status = child.wait().map_err(|error| Failure::new(format!("trunk: {error}")))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::new(format!("trunk ended ({status})")).with_status(status.code().unwrap_or(1)))
}

fn port(arguments: &[String]) -> Outcome<u16> {
    match arguments {
        [] => Ok(PORT),
        [option, number] if option == "--port" => number
            .parse()
            .map_err(|_| Failure::new(format!("`{number}` is no port")).remedy("0 < port < 65536")),
        _ => Err(Failure::new("serve takes only `--port NUMBER`")),
    }
}

fn refuse_taken(port: u16) -> Outcome {
    TcpListener::bind(("127.0.0.1", port)).map(drop).map_err(|error| {
        Failure::new(format!("port {port} cannot be had: {error}"))
            .remedy("end the program that has it, or choose another with `--port NUMBER`")
    })
}

/// Says where the site is as soon as it answers; Trunk listens only after its first build.
fn announce(port: u16, start: Instant) {
    while !answers(port) {
        thread::sleep(Duration::from_millis(300));
    }
    println!(
        "\n  Inflight is at http://127.0.0.1:{port} (ready after {}); Ctrl-C ends it\n",
        spoken(start.elapsed())
    );
}

fn answers(port: u16) -> bool {
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let Ok(mut stream) = TcpStream::connect_timeout(&address, Duration::from_secs(1)) else {
        return false;
    };
    let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
    let request = format!("GET / HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    let mut start = [0_u8; 12];
    stream.write_all(request.as_bytes()).is_ok()
        && stream.read_exact(&mut start).is_ok()
        && start.ends_with(b" 200")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_an_option() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let rows = [("", Some(8080)), ("--port 9000", Some(9000)), ("--port x", None), ("9", None)];
        for (arguments, expected) in rows {
            assert_eq!(port(&words(arguments)).ok(), expected, "{arguments}");
        }
    }
}
