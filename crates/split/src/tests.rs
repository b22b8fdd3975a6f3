//! Modules as text, cut and watched.

use wasmparser::{Parser, Payload, Validator, WasmFeatures};

use crate::{Names, cut, watched};

/// Adds and prints; `far` is long enough to be worth moving and calls both a shared function and
/// another that moves.
const MODULE: &str = r#"(module
  (import "js" "say" (func $say (param i32)))
  (import "js" "fetch" (func $fetch))
  (table 2 2 funcref)
  (memory (export "memory") 1)
  (global $depth (mut i32) (i32.const 7))
  (elem (i32.const 1) $listener)
  (func $rest (export "rest") (call $fetch))
  (func $near (export "near") (param i32) (result i32)
    (call $far (local.get 0) (i32.const 2)))
  (func $far (param i32 i32) (result i32)
    (global.set $depth (i32.add (global.get $depth) (i32.const 1)))
    (call $say (local.get 0)) (call $say (local.get 1)) (call $shared)
    (call $farther (local.get 0)) (drop (i32.const 1))
    (i32.add (local.get 0) (local.get 1)))
  (func $farther (param i32)
    (call $say (local.get 0)) (call $say (local.get 0)) (call $say (local.get 0))
    (call $say (local.get 0)) (call $say (local.get 0)) (call $say (local.get 0))
    (call $say (local.get 0)) (call $say (local.get 0)) (call $say (local.get 0))
    (call $say (local.get 0)) (call $say (local.get 0)) (call $say (local.get 0))
    (call $say (local.get 0)) (call $say (local.get 0)) (call $say (local.get 0))
    (call $say (local.get 0)) (call $say (local.get 0)) (call $say (local.get 0))
    (call $say (local.get 0)) (call $say (local.get 0)) (call $say (local.get 0))
    (call $say (local.get 0)) (call $say (local.get 0)) (call $say (local.get 0))
    (call $say (local.get 0)) (call $say (local.get 0)) (call $say (local.get 0))
    (call $say (local.get 0)) (call $say (local.get 0)) (call $say (local.get 0))
    (call $say (local.get 0)) (call $say (local.get 0)) (call $say (local.get 0))
    (call $say (local.get 0)) (call $say (local.get 0)) (call $say (local.get 0)))
  (func $listener
    (call $say (i32.const 1)) (call $say (i32.const 2)) (call $say (i32.const 3))
    (call $say (i32.const 1)) (call $say (i32.const 2)) (call $say (i32.const 3))
    (call $say (i32.const 1)) (call $say (i32.const 2)) (call $say (i32.const 3)))
  (func $shared (call $say (i32.const 9)))
)"#;

fn module() -> Vec<u8> {
    wat::parse_str(MODULE).expect("the text of a module")
}

fn valid(bytes: &[u8]) {
    // A watched module has two memories.
    Validator::new_with_features(WasmFeatures::all()).validate_all(bytes).expect("a valid module");
}

/// The bodies of a module's own functions, by length, and its imports and exports by name.
fn shape(bytes: &[u8]) -> (Vec<usize>, Vec<String>, Vec<String>) {
    let (mut bodies, mut imports, mut exports) = (Vec::new(), Vec::new(), Vec::new());
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.expect("a module") {
            Payload::CodeSectionEntry(code) => {
                let range = code.range();
                bodies.push(usize::try_from(range.end - range.start).expect("short"));
            }
            Payload::ImportSection(all) => {
                for import in all.into_imports() {
                    let import = import.expect("an import");
                    imports.push(format!("{}.{}", import.module, import.name));
                }
            }
            Payload::ExportSection(all) => {
                exports.extend(all.into_iter().map(|e| e.expect("an export").name.to_owned()));
            }
            _ => {}
        }
    }
    (bodies, imports, exports)
}

#[test]
fn both_parts_are_modules() {
    let parts = cut(&module(), &Names::of(&["near", "shared"]), None).expect("cut");
    valid(&parts.first);
    valid(&parts.rest);
    assert_eq!(parts.functions, (3, 3));
}

