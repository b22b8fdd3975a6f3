//! Many runs: how many one asks for, how far they are, and what came of them in words.

use player::Progress;
use yew::Html;

use super::Page;
use super::icon::Sign;
use crate::asked::Asked;
use crate::markup::{Mark, el};
use crate::state::{Act, COUNTS, ManyShown};

/// What can be asked for, and what came of it.
#[inline(never)]
pub fn many(page: &Page, shown: Option<&ManyShown>) -> Html {
    let title = || el("b", "").say(page.words, "many.title");
    let body = match shown {
        None => start(page),
        Some(shown) => el("div", "many__body").with(progress(page, shown)).with(said(page, shown)),
    };
    el("div", "many many--runs")
        .set("role", "group")
        .set("aria-label", page.text("many.title"))
        .with(title())
        .with(body)
        .html()
}

fn start(page: &Page) -> Mark {
    let buttons = COUNTS.into_iter().map(|count| {
        let n = page.words.number(u64::from(count));
        let label = page.words.say("many.count", &[("n", &n)]);
        page.act("btn btn--small", Act::Sweep(count)).text(label)
    });
    el("div", "many__body")
        .with(el("p", "").say(page.words, "many.lead"))
        .with(el("div", "many__keys").list(buttons))
}

/// How far it is, with a way to end it; then a way to put it away.
fn progress(page: &Page, shown: &ManyShown) -> Mark {
    let [done, count] = [shown.done, shown.count].map(|n| page.words.number(u64::from(n)));
    let key = |sign, label, act| page.signed("btn btn--small", sign, label, Asked::Act(act));
    let runs = page.words.say("many.progress", &[("done", &done), ("count", &count)]);
    let keys = el("div", "many__keys");
    if shown.progress == Progress::Done {
        return keys.with(key(Sign::Close, "many.drop", Act::DropSweep));
    }
    let bar = el("progress", "")
        .set("max", shown.count.to_string())
        .set("value", shown.done.to_string())
        .set("aria-label", page.text("many.title"));
    keys.with(key(Sign::Close, "many.cancel", Act::StopSweep))
        .with(bar)
        .with(el("span", "many__count").text(runs))
}

fn said(page: &Page, shown: &ManyShown) -> Option<Mark> {
    if shown.sentences.is_empty() {
        return None;
    }
    let n = page.words.number(u64::from(shown.done));
    let lead = page.words.say("many.seeds", &[("n", &n)]);
    let list = shown.sentences.iter().map(|said| el("li", "").text(said));
    let bands = || el("p", "many__note").say(page.words, "many.bands");
    let found = el("div", "many__found")
        .with(el("p", "").text(lead))
        .with(el("ul", "").list(list))
        .with((shown.bands > 0).then(bands));
    Some(found)
}
