//! What the linker says of a module's data: which pieces it has, and who knows their addresses.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use wasmparser::{
    KnownCustom, Linking, Name, Parser, Payload, RelocSectionReader, RelocationType, SymbolInfo,
    TypeRef,
};

use crate::module::{initial, said};
use crate::names::{hash, plain};

/// A module as it was linked, with its relocations.
#[derive(Debug, Default)]
pub struct Linked<'a> {
    /// The segments of its memory: name, address, content.
    pub segments: Vec<(&'a str, u32, &'a [u8])>,
    /// The pieces of data by address.
    pub pieces: Vec<Range<u32>>,
    /// By the hash of a function's name: the addresses in its code, each with the piece it belongs to.
    pub named: BTreeMap<u32, BTreeSet<(u32, usize)>>,
    /// By the number of a piece: the pieces whose addresses it holds.
    pub held: BTreeMap<usize, BTreeSet<usize>>,
    /// The pieces whose addresses stand in data that is of no piece.
    pub loose: BTreeSet<usize>,
}

/// How many bytes the place of a panic has: four numbers.
const PLACE: usize = 16;

/// What is found in the file on the way.
#[derive(Default)]
struct Found<'a> {
    /// Where each section begins.
    sections: Vec<u64>,
    code: usize,
    bodies: Vec<(Range<u64>, u32)>,
    data: usize,
    /// Where the content of each segment stands, and its address.
    contents: Vec<(Range<u64>, u32)>,
    symbols: Vec<SymbolInfo<'a>>,
    /// By the number of a function: the hash of its name.
    names: BTreeMap<u32, u32>,
    relocations: Vec<RelocSectionReader<'a>>,
    imported: u32,
}