#[test]
fn the_first_part_keeps_stubs_and_the_rest_has_the_bodies() {
    let whole = shape(&module()).0;
    let parts = cut(&module(), &Names::of(&["near"]), None).expect("cut");
    let first = shape(&parts.first).0;
    let rest = shape(&parts.rest).0;
    // `rest`, `near` and the short `shared` stay; `farther` is unknown to them and leaves nothing.
    assert_eq!(first[..2], whole[..2]);
    assert_eq!(first[4], whole[5]);
    assert!(first[2] < whole[2] && first[3] < whole[4], "stubs are shorter");
    assert_eq!(first.len(), whole.len(), "one less, and one function asks for the rest");
    assert_eq!(rest.len(), 4, "and a copy of the short one that it calls");
    assert_eq!(rest[3], whole[5]);
}

#[test]
fn the_rest_imports_what_the_first_part_has_for_it() {
    let parts = cut(&module(), &Names::of(&["near"]), None).expect("cut");
    let (_, imports, exports) = shape(&parts.first);
    assert_eq!(imports, ["js.say", "js.fetch"]);
    // Memory, table, the global; and `say`, which stands in the last place of the table.
    assert_eq!(exports, ["memory", "rest", "near", "0", "1", "2"]);
    let (_, imports, exports) = shape(&parts.rest);
    assert_eq!(imports, ["first.0", "first.1", "first.2", "first.3"]);
    assert!(exports.is_empty());
    let first = crate::module::Module::read(&parts.first).expect("a module");
    assert_eq!(first.named_by_data[0], 0, "`say` is the first import");
    // Two of the module's own, three functions that moved, and `say`.
    assert_eq!(first.tables[0].initial, 6);
}

#[test]
fn a_long_function_that_both_parts_need_is_lent() {
    let parts = cut(&module(), &Names::of(&["near", "farther"]), None).expect("cut");
    valid(&parts.first);
    valid(&parts.rest);
    // `farther` on top of what is always lent.
    assert_eq!(shape(&parts.rest).1.len(), 5);
}

/// An engine refuses an import whose table may grow further, or is shorter, than the export's.
#[test]
fn both_parts_agree_on_the_table() {
    let parts = cut(&module(), &Names::of(&["near"]), None).expect("cut");
    let mut tables = Vec::new();
    for payload in Parser::new(0).parse_all(&parts.first) {
        if let Payload::TableSection(all) = payload.expect("a module") {
            tables.extend(all.into_iter().map(|table| table.expect("a table").ty));
        }
    }
    for payload in Parser::new(0).parse_all(&parts.rest) {
        let Payload::ImportSection(all) = payload.expect("a module") else { continue };
        for import in all.into_imports() {
            if let wasmparser::TypeRef::Table(table) = import.expect("an import").ty {
                assert_eq!(table, tables.remove(0));
            }
        }
    }
    assert!(tables.is_empty());
}

#[test]
fn nothing_moves_when_everything_is_needed_first() {
    let parts =
        cut(&module(), &Names::of(&["near", "far", "farther", "listener"]), None).expect("cut");
    valid(&parts.first);
    valid(&parts.rest);
    assert_eq!(parts.functions, (6, 0));
}

#[test]
fn a_module_that_cannot_ask_is_not_cut() {
    let module = wat::parse_str("(module (func (export \"near\")))").expect("a module");
    let error = cut(&module, &Names::default(), None).expect_err("no way to ask");
    assert_eq!(error, "the module exports no “rest”");
    assert!(cut(b"\0asm", &Names::default(), None).is_err());
    assert!(cut(b"", &Names::default(), None).is_err());
}

#[test]
fn a_watched_module_has_a_note_for_each_name() {
    let watched = watched(&module()).expect("watched");
    valid(&watched.module);
    let exports = shape(&watched.module).2;
    assert_eq!(exports, ["memory", "rest", "near", "watched"]);
    let far = watched.places.lines().nth(2).expect("a line for each function");
    assert!(far.starts_with(&format!("{:08x} ", crate::names::hash("far"))), "{far}");
    assert!(far.ends_with(" 1"), "nothing branches in it: {far}");
}

#[test]
fn a_module_without_names_cannot_be_watched() {
    let module = wat::parse_str("(module (func (export \"rest\")))").expect("a module");
    assert!(watched(&module).is_err());
}

