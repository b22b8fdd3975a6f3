//! A run as files: the trace and the points of a chart as rows, the scenario as a document.

use course::{Cast, EventKind};
use scenario::wire::{Diagnostic, Value, number_text};
use sim::SimTime;

use super::Session;
use super::chart::points;
use crate::words::Words;

/// The whole run, a row an event: when, what, which message, and the line of the golden files.
#[must_use]
pub fn trace_csv(session: &Session) -> String {
    let (player, mut out) = (session.player(), String::from("seconds,event,message,line\n"));
    let mut line = String::new();
    for event in player.trace() {
        line.clear();
        // A string takes all that is written to it.
        let _ = world::write_trace(&mut line, player.scenario(), std::slice::from_ref(event));
        let (at, rest) = line.trim_end().split_once(' ').unwrap_or(("", ""));
        let message = Cast::of(&event.what).message.map(|message| message.number().to_string());
        let fields =
            [at, EventKind::of(&event.what).word(), message.as_deref().unwrap_or(""), rest];
        put_row(&mut out, fields);
    }
    out
}

/// The scenario as it stands: seed, changes and interventions are in it.
///
/// # Errors
/// What the run's own state cannot be put into.
pub fn scenario_json(session: &Session) -> Result<String, Vec<Diagnostic>> {
    let document = session.run_state().apply(&session.exhibit().document)?;
    let mut out = String::new();
    put_json(&mut out, &document, 0);
    out.push('\n');
    Ok(out)
}

/// The points of a chart: a row for every moment at which a line has a corner.
#[must_use]
pub fn chart_csv(session: &mut Session, words: &Words, chart: usize) -> String {
    let mut out = String::new();
    let exhibit = std::rc::Rc::clone(session.exhibit());
    let Some(of) = exhibit.charts.get(chart) else { return out };
    let first = exhibit.charts[..chart].iter().map(|chart| chart.series.len()).sum();
    let (names, rows) = points(session, words, of, first);
    let mut head = vec![words.text("chart.csv.seconds")];
    head.extend(names);
    put_row(&mut out, head.iter().map(String::as_str));
    for (at, levels) in rows {
        let mut row = vec![seconds(at)];
        row.extend(levels.into_iter().map(number_text));
        put_row(&mut out, row.iter().map(String::as_str));
    }
    out
}

/// A moment as seconds, to the microsecond.
fn seconds(at: SimTime) -> String {
    let micros = at.as_micros();
    let part = (1_000_000 + micros % 1_000_000).to_string();
    [(micros / 1_000_000).to_string().as_str(), ".", &part[1..]].concat()
}

/// A row of fields parted by commas. RFC 4180, section 2: quotes around what holds a comma, a quote
/// or an end of line, and a quote twice.
fn put_row<'a>(out: &mut String, fields: impl IntoIterator<Item = &'a str>) {
    for (place, field) in fields.into_iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        if field.contains([',', '"', '\n', '\r']) {
            out.push('"');
            out.push_str(&field.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(field);
        }
    }
    out.push('\n');
}

/// A value as JSON, a line a field.
fn put_json(out: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(so) => out.push_str(if *so { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&number_text(*number)),
        Value::Text(text) => put_text(out, text),
        Value::List(all) => {
            let each = all.iter().map(|value| (None, value));
            put_all(out, ('[', ']'), each, depth);
        }
        Value::Record(all) => {
            let each = all.iter().map(|(name, value)| (Some(name), value));
            put_all(out, ('{', '}'), each, depth);
        }
    }
}

fn put_all<'a>(
    out: &mut String,
    (open, close): (char, char),
    all: impl ExactSizeIterator<Item = (Option<&'a String>, &'a Value)>,
    depth: usize,
) {
    out.push(open);
    let empty = all.len() == 0;
    for (place, (name, value)) in all.enumerate() {
        out.push_str(if place > 0 { ",\n" } else { "\n" });
        indent(out, depth + 1);
        if let Some(name) = name {
            put_text(out, name);
            out.push_str(": ");
        }
        put_json(out, value, depth + 1);
    }
    if !empty {
        out.push('\n');
        indent(out, depth);
    }
    out.push(close);
}

fn indent(out: &mut String, depth: usize) {
    (0..depth).for_each(|_| out.push_str("  "));
}

