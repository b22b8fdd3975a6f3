//! The linter of sheets: what one must pass, beyond being readable, before it is shown.

use scenario::wire::{Diagnostic, number_text};

use super::{Gives, Marks, Piece, Sheet, SheetFact, Template, Undefined};
use crate::lint::is_inventory_id;
use crate::prose::flaws;

type Report<'r> = dyn FnMut(String, String, &str) + 'r;

/// What is wrong with a sheet, each with the JSON pointer in its document and a repair.
#[must_use]
pub fn lint_sheet(sheet: &Sheet) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let report: &mut Report<'_> = &mut |path, problem, repair| {
        found.push(Diagnostic::new(path, problem, repair));
    };
    names(sheet, report);
    texts(sheet, report);
    at_first(sheet, report);
    for (at, fact) in sheet.facts.iter().enumerate() {
        hold(sheet, fact, &format!("/facts/{at}"), report);
    }
    if sheet.facts.is_empty() {
        let repair = "name the figures that it must give";
        report("/facts".into(), "nothing holds the formulas".into(), repair);
    }
    found
}

/// Ids of the course, and inputs that nothing uses.
fn names(sheet: &Sheet, report: &mut Report<'_>) {
    let module = sheet.module.strip_prefix('m').and_then(|digit| digit.parse::<u8>().ok());
    if !module.is_some_and(|module| (1..=8).contains(&module)) {
        let problem = format!("“{}” is not a module", sheet.module);
        report("/module".into(), problem, "write m1 to m8");
    }
    for (at, id) in sheet.inventory.iter().enumerate() {
        if !is_inventory_id(id) {
            let problem = format!("“{id}” is not an entry of the inventory");
            report(format!("/inventory/{at}"), problem, "write one like X-M8-WORK1");
        }
    }
    for (at, input) in sheet.inputs.iter().enumerate() {
        if !sheet.uses(at) {
            let problem = format!("nothing uses “{}”", input.id);
            report(format!("/inputs/{at}"), problem, "use it in a formula, or take it out");
        }
    }
    for (at, value) in sheet.values.iter().enumerate() {
        if value.output.is_none() && !sheet.uses(sheet.place_of(at)) {
            let problem = format!("“{}” is neither shown nor used", value.id);
            report(format!("/values/{at}"), problem, "give it a label, or take it out");
        }
    }
}

/// House rules for what a learner reads.
fn texts(sheet: &Sheet, report: &mut Report<'_>) {
    let mut check = |path: String, text: &str| {
        for (problem, repair) in flaws(text) {
            report(path.clone(), problem, repair);
        }
    };
    for (path, text) in
        [("/title", &sheet.title), ("/lesson", &sheet.lesson), ("/summary", &sheet.summary)]
    {
        check(path.to_owned(), text);
    }
    for (at, text) in sheet.model.iter().enumerate() {
        check(format!("/model/{at}"), text);
    }
    for (at, input) in sheet.inputs.iter().enumerate() {
        check(format!("/inputs/{at}/label"), &input.label);
        check(format!("/inputs/{at}/note"), &input.note);
    }
    for (at, output) in sheet.values.iter().enumerate() {
        let Some(output) = &output.output else { continue };
        let path = format!("/values/{at}");
        check(path.clone(), &output.label);
        check(path.clone(), &output.says);
        if let Some(kept) = &output.check {
            check(path.clone(), &words(&kept.holds));
            check(path, &words(&kept.fails));
        }
    }
    for (at, line) in sheet.card.iter().enumerate() {
        check(format!("/card/{at}"), &words(line));
    }
}

/// A sentence with something in the place of each value.
fn words(template: &Template) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Words(words) => words.clone(),
        Piece::Shown(_) => "0".to_owned(),
    };
    template.pieces.iter().map(piece).collect()
}

/// What stands there at first is whole: every value has a number, or the sheet itself says why not;
/// every chart has a line.
fn at_first(sheet: &Sheet, report: &mut Report<'_>) {
    let marks = Marks::default();
    let first = sheet.first();
    let worked = sheet.work(&first, &marks);
    for (at, value) in sheet.values.iter().enumerate() {
        if let Err(why) = &worked.all[sheet.place_of(at)]
            && !matches!(why, Undefined::Said(_))
        {
            let problem = format!("“{}” is not defined at first: {why:?}", value.id);
            report(
                format!("/values/{at}"),
                problem,
                "say under “needs” what must be so, or mend the formula",
            );
        }
    }
    for (at, graph) in sheet.graphs.iter().enumerate() {
        let path = format!("/charts/{at}");
        match sheet.draw(graph, &first, &marks) {
            Err(why) => {
                let problem = format!("it has no range at first: {why:?}");
                report(path, problem, "mend “from” or “to”");
            }
            Ok(curve) => {
                let bare = curve.lines.iter().any(|line| line.iter().flatten().count() < 2);
                if bare {
                    let repair = "mend its formula, or the range";
                    report(path, "a line has fewer than two points at first".into(), repair);
                }
            }
        }
    }
}

/// The sheet gives what a fact says.
fn hold(sheet: &Sheet, fact: &SheetFact, path: &str, report: &mut Report<'_>) {
    let mut inputs = sheet.first();
    for (at, number) in &fact.with {
        inputs[*at] = *number;
    }
    let marks = Marks::default();
    let worked = sheet.work(&inputs, &marks);
    for (at, gives) in &fact.gives {
        let (id, found) = (&sheet.values[*at].id, &worked.all[sheet.place_of(*at)]);
        let right = match (gives, found) {
            (Gives::Number(is, within), Ok(number)) => (number - is).abs() <= *within,
            (Gives::Nothing, Err(_)) => true,
            _ => false,
        };
        if !right {
            let found = found.as_ref().map_or_else(|why| format!("{why:?}"), |n| number_text(*n));
            let problem = format!("{}: “{id}” is {found}, and not {gives:?}", fact.id);
            report(format!("{path}/gives/{id}"), problem, "correct the formula, or the fact");
        }
    }
    for (at, stands) in &fact.stands {
        let found = sheet.stands(*at, &worked, &marks).map(|(standing, _)| standing);
        if found != Some(stands.standing()) {
            let id = &sheet.values[*at].id;
            let problem = format!("{}: the check of “{id}” comes out as {found:?}", fact.id);
            report(format!("{path}/checks/{id}"), problem, "correct the check, or the fact");
        }
    }
    if fact.gives.is_empty() && fact.stands.is_empty() {
        report(path.to_owned(), "this fact says nothing".into(), "write “gives” or “checks”");
    }
}