impl<'a> Linked<'a> {
    /// Reads a linked module.
    ///
    /// # Errors
    /// Where it is no module, or one without relocations.
    pub fn read(bytes: &'a [u8]) -> Result<Self, String> {
        let mut linked = Self::default();
        let mut found = Found::default();
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload.map_err(said)?;
            if let Some((_, range)) = payload.as_section() {
                found.sections.push(range.start);
            }
            linked.take(payload, &mut found)?;
        }
        if found.symbols.is_empty() {
            let why = "the linker has left no symbols: it was not told to keep relocations";
            return Err(why.to_owned());
        }
        let mut pieces: Vec<Option<usize>> = Vec::new();
        for symbol in &found.symbols {
            let SymbolInfo::Data { symbol: Some(piece), .. } = symbol else {
                pieces.push(None);
                continue;
            };
            let segment = linked.segments.get(piece.index as usize);
            let from = segment.ok_or("a symbol of no segment")?.1 + piece.offset;
            pieces.push(Some(linked.pieces.len()));
            linked.pieces.push(from..from + piece.size);
        }
        for reader in &found.relocations {
            let section = reader.section_index() as usize;
            let start = *found.sections.get(section).ok_or("relocations of no section")?;
            for entry in reader.entries() {
                let entry = entry.map_err(said)?;
                let piece = pieces.get(entry.index as usize).copied().flatten();
                let (Some(piece), true) = (piece, is_address(entry.ty)) else { continue };
                let at = start + u64::from(entry.offset);
                if section == found.code {
                    linked.in_code(&found, at, piece, entry.addend)?;
                } else if section == found.data {
                    linked.in_data(&found, at, piece)?;
                }
            }
        }
        Ok(linked)
    }

    /// Whether a piece does nothing but say where in a source a panic is: a path (which ends with a
    /// zero) with its length, a line and a column, as `core::panic::Location` has them.
    pub fn is_place(&self, piece: usize) -> bool {
        let mut held = self.held.get(&piece).into_iter().flatten();
        let (Some(path), None) = (held.next(), held.next()) else { return false };
        let path = self.content(&self.pieces[*path]);
        self.pieces[piece].len() == PLACE && path.is_some_and(|path| path.ends_with(b".rs\0"))
    }

    /// What is written at some addresses.
    fn content(&self, range: &Range<u32>) -> Option<&'a [u8]> {
        self.segments.iter().find_map(|(_, address, content)| {
            let from = range.start.checked_sub(*address)? as usize;
            content.get(from..from + range.len())
        })
    }

    fn take(&mut self, payload: Payload<'a>, found: &mut Found<'a>) -> Result<(), String> {
        match payload {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    let import = import.map_err(said)?;
                    found.imported += u32::from(matches!(import.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionStart { .. } => found.code = found.sections.len() - 1,
            Payload::CodeSectionEntry(body) => {
                let number = found.imported + u32::try_from(found.bodies.len()).map_err(said)?;
                found.bodies.push((body.range(), number));
            }
            Payload::DataSection(segments) => {
                found.data = found.sections.len() - 1;
                for segment in segments {
                    let segment = segment.map_err(said)?;
                    let (address, content) = initial(&segment)?;
                    let end = segment.range.end;
                    found.contents.push((end - content.len() as u64..end, address));
                    self.segments.push(("", address, content));
                }
            }
            Payload::CustomSection(custom) => match custom.as_known() {
                KnownCustom::Name(groups) => {
                    for group in groups {
                        let Name::Function(map) = group.map_err(said)? else { continue };
                        for naming in map {
                            let naming = naming.map_err(said)?;
                            found.names.insert(naming.index, hash(&plain(naming.name)));
                        }
                    }
                }
                KnownCustom::Linking(parts) => {
                    for part in parts {
                        self.take_linking(part.map_err(said)?, found)?;
                    }
                }
                KnownCustom::Reloc(reader) => found.relocations.push(reader),
                _ => {}
            },
            _ => {}
        }
        Ok(())
    }

    fn take_linking(&mut self, part: Linking<'a>, found: &mut Found<'a>) -> Result<(), String> {
        match part {
            Linking::SegmentInfo(infos) => {
                for (info, segment) in infos.into_iter().zip(&mut self.segments) {
                    segment.0 = info.map_err(said)?.name;
                }
            }
            Linking::SymbolTable(table) => {
                for symbol in table {
                    found.symbols.push(symbol.map_err(said)?);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes an address in a function.
    fn in_code(
        &mut self,
        found: &Found<'_>,
        at: u64,
        piece: usize,
        addend: i64,
    ) -> Result<(), String> {
        let after = found.bodies.partition_point(|(range, _)| range.start <= at);
        let body = after.checked_sub(1).map(|before| &found.bodies[before]);
        let (_, number) = body
            .filter(|(range, _)| range.contains(&at))
            .ok_or("a relocation outside of functions")?;
        let address = i64::from(self.pieces[piece].start) + addend;
        let name = found.names.get(number).copied().unwrap_or_default();
        // Before the beginning of memory an address is one modulo the size of it.
        let address = u32::try_from(address.rem_euclid(1 << 32)).map_err(said)?;
        self.named.entry(name).or_default().insert((address, piece));
        Ok(())
    }

    /// Takes an address in data.
    fn in_data(&mut self, found: &Found<'_>, at: u64, piece: usize) -> Result<(), String> {
        let content = found.contents.iter().find(|(range, _)| range.contains(&at));
        let (range, address) = content.ok_or("a relocation outside of data")?;
        let address = address + u32::try_from(at - range.start).map_err(said)?;
        let mut known = false;
        for (holder, range) in self.pieces.iter().enumerate() {
            if range.contains(&address) {
                self.held.entry(holder).or_default().insert(piece);
                known = true;
            }
        }
        if !known {
            self.loose.insert(piece);
        }
        Ok(())
    }
}

fn is_address(ty: RelocationType) -> bool {
    matches!(
        ty,
        RelocationType::MemoryAddrLeb
            | RelocationType::MemoryAddrSleb
            | RelocationType::MemoryAddrI32
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_panic_is_told_from_other_data() {
        let content = b"src/a.rs\0src/b.txt\0";
        let linked = Linked {
            segments: vec![(".rodata", 100, content)],
            // Two paths; a place with each, one that is longer, and one that holds two paths.
            pieces: vec![100..109, 109..119, 200..216, 216..232, 232..252, 252..268],
            held: BTreeMap::from([
                (2, BTreeSet::from([0])),
                (3, BTreeSet::from([1])),
                (4, BTreeSet::from([0])),
                (5, BTreeSet::from([0, 1])),
            ]),
            ..Linked::default()
        };
        let places: Vec<usize> = (0..6).filter(|piece| linked.is_place(*piece)).collect();
        assert_eq!(places, [2]);
    }
}
