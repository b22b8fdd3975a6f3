//! What a walk looks like: what it is about, the answers so far, the question or the advice.

use course::tree::{Next, Tree};
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::{Act, App, Walk};
use crate::asked::Asked;
use crate::components::{Nameplate, Page, Sign, icon};
use crate::markup::{Mark, On, el};
use crate::study::{Shell, Shown, watched};

/// The whole tree, or why there is none.
pub fn view(app: &App, ctx: &Context<App>) -> Html {
    let on = ctx.link().callback(std::convert::identity);
    let Shell { words, settings, .. } = &app.shell;
    let title = app.walk.as_ref().map_or("", |walk| walk.tree().title.as_str());
    let page = Page { words, on: &on, level: settings.level, title };
    let Some(walk) = &app.walk else { return app.shell.unread(&page) };
    let tree = walk.tree();
    let kind = page.text("tree.kind");
    let plate = Nameplate::within(&tree.module, title, &kind);
    let body =
        el("section", "q").with(about(&page, walk)).with(path(&page, walk)).with(here(&page, walk));
    let run = watched(words, settings, &page, &tree.stages, walk.watched.as_ref());
    app.shell.frame(&page, &plate, [body.html(), run]).html()
}

fn act(page: &Page, class: &'static str, act: Act) -> Mark {
    page.ask(class, Asked::Tree(act))
}

/// What the walk is about: an example of the tree, or one's own.
fn about(page: &Page, walk: &Walk) -> Mark {
    let none = walk.with.is_none();
    let own = el("option", "").when(none, "selected", "selected").say(page.words, "tree.own");
    let each = walk.tree().examples.iter().enumerate().map(|(at, example)| {
        let here = walk.with == Some(at);
        el("option", "").when(here, "selected", "selected").text(&example.say).html()
    });
    let select = el("select", "")
        .on(On::Change, page.on, |event| {
            Some(Asked::Tree(Act::With(chosen(event)?.checked_sub(1))))
        })
        .with(own)
        .all(each);
    let field = el("label", "field").with(el("span", "").say(page.words, "tree.with")).with(select);
    let name = none.then(|| {
        let input = el("input", "")
            .set("type", "text")
            .set("maxlength", "80")
            .value(walk.own.clone())
            .on(On::Input, page.on, |event| Some(Asked::Tree(Act::Name(typed(event)))));
        el("label", "field").with(el("span", "").say(page.words, "tree.name")).with(input)
    });
    el("div", "walk__about").with(field).with(name)
}

fn chosen(event: &Event) -> Option<usize> {
    let select = event.target()?.dyn_into::<HtmlSelectElement>().ok()?;
    usize::try_from(select.selected_index()).ok()
}

fn typed(event: &Event) -> String {
    let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    input.map(|input| input.value()).unwrap_or_default()
}

/// The answers so far, each with its way back.
fn path(page: &Page, walk: &Walk) -> Mark {
    let parted = walk.parted();
    let steps = walk.steps().into_iter().enumerate().map(|(at, (ask, say))| {
        let back = act(page, "walk__back", Act::Back(at))
            .set("aria-label", page.words.say("tree.back", &[("ask", ask)]))
            .say(page.words, "tree.change");
        let class = if parted == Some(at) { "walk__step is-parted" } else { "walk__step" };
        el("li", class)
            .with(el("span", "").text(ask.to_owned()))
            .text(" ")
            .with(el("b", "").text(say.to_owned()))
            .text(" ")
            .with(back)
    });
    el("ol", "walk").set("aria-label", page.text("tree.path")).list(steps)
}

/// The question, or the advice.
fn here(page: &Page, walk: &Walk) -> Mark {
    match walk.at() {
        Next::Fork(fork) => {
            let fork = &walk.tree().forks[fork];
            let answers =
                fork.answers.iter().enumerate().map(|(at, (say, _))| {
                    act(page, "btn btn--ink", Act::Answer(at)).text(say.clone())
                });
            el("div", "walk__here")
                .set("role", "group")
                .set("aria-labelledby", "tree-ask")
                .with(el("p", "q__ask").set("id", "tree-ask").text(&fork.ask))
                .with(fork.help.as_ref().map(|help| el("p", "q__how").text(help)))
                .with(el("div", "result__acts").list(answers))
        }
        Next::End(end) => advice(page, walk, end),
    }
}

fn advice(page: &Page, walk: &Walk, at: usize) -> Mark {
    let tree: &Tree = walk.tree();
    let end = &tree.ends[at];
    let said = walk.example().map(|example| {
        let key = if example.end == at { "tree.same" } else { "tree.other" };
        let advised = &tree.ends[example.end].advise;
        let head = page.words.say(key, &[("what", &example.say), ("advice", advised)]);
        let class = if example.end == at { "walk__said" } else { "walk__said is-parted" };
        el("div", class).with(el("p", "").with(el("b", "").text(head)).text(" ").text(&example.why))
    });
    let otherwise = walk.example().and_then(|example| example.otherwise.as_ref());
    let otherwise = otherwise.map(|otherwise| {
        let run = otherwise.run.as_ref().map(Shown::evidence);
        el("div", "walk__otherwise")
            .with(el("b", "").say(page.words, "tree.otherwise"))
            .with(el("p", "").text(&otherwise.say))
            .with(run.map(|shown| watch(page, walk, shown)))
    });
    let run = end.run.as_ref().map(Shown::evidence);
    el("div", "walk__here")
        .with(
            el("p", "walk__end")
                .with(el("span", "plate").say(page.words, "tree.end"))
                .with(el("b", "").text(&end.advise)),
        )
        .with(el("p", "").text(&end.because))
        .with(run.map(|shown| watch(page, walk, shown)))
        .with(said)
        .with(otherwise)
        .with(
            el("div", "result__acts")
                .with(act(page, "btn btn--ink", Act::Back(0)).say(page.words, "tree.again"))
                .with(
                    act(page, "btn btn--quiet", Act::Copy)
                        .with(icon(Sign::Link))
                        .with(el("span", "").say(page.words, "tree.copy")),
                ),
        )
}

fn watch(page: &Page, walk: &Walk, shown: Shown) -> Mark {
    let open = walk.watched.as_ref() == Some(&shown);
    let (key, sign) = if open { ("quiz.unwatch", Sign::Close) } else { ("quiz.watch", Sign::Play) };
    let does = if open { Act::Unwatch } else { Act::Watch(shown) };
    act(page, "btn btn--small", does).with(icon(sign)).with(el("span", "").say(page.words, key))
}
