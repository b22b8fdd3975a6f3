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
        let count = words.number(table.rows.into());
        let room = row.room - width(&count, Face::Code) - 10.0;
        all.push(text("t-code", row, fit(&table.name, Face::Code, room)).html());
        let end = Label::until(at(row.at.x + row.room, row.at.y), 60.0);
        all.push(text("t-num", &end, count).html());
    }
    let open = words.count("map.open", state.open.into(), &[]);
    all.push(text("t-sub", &place.open, fit(&open, Face::Sub, place.open.room)).html());
    all
}
