//! A database: a frame that holds its tables, and how many transactions are open in it.

use player::DatabaseFrame;
use yew::prelude::*;

use super::super::{Scene, platform};
use crate::icons::Pict;
use crate::map::layout::{Base, Face, Label, at, fit, width};
use crate::map::mark::{rect, text};

/// The whole of a database.
#[must_use]
pub fn base(scene: &Scene, place: &Base, state: &DatabaseFrame) -> Vec<Html> {
    let words = scene.words;
    let label = words.say("map.kind.database", &[("name", scene.label(place.id))]);
    let mut all = vec![
        rect("base", place.frame, 2.0).html(),
        platform::plate(scene, place.id, place.plate, Pict::Table, label),
    ];
    for (row, table) in place.tables.iter().zip(&state.tables) {
        let said = match &table.only {
            Some(only) => fit(only, Face::Code, row.room * 0.7),
            None => words.number(table.rows.into()),
        };
        let room = row.room - width(&said, Face::Code) - 10.0;
        all.push(text("t-code", row, fit(&table.name, Face::Code, room)).html());
        let end = Label::until(at(row.at.x + row.room, row.at.y), row.room * 0.7);
        all.push(text("t-num", &end, said).html());
    }
    let open = open(scene, state);
    all.push(text("t-sub", &place.open, fit(&open, Face::Sub, place.open.room)).html());
    all
}

/// How many transactions are open, and what holds them up.
#[inline(never)]
fn open(scene: &Scene, state: &DatabaseFrame) -> String {
    let words = scene.words;
    let number = |n: u32| words.number(n.into());
    let key = match (state.prepared, state.waiting) {
        (0, 0) => return words.count("map.open", state.open.into(), &[]),
        (0, _) => "map.open.waiting",
        (_, 0) => "map.open.prepared",
        _ => "map.open.held",
    };
    words.say(key, &[("n", &number(state.prepared)), ("waiting", &number(state.waiting))])
}
