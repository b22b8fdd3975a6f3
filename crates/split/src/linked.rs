//! What the linker says of a module's data: which pieces it has, and who knows their addresses.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use wasmparser::{KnownCustom, Linking, Name, Parser, Payload, RelocationType, SymbolInfo};

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

impl<'a> Linked<'a> {
    /// Reads a linked module.
    ///
    /// # Errors
    /// Where it is no module, or one without relocations.
    pub fn read(bytes: &'a [u8]) -> Result<Self, String> {
        let mut linked = Self::default();
        let mut sections: Vec<u64> = Vec::new();
        let mut code: (usize, Vec<(Range<u64>, u32)>) = (0, Vec::new());
        let mut data: (usize, Vec<(u64, u32, u64)>) = (0, Vec::new());
        let mut symbols = Vec::new();
        let mut names = BTreeMap::new();
        let mut relocations = Vec::new();
        let mut imported = 0;
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload.map_err(said)?;
            if let Some((_, range)) = payload.as_section() {
                sections.push(range.start);
            }
            match payload {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let import = import.map_err(said)?;
                        imported += u32::from(matches!(import.ty, wasmparser::TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionStart { .. } => code.0 = sections.len() - 1,
                Payload::CodeSectionEntry(body) => {
                    let number = imported + u32::try_from(code.1.len()).map_err(said)?;
                    code.1.push((body.range(), number));
                }
                Payload::DataSection(segments) => {
                    data.0 = sections.len() - 1;
                    for segment in segments {
                        let segment = segment.map_err(said)?;
                        let (address, content) = initial(&segment)?;
                        let start = segment.range.end - content.len() as u64;
                        data.1.push((start, address, content.len() as u64));
                        linked.segments.push(("", address, content));
                    }
                }
                Payload::CustomSection(custom) => match custom.as_known() {
                    KnownCustom::Name(groups) => {
                        for group in groups {
                            let Name::Function(map) = group.map_err(said)? else { continue };
                            for naming in map {
                                let naming = naming.map_err(said)?;
                                names.insert(naming.index, hash(&plain(naming.name)));
                            }
                        }
                    }
                    KnownCustom::Linking(parts) => {
                        for part in parts {
                            match part.map_err(said)? {
                                Linking::SegmentInfo(infos) => {
                                    for (info, segment) in
                                        infos.into_iter().zip(&mut linked.segments)
                                    {
                                        segment.0 = info.map_err(said)?.name;
                                    }
                                }
                                Linking::SymbolTable(table) => {
                                    for symbol in table {
                                        symbols.push(symbol.map_err(said)?);
                                    }
                                }
                                _ => {}
                            }
                        }
                    }
                    KnownCustom::Reloc(reader) => relocations.push(reader),
                    _ => {}
                },
                _ => {}
            }
        }
        if symbols.is_empty() {
            return Err(
                "the linker has left no symbols: it was not told to keep relocations".to_owned()
            );
        }
        let mut pieces: Vec<Option<usize>> = Vec::new();
        for symbol in &symbols {
            let SymbolInfo::Data { symbol: Some(piece), .. } = symbol else {
                pieces.push(None);
                continue;
            };
            let segment =
                linked.segments.get(piece.index as usize).ok_or("a symbol of no segment")?;
            let from = segment.1 + piece.offset;
            pieces.push(Some(linked.pieces.len()));
            linked.pieces.push(from..from + piece.size);
        }
        for reader in relocations {
            let section = reader.section_index() as usize;
            for entry in reader.entries() {
                let entry = entry.map_err(said)?;
                if !matches!(
                    entry.ty,
                    RelocationType::MemoryAddrLeb
                        | RelocationType::MemoryAddrSleb
                        | RelocationType::MemoryAddrI32
                ) {
                    continue;
                }
                let Some(piece) = pieces.get(entry.index as usize).copied().flatten() else {
                    continue;
                };
                let at = sections.get(section).ok_or("relocations of no section")?;
                let at = at + u64::from(entry.offset);
                if section == code.0 {
                    let after = code.1.partition_point(|(range, _)| range.start <= at);
                    let (range, number) =
                        &code.1[after.checked_sub(1).ok_or("code before the first function")?];
                    if !range.contains(&at) {
                        return Err("a relocation between two functions".to_owned());
                    }
                    let address = i64::from(linked.pieces[piece].start) + entry.addend;
                    #[expect(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "an address wraps"
                    )]
                    let address = address as u32;
                    let name = names.get(number).copied().unwrap_or_default();
                    linked.named.entry(name).or_default().insert((address, piece));
                } else if section == data.0 {
                    let found = data
                        .1
                        .iter()
                        .find(|(start, _, length)| (*start..start + length).contains(&at));
                    let (start, address, _) = found.ok_or("a relocation outside of data")?;
                    let address = address + u32::try_from(at - start).map_err(said)?;
                    let mut known = false;
                    for (holder, range) in linked.pieces.iter().enumerate() {
                        if range.contains(&address) {
                            linked.held.entry(holder).or_default().insert(piece);
                            known = true;
                        }
                    }
                    if !known {
                        linked.loose.insert(piece);
                    }
                }
            }
        }
        Ok(linked)
    }
}