/// A text in quotes. RFC 8259, section 7: quotes, backslashes and control characters are escaped.
fn put_text(out: &mut String, text: &str) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                out.push('\\');
                out.push(letter);
            }
            '\n' => out.push_str("\\n"),
            '\0'..='\u{1f}' => {
                let code = letter as usize;
                out.push_str("\\u00");
                out.push(char::from(DIGITS[code >> 4]));
                out.push(char::from(DIGITS[code & 15]));
            }
            _ => out.push(letter),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use course::{Exhibit, read_scenario};
    use player::{Player, Progress};

    use super::*;
    use crate::state::{Act, SLICE};
    use crate::testing::words;

    fn opened(text: &str) -> Session {
        let document: Value = serde_json::from_str(text).expect("JSON");
        let exhibit = Exhibit::read(&document).expect("the exhibit is sound");
        let mut session = Session::open(Rc::new(exhibit));
        while session.compute(SLICE) == Progress::Running {}
        session
    }

    const LIFE: &str = include_str!("../../../crates/course/content/exhibits/event-life.json");
    const FLEET: &str = include_str!("../../../crates/course/content/exhibits/whole-fleet.json");

    #[test]
    fn the_trace_has_a_row_for_every_event() {
        let session = opened(LIFE);
        let csv = trace_csv(&session);
        let rows: Vec<&str> = csv.lines().collect();
        assert_eq!(rows.len(), session.player().trace().len() + 1);
        assert_eq!(rows[0], "seconds,event,message,line");
        let crash = rows.iter().find(|row| row.starts_with("18.4")).expect("the crash");
        assert_eq!(*crash, "18.400000,crashed,5,crashed mailers.1 holding 5");
    }

    #[test]
    fn a_saved_scenario_is_the_run_with_all_that_was_done_to_it() {
        let mut session = opened(LIFE);
        session.act(Act::SetSeed(41));
        session.act(Act::Change {
            pointer: "/components/alerts/visibility_timeout".to_owned(),
            value: Value::text("9s"),
        });
        session.act(Act::Seek(SimTime::from_secs(16)));
        session.act(Act::Break(0));
        while session.compute(SLICE) == Progress::Running {}
        let saved = scenario_json(&session).expect("it can be saved");
        let document: Value = serde_json::from_str(&saved).expect("it is JSON");
        let mut player = Player::new(read_scenario(&document).expect("it is a scenario"));
        player.finish();
        assert_eq!(player.trace(), session.player().trace());
    }

    #[test]
    fn json_is_read_as_it_was_written() {
        let text = r#"{"a":[],"b":{},"c":[1,-2.5,true,null,{"d":"q\"\\ \n\u0007é"}],"e":1e21}"#;
        let value: Value = serde_json::from_str(text).expect("JSON");
        let mut out = String::new();
        put_json(&mut out, &value, 0);
        assert_eq!(serde_json::from_str::<Value>(&out).expect("JSON"), value, "{out}");
    }

    #[test]
    fn fields_with_commas_and_quotes_are_quoted() {
        let mut out = String::new();
        put_row(&mut out, ["a", "b, c", "say \"d\"", ""]);
        assert_eq!(out, "a,\"b, c\",\"say \"\"d\"\"\",\n");
    }

    #[test]
    fn the_points_of_a_chart_are_its_corners() {
        let mut session = opened(FLEET);
        let csv = chart_csv(&mut session, &words(), 1);
        let mut rows = csv.lines();
        assert_eq!(rows.next(), Some("seconds,waiting,crashes"));
        let rows: Vec<Vec<f64>> = rows
            .map(|row| row.split(',').map(|field| field.parse().expect("a number")).collect())
            .collect();
        assert!(rows.len() > 50 && rows.iter().all(|row| row.len() == 3));
        assert!(rows.windows(2).all(|pair| pair[0][0] < pair[1][0]), "by time");
        assert!(rows.iter().any(|row| row[1] > 70.0), "the peak is among them");
    }

    #[test]
    fn the_points_tell_of_the_other_run_and_of_many() {
        let mut session = opened(FLEET);
        session.act(Act::KeepOther);
        session.act(Act::Sweep(3));
        while session.sweep_on(|| true) == Progress::Running {}
        let csv = chart_csv(&mut session, &words(), 1);
        let mut rows = csv.lines();
        let wanted = "waiting,waiting in the other run,\"waiting, mean of 3 runs\",\"waiting, least of nine \
                      runs in ten\",\"waiting, greatest of nine runs in ten\",crashes,";
        let head = rows.next().unwrap_or_default();
        assert!(head.starts_with(&["seconds,", wanted].concat()), "{head}");
        for row in rows {
            let row: Vec<f64> =
                row.split(',').map(|field| field.parse().expect("a number")).collect();
            assert_eq!(row.len(), 11);
            assert!((row[1] - row[2]).abs() < 1e-9, "the other run is the same");
            assert!(row[4] <= row[3] && row[3] <= row[5], "{row:?}");
        }
    }
}
