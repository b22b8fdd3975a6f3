//! Worksheets without their engine: what stands in the entries at first, the formulas in words, what
//! comes of them, and the charts.

use course::sheet::{Curve, Graph, Marks, Sheet, Standing, Undefined, Worked};
use inflight::sheet::{PLOT, plot};
use maud::{Markup, html};
use scenario::wire::{Diagnostic, Value};

use crate::still::Place;
use crate::words::Words;

/// A worksheet of the course.
#[derive(Clone, Debug)]
pub struct Worksheet {
    /// Its id, which is its file's name.
    pub id: String,
    /// The worksheet.
    pub sheet: Sheet,
}

impl Worksheet {
    /// Reads the worksheet `id` from its file's text.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn parse(id: &str, json: &str) -> Result<Worksheet, String> {
        let document: Value =
            serde_json::from_str(json).map_err(|error| format!("{id}.json: {error}"))?;
        let sheet = Sheet::read(&document).map_err(|wrong| {
            let line =
                |d: &Diagnostic| format!("{id}.json {}: {}: {}", d.path, d.problem, d.repair);
            wrong.iter().map(line).collect::<Vec<_>>().join("\n")
        })?;
        Ok(Worksheet { id: id.to_owned(), sheet })
    }

    /// The line it belongs to: the module's number.
    #[must_use]
    pub fn line(&self) -> &str {
        self.sheet.module.strip_prefix('m').unwrap_or("")
    }

    /// Its place among the others.
    #[must_use]
    pub fn place(&self) -> (String, String) {
        (self.sheet.module.clone(), self.id.clone())
    }
}

/// A sheet worked out as it is at first.
struct AtFirst<'a> {
    sheet: &'a Sheet,
    worked: Worked,
    marks: Marks,
    words: &'a Words,
}

impl<'a> AtFirst<'a> {
    fn of(sheet: &'a Sheet, words: &'a Words) -> AtFirst<'a> {
        let marks = Marks::default();
        AtFirst { sheet, worked: sheet.work(&sheet.first(), &marks), marks, words }
    }

    fn shown(&self, place: usize) -> String {
        self.sheet.shown(place, &self.worked, &self.marks)
    }

    fn entries(&self) -> Markup {
        html! {
            dl.still-sheet__list {
                @for (place, input) in self.sheet.inputs.iter().enumerate() {
                    div { dt { (input.label) } dd { (self.shown(place)) } }
                }
            }
        }
    }

    fn results(&self) -> Markup {
        let values = self.sheet.values.iter().enumerate();
        html! {
            dl.still-sheet__list {
                @for (at, value) in values {
                    @if let Some(output) = &value.output {
                        div {
                            dt { (output.label) }
                            dd { (self.result(at)) }
                            dd.still-sheet__says { (output.says) }
                        }
                    }
                }
            }
        }
    }

    fn result(&self, at: usize) -> Markup {
        let place = self.sheet.place_of(at);
        let why = match &self.worked.all[place] {
            Err(Undefined::Said(why)) => Some(why.as_str()),
            _ => None,
        };
        let stands = self.sheet.stands(at, &self.worked, &self.marks);
        html! {
            @if let Some(why) = why { (self.words.fill("sheet.undefined", &[("why", why)])) }
            @else { b { (self.shown(place)) } }
            @match stands {
                Some((Standing::Holds, said)) => { " " (said) }
                Some((Standing::Fails, said)) => { " " b { (self.words.say("sheet.fails")) } " " (said) }
                Some((Standing::Open, _)) | None => {}
            }
        }
    }

    fn chart(&self, graph: &Graph) -> Markup {
        let Ok(curve) = self.sheet.draw(graph, &self.sheet.first(), &self.marks) else {
            return Markup::default();
        };
        html! {
            figure.still-sheet__chart {
                figcaption { b { (graph.label) } " " (self.extent(graph, &curve)) }
                (drawn(graph, &curve, &self.marks))
            }
        }
    }

    /// How far the chart reaches, in words: a picture without a script has no marks on its axes.
    fn extent(&self, graph: &Graph, curve: &Curve) -> String {
        let (Some(from), Some(to)) = (curve.points.first(), curve.points.last()) else {
            return String::new();
        };
        let over = |number| graph.over.figure.text(number, &self.marks);
        let top = graph.figure.text(curve.levels.1, &self.marks);
        self.words.fill(
            "sheet.extent",
            &[
                ("over", &graph.over.label),
                ("from", &over(*from)),
                ("to", &over(*to)),
                ("top", &top),
            ],
        )
    }
}

/// The lines of a chart.
fn drawn(graph: &Graph, curve: &Curve, marks: &Marks) -> Markup {
    let plot = plot(graph, curve, None, marks);
    let (width, height) = PLOT;
    html! {
        svg.chart__plot viewBox={ "0 0 " (width) " " (height) } preserveAspectRatio="none" role="img"
            aria-label=(graph.label) {
            path.chart__axis d={ "M0 " (plot.zero.unwrap_or(height)) "H" (width) } {}
            @if let Some(bound) = plot.bound { path.chart__limit d={ "M0 " (bound) "H" (width) } {} }
            @for (at, line) in plot.lines.iter().enumerate() {
                g class={ "line line--" (at + 1) } { path.line__past d=(line) {} }
            }
        }
    }
}

/// The first chart of a sheet as it is at first, for a card.
#[must_use]
pub fn picture(sheet: &Sheet) -> Markup {
    let marks = Marks::default();
    let first = sheet.graphs.first();
    let curve =
        first.and_then(|graph| Some((graph, sheet.draw(graph, &sheet.first(), &marks).ok()?)));
    curve.map_or_else(Markup::default, |(graph, curve)| drawn(graph, &curve, &marks))
}

/// The fallback of an `<in-flight>` that holds a worksheet.
#[must_use]
pub fn fallback(worksheet: &Worksheet, place: Place, root: &str, words: &Words) -> Markup {
    let sheet = &worksheet.sheet;
    let first = AtFirst::of(sheet, words);
    let own = place == Place::OwnPage;
    html! {
        article.exhibit.still."exhibit--wide" aria-label=(sheet.title) {
            header.sign."sign--page"[place != Place::InPaper] {
                @if place == Place::InPaper { h3.sign__title { (title(worksheet)) } }
                @else { h2.sign__title { (title(worksheet)) } }
                p.sign__meta { span { (words.say("sheet.kind")) } }
                p.sign__lesson { (sheet.lesson) }
            }
            div.still-sheet {
                p { (sheet.summary) }
                @for graph in sheet.graphs.iter().take(if own { usize::MAX } else { 1 }) {
                    (first.chart(graph))
                }
                details open[own] {
                    summary { (words.say("sheet.entries")) }
                    (first.entries())
                }
                details open[own] {
                    summary { (words.say("sheet.results")) }
                    (first.results())
                }
                ul {
                    @for line in &sheet.card { li { (line.fill(|place| first.shown(place))) } }
                }
                @if own {
                    ul.still-sheet__says { @for line in &sheet.model { li { (line) } } }
                } @else {
                    p { a href={ (root) "exhibits/" (worksheet.id) "/" } { (words.say("sheet.open")) } }
                }
            }
        }
    }
}

fn title(worksheet: &Worksheet) -> Markup {
    html! {
        span.bullet aria-hidden="true" { (worksheet.line()) } " "
        span { (worksheet.sheet.title) }
    }
}
