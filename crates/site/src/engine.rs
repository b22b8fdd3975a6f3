//! The engine's files: as the bundler left them, cut in two, or watched.

use split::Names;

use crate::build::EngineOrder;
use crate::output::{Engine, Output};
use crate::source::Source;

/// The functions that a first picture needs; `cargo xtask bless first` writes it.
const FIRST: &str = "web/first.txt";

/// The line of that file that names the exhibits which were watched.
const WATCHED: &str = "# exhibits: ";

/// Writes the engine as it is wanted and tells its files.
///
/// # Errors
/// Names the file that could not be read or written, or says why the module cannot be cut.
pub fn put(source: &Source, output: &mut Output, order: EngineOrder) -> Result<Engine, String> {
    let engine = output.engine()?;
    let stem = engine.js.trim_end_matches(".js").split('-').next().unwrap_or("inflight");
    match order {
        EngineOrder::Whole => Ok(engine),
        EngineOrder::Watched => {
            let watched = split::watched(&output.read(&engine.wasm)?)?;
            output.put(&engine.wasm, watched)?;
            Ok(engine)
        }
        EngineOrder::Cut => {
            let listed = source.text(FIRST)?;
            let first = Names::parse(&listed).map_err(|error| format!("{FIRST}: {error}"))?;
            let parts = split::cut(&output.read(&engine.wasm)?, &first)
                .map_err(|error| format!("{}: {error}", engine.wasm))?;
            let wasm = output.put_hashed(&format!("{stem}.wasm"), &parts.first)?;
            let rest = output.put_hashed(&format!("{stem}-rest.wasm"), &parts.rest)?;
            output.remove(&engine.wasm)?;
            let (kept, moved) = parts.functions;
            println!("site: the module has {kept} functions first and {moved} in the rest");
            let watched = listed.lines().find_map(|line| line.strip_prefix(WATCHED));
            let light = watched.unwrap_or_default().split(' ').map(str::to_owned).collect();
            Ok(Engine { wasm, rest, light, ..engine })
        }
    }
}