/// Stretches with every way out: behind them, to a loop, out of two blocks, with a result.
const BRANCHES: &str = r#"(module
  (import "js" "fetch" (func $fetch))
  (import "js" "say" (func $say (param i32)))
  (table 1 funcref)
  (memory 1)
  (func $rest (export "rest") (call $fetch))
  (func $work (export "work") (param i32 i64) (result i32) (local i32 f64)
    (block $out
      (loop $again
        (block $inner
          (br_if $inner (i32.eqz (local.get 0)))
          (local.set 2 (i32.add (local.get 0) (i32.const 70000)))
          (local.set 3 (f64.const 2))
          (call $say (i32.const 70000)) (call $say (i32.const 70001))
          (call $say (i32.const 70002)) (call $say (i32.const 70003))
          (if (i32.gt_u (local.get 2) (i32.const 70004)) (then (br $again)))
          (if (i64.eqz (local.get 1)) (then (br $out)))
          (br_table $inner $again $out $inner (local.get 2)))
        (call $say (i32.const 80000)) (call $say (i32.const 80001))
        (call $say (i32.const 80002)) (call $say (i32.const 80003))
        (call $say (i32.const 80004)) (call $say (i32.const 80005))
        (if (local.get 0) (then (return (i32.const 7))))
        (local.set 2 (i32.const 1))))
    (i32.add (local.get 2) (i32.trunc_sat_f64_s (local.get 3))))
)"#;

/// A list in which one function ran, but for some of its places.
fn ran_but(module: &[u8], name: &str, places: &str) -> Names {
    let notes = watched(module).expect("watched").places;
    let hash = format!("{:08x} ", crate::names::hash(name));
    let line = notes.lines().find(|line| line.starts_with(&hash)).expect("the function");
    let shape = line.split(' ').nth(1).expect("a shape");
    Names::parse(&format!("{hash}{shape} {places}\n")).expect("a list")
}

#[test]
fn what_did_not_run_of_a_function_moves() {
    let module = wat::parse_str(BRANCHES).expect("a module");
    let whole = shape(&module).0;
    // The first place ran and the one that a jump to `inner` leads to.
    for (places, stretches) in [("1", 2), ("ff", 0), ("f1", 1), ("0f", 1)] {
        let parts = cut(&module, &ran_but(&module, "work", places), None).expect("cut");
        valid(&parts.first);
        valid(&parts.rest);
        assert_eq!(parts.stretches, stretches, "{places}");
        assert_eq!(shape(&parts.first).0[1] < whole[1], stretches > 0, "{places}");
        assert_eq!(shape(&parts.rest).0.len(), stretches, "{places}");
    }
}

#[test]
fn a_function_of_another_shape_stays_whole() {
    let module = wat::parse_str(BRANCHES).expect("a module");
    let hash = crate::names::hash("work");
    let first = Names::parse(&format!("{hash:08x} 00000001 1")).expect("a list");
    assert_eq!(cut(&module, &first, None).expect("cut").stretches, 0);
}

/// Twice the same panic: once said with a number, once behind a function that only hands on.
const PANICS: &str = r#"(module
  (import "js" "fetch" (func $fetch))
  (table 1 funcref)
  (memory 1)
  (func $rest (export "rest") (call $fetch))
  (func $panic (param i32)
    (call $fetch) (drop (i32.const 1)) (drop (i32.const 2)) (drop (i32.const 3)) (drop (i32.const 4))
    (drop (i32.const 5)) (drop (i32.const 6)) (drop (i32.const 7)) (drop (i32.const 8))
    (unreachable))
  (func $hands_on (param i32) (call $panic (local.get 0)) (unreachable))
  (func $work (export "work") (param i32) (result i32)
    (if (i32.eqz (local.get 0)) (then (call $panic (i32.const 100000)) (unreachable)))
    (if (i32.eqz (local.get 0)) (then (call $hands_on (i32.const 100016)) (unreachable)))
    (if (i32.eqz (local.get 0)) (then (call $panic (i32.const 100032))))
    (i32.const 7))
)"#;

#[test]
fn what_a_panic_says_is_left_out_and_it_ends_all_the_same() {
    let module = wat::parse_str(PANICS).expect("a module");
    let parts = cut(&module, &Names::of(&["work", "hands_on"]), None).expect("cut");
    valid(&parts.first);
    valid(&parts.rest);
    let first = crate::module::Module::read(&parts.first).expect("a module");
    let mut constants = Vec::new();
    let mut ends = 0;
    for body in &first.bodies {
        for operator in body.code.get_operators_reader().expect("code") {
            match operator.expect("an instruction") {
                wasmparser::Operator::I32Const { value } if value >= 100_000 => {
                    constants.push(value);
                }
                wasmparser::Operator::Unreachable => ends += 1,
                _ => {}
            }
        }
    }
    assert_eq!(constants, [100_032], "what may come back is still called");
    assert_eq!(ends, 3, "two in the function, one in who hands on");
}
