//! The engine's files: as the bundler left them, cut in two, or watched.

use std::fs;
use std::path::Path;

use split::{Linked, Names};

use crate::build::EngineOrder;
use crate::output::{Engine, Output};
use crate::source::Source;

/// The functions that a first picture needs; `cargo xtask bless first` writes it.
const FIRST: &str = "web/first.txt";

/// What a watched module's notes are of, for who reads them.
const PLACES: &str = "watched.txt";

/// The line of that file that names the exhibits which were watched.
const WATCHED: &str = "# exhibits: ";

/// Writes the engine as it is wanted and tells its files. With the module that the linker has left,
/// data is cut as the functions are.
///
/// # Errors
/// Names the file that could not be read or written, or says why the module cannot be cut.
pub fn put(
    source: &Source,
    output: &mut Output,
    order: EngineOrder,
    linked: Option<&Path>,
) -> Result<Engine, String> {
    let engine = output.engine()?;
    let stem = engine.js.trim_end_matches(".js").split('-').next().unwrap_or("inflight");
    match order {
        EngineOrder::Whole => Ok(engine),
        EngineOrder::Watched => {
            let watched = split::watched(&output.read(&engine.wasm)?)?;
            output.put(&engine.wasm, watched.module)?;
            output.put(PLACES, watched.places)?;
            Ok(engine)
        }
        EngineOrder::Cut => {
            let listed = source.text(FIRST)?;
            let first = Names::parse(&listed).map_err(|error| format!("{FIRST}: {error}"))?;
            let named = |path: &Path, error: String| format!("{}: {error}", path.display());
            let bytes = linked.map(|path| fs::read(path).map_err(|e| named(path, e.to_string())));
            let bytes = bytes.transpose()?;
            let read = bytes
                .as_deref()
                .zip(linked)
                .map(|(bytes, path)| Linked::read(bytes).map_err(|error| named(path, error)));
            let (module, script) =
                split::shorten(&output.read(&engine.wasm)?, &output.text(&engine.js)?)?;
            let parts = split::cut(&module, &first, read.transpose()?.as_ref())
                .map_err(|error| format!("{}: {error}", engine.wasm))?;
            let first = split::arranged(&parts.first)?;
            let rest = split::arranged(&parts.rest)?;
            let wasm = output.put_hashed(&format!("{stem}.wasm"), &first)?;
            let rest = output.put_hashed(&format!("{stem}-rest.wasm"), &rest)?;
            let js = output.put_hashed(&format!("{stem}.js"), script)?;
            output.remove(&engine.wasm)?;
            output.remove(&engine.js)?;
            let (kept, moved) = parts.functions;
            println!(
                "site: the module has {kept} functions first, {moved} in the rest, and there {} \
                 stretches of the former and {} bytes of data",
                parts.stretches, parts.data
            );
            let watched = listed.lines().find_map(|line| line.strip_prefix(WATCHED));
            let light = watched.unwrap_or_default().split(' ').map(str::to_owned).collect();
            Ok(Engine { js, wasm, rest, light })
        }
    }
}
