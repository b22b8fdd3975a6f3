//! What is kept as a file: runs, scenarios, charts and views.

use web_sys::Element;
use yew::NodeRef;

use super::app::App;
use crate::asked::{Form, Save};
use crate::browser::{self, Content, Handed};
use crate::state::{Session, chart_csv, scenario_json, trace_csv};

/// A file that was handed over.
pub struct Kept {
    /// Its name.
    pub name: String,
    /// What keeps it in memory.
    pub handed: Handed,
}

/// Makes a file and hands it to the browser.
///
/// # Errors
/// Why there is none.
#[inline(never)]
pub fn save(app: &App, session: &mut Session, what: Save, form: Form) -> Result<Kept, String> {
    let (content, kind) = match form {
        Form::Csv => (Content::Text(rows(app, session, what)), "text/csv"),
        Form::Json => {
            let json = scenario_json(session).map_err(|wrong| {
                wrong.first().map_or_else(String::new, |first| first.problem.clone())
            })?;
            (Content::Text(json), "application/json")
        }
        Form::Svg => (Content::Text(drawing(app, session, what)?.to_svg()), "image/svg+xml"),
        Form::Png => (Content::Bytes(browser::png(&drawing(app, session, what)?)?), "image/png"),
    };
    let name = name(session, what, form);
    let handed = browser::hand_over(&name, kind, content)?;
    Ok(Kept { name, handed })
}

fn rows(app: &App, session: &mut Session, what: Save) -> String {
    match what {
        Save::Chart(number) => chart_csv(session, &app.words, number),
        Save::Trace | Save::Scenario | Save::View => trace_csv(session),
    }
}

/// What is seen of a chart or of the view. What a canvas shows while the run plays is put into the
/// picture.
fn drawing(app: &App, session: &Session, what: Save) -> Result<crate::picture::Picture, String> {
    app.stage.borrow_mut().paint(session.now(), None);
    let place = match what {
        Save::Chart(number) => app.places.chart(number).and_then(|plot| around(plot, "figure")),
        Save::Trace | Save::Scenario | Save::View => around(app.places.anchor(), ".exhibit")
            .and_then(|all| all.query_selector(".exhibit__stage").ok().flatten()),
    };
    browser::picture(&place.ok_or("it is not on the page")?)
}

fn around(place: &NodeRef, selector: &str) -> Option<Element> {
    place.cast::<Element>()?.closest(selector).ok().flatten()
}

/// "the-hot-lane-trace.csv".
fn name(session: &Session, what: Save, form: Form) -> String {
    let mut name = String::new();
    for letter in session.exhibit().title.chars() {
        if letter.is_ascii_alphanumeric() {
            name.push(letter.to_ascii_lowercase());
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    let name = name.trim_matches('-');
    let what = match what {
        Save::Trace => "trace".to_owned(),
        Save::Scenario => "scenario".to_owned(),
        Save::View => "view".to_owned(),
        Save::Chart(number) => ["chart-", &(number + 1).to_string()].concat(),
    };
    let form = match form {
        Form::Csv => "csv",
        Form::Json => "json",
        Form::Svg => "svg",
        Form::Png => "png",
    };
    [name, "-", &what, ".", form].concat()
}
