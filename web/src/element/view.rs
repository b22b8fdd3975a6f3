//! What the application looks like: the parts of the page, each given its share of the session.

use std::rc::Rc;

use course::View;
use player::MessageState;
use scenario::{Kind, Queue};
use sim::{SimDuration, SimTime};
use wasm_bindgen::JsCast;
use yew::prelude::*;

use super::app::App;
use super::compare;
use super::predict;
use super::views::{self, ViewPlaces};
use crate::asked::Asked;
use crate::browser;
use crate::components::{
    Acts, Charts, Controls, Glyph, GoesOn, KEYS, LifeStrip, More, Nameplate, Page, PlayerBar,
    ProgramList, Reach, Scene, Scrub, ScrubPlaces, Shown, Transcript, controls, gauges, grain,
    inspector, keep, keys, legend, many, matrix, notices, percent, saves, shift, sign_plate, tabs,
    traces,
};
use crate::map;
use crate::markup::{Mark, On, el};
use crate::state::{
    self, Inspected, Session, Strip, beat_at, card, changed, depth_area, dials, lines, marks,
    next_after, offers, place, readings, scene, span, strip, takes, values,
};
use crate::words::{Words, clock};

/// Where the things are that move between two events.
#[derive(Clone, Debug, Default)]
pub struct Places {
    scrub: ScrubPlaces,
    clock: NodeRef,
    gauges: Vec<NodeRef>,
    charts: Vec<NodeRef>,
    acts: NodeRef,
    life_head: NodeRef,
    life_veil: NodeRef,
    /// Those of the views beside the map.
    pub views: ViewPlaces,
    /// The list of the transcript.
    pub transcript: NodeRef,
    /// The list of a handler's lines.
    pub program: NodeRef,
}

impl Places {
    /// Places for an exhibit with so many gauges and charts.
    #[must_use]
    pub fn new(gauges: usize, charts: usize) -> Places {
        // One each: a clone of a reference would be the same reference.
        let each = |n: usize| (0..n).map(|_| NodeRef::default()).collect();
        Places { gauges: each(gauges), charts: each(charts), ..Places::default() }
    }

    /// The box of a chart.
    #[must_use]
    pub fn chart(&self, number: usize) -> Option<&NodeRef> {
        self.charts.get(number)
    }

    /// Something that is on the page whenever an exhibit is.
    #[must_use]
    pub fn anchor(&self) -> &NodeRef {
        &self.transcript
    }

    /// Puts what stands still at a moment of the run there.
    pub fn put_marks(&self) {
        browser::put_marks(&self.scrub.whole);
    }

    /// Puts each of them where it is now.
    pub fn paint(&self, session: &mut Session, words: &Words) {
        let (now, end) = (session.now(), session.end());
        let at = clock(now);
        for place in self.charts.iter().chain([&self.scrub.whole]) {
            browser::set_style(place, "--pos", &percent(now, end));
        }
        for place in [&self.scrub.clock, &self.clock, &self.acts] {
            browser::set_text(place, &at);
        }
        if session.view() != View::Topology {
            self.views.paint(now);
        }
        browser::set_value(&self.scrub.input, &grain(now, end).to_string(), &at);
        for (place, value) in self.gauges.iter().zip(values(session, words)) {
            browser::set_text(place, &value);
        }
        if let Some(span) = session.life().and_then(span) {
            let (head, veil) = (Strip::head(now, span), place(now, span));
            browser::set_attribute(&self.life_head, "transform", &shift(head));
            browser::set_attribute(&self.life_veil, "transform", &shift(veil));
        }
    }
}

/// The whole exhibit, or why there is none.
pub fn view(app: &App, ctx: &Context<App>) -> Html {
    let on = ctx.link().callback(std::convert::identity);
    let exhibit = app.session.as_ref().map(|session| Rc::clone(session.borrow().exhibit()));
    let title = exhibit.as_ref().map_or("", |exhibit| exhibit.title.as_str());
    let page = Page { words: &app.words, on: &on, level: app.settings.level, title };
    let (Some(session), Some(exhibit)) = (&app.session, &exhibit) else {
        return notices(&page, &app.broken, GoesOn::No);
    };
    let session = &mut *session.borrow_mut();
    let shows = Shows { app, page: &page, state: state_words(app, session) };
    let label = app.settings.label.as_ref();
    let id = title_id(&exhibit.title);
    let page_of = el("article", app.settings.frame.class())
        .maybe("aria-label", label)
        .maybe("aria-labelledby", label.is_none().then_some(&id))
        .set("tabindex", "-1")
        .on(On::Key, &on, |event| Some(Asked::Key(event.clone().unchecked_into())));
    let main = el("div", "exhibit__main")
        .with(shows.traces(session, Side::AboveTheMap))
        .with(shows.tabs(session, &id))
        .with(shows.stage(session))
        .with(el("p", "exhibit__words").text(&shows.state))
        .with(shows.predict(session))
        .with(shows.player(session))
        .with(app.keys_open.then(|| keys(&page)))
        .with(gauges(&page, &readings(session, &app.words), &app.places.gauges))
        .with(shows.matrix(session))
        .with(shows.compare(session))
        .with(shows.traces(session, Side::BelowTheMap))
        .with(shows.charts(session))
        .with(shows.many(session));
    let side = el("aside", "exhibit__side")
        .with(card(session, &app.words).map(|card| inspector(&page, &card)))
        .with(shows.transcript(session));
    let named = session.keys(KEYS);
    let is_timed = |queue: &Queue| queue.visibility().is_some_and(|time| time > SimDuration::ZERO);
    let timed = session
        .names()
        .scenario()
        .components
        .iter()
        .any(|it| matches!(&it.kind, Kind::Queue(queue) if is_timed(queue)));
    page_of
        .with(sign_plate(&page, &Nameplate::of(exhibit), app.settings.frame, id.clone()))
        .with(notices(&page, session.notices(), GoesOn::Yes))
        .with(shows.scene(session))
        .with(el("div", "exhibit__body").with(main).with(side))
        .with(shows.life(session))
        .with(shows.acts(session))
        .with(legend(&page, &named, timed))
        .with(el("p", "visually-hidden").set("role", "status").text(&app.spoken))
        .html()
}

/// An id for the heading, unlike those of other exhibits in one document without a shadow root.
fn title_id(title: &str) -> String {
    let letters = title.chars().filter(char::is_ascii_alphanumeric);
    ["title-", &letters.collect::<String>().to_ascii_lowercase()].concat()
}

fn state_words(app: &App, session: &mut Session) -> String {
    let (names, frame) = (session.names().clone(), Rc::clone(session.frame()));
    scene(&app.words, &names, &frame, session.life())
}

/// On which side of the map a view is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    AboveTheMap,
    BelowTheMap,
}

/// What the parts are drawn from.
struct Shows<'a> {
    app: &'a App,
    page: &'a Page<'a>,
    /// The scene in words.
    state: String,
}

impl Shows<'_> {
    fn charts(&self, session: &mut Session) -> Html {
        if session.exhibit().charts.is_empty() {
            return Html::default();
        }
        let read = self.app.read;
        let charts = Charts {
            charts: &state::charts(session, &self.app.words),
            places: &self.app.places.charts,
            end: session.end(),
            read: read
                .and_then(|(chart, place)| state::read_out(session, &self.app.words, chart, place)),
        };
        charts.draw(self.page)
    }

    /// The question before the run, if the exhibit has one and shows its player.
    fn predict(&self, session: &Session) -> Option<Mark> {
        if self.app.settings.controls == Controls::None || session.prediction().is_none() {
            return None;
        }
        predict::predict(self.page, session)
    }

    /// Many runs: once More is open, for a run that depends on chance; and as long as there are some.
    fn many(&self, session: &Session) -> Html {
        if !self.app.more_open && !session.has_sweep() {
            return Html::default();
        }
        let shown = state::many(session, self.page.words);
        if shown.is_none() && !session.draws() {
            return Html::default();
        }
        many(self.page, shown.as_ref())
    }

    /// The crash matrix: where the exhibit has it among its views, else once More is open; and as
    /// long as there is one.
    fn matrix(&self, session: &Session) -> Html {
        let is_offered = self.app.more_open || session.exhibit().views.contains(&View::Matrix);
        if session.has_matrix() || is_offered && session.can_crash() {
            matrix(self.page, state::matrix(session, self.page.words).as_ref())
        } else {
            Html::default()
        }
    }

    /// The two runs beside each other, or a way to keep one once More is open.
    fn compare(&self, session: &mut Session) -> Html {
        let stage = &mut *self.app.other_stage.borrow_mut();
        if session.other().is_none() {
            *stage = None;
            return if self.app.more_open { keep(self.page) } else { Html::default() };
        }
        compare::compare(self.page, session, stage.get_or_insert_default())
    }

    /// The traces, if the exhibit has them on this side of the map.
    fn traces(&self, session: &Session, side: Side) -> Html {
        let place = |view| session.exhibit().views.iter().position(|it| *it == view);
        let Some(own) = place(View::Traces) else { return Html::default() };
        let above = place(View::Topology).is_some_and(|map| own < map);
        if above != (side == Side::AboveTheMap) {
            return Html::default();
        }
        traces(self.page, &state::traces(session, &self.app.words))
    }

    fn scene(&self, session: &Session) -> Mark {
        let (now, beats) = (session.now(), session.beats());
        let beat = beat_at(beats, now);
        let reach = |there: bool| if there { Reach::Open } else { Reach::Ended };
        // Before its first beat, or without any, a run has begun all the same.
        let keys = if now > SimTime::ZERO {
            ("scene.untold", "scene.untold.say")
        } else {
            ("scene.start", "scene.start.say")
        };
        let start = (self.page.text(keys.0), self.page.text(keys.1));
        let (title, say) = beat.map_or((&start.0, &start.1), |beat| (&beat.title, &beat.say));
        let scene = Scene {
            beat: beat.map(|beat| beat.number),
            title,
            say,
            has_previous: reach(now > SimTime::ZERO),
            has_next: reach(next_after(beats, now).is_some()),
        };
        scene.draw(self.page)
    }

    /// The choice of a view, where there is one.
    fn tabs(&self, session: &Session, id: &str) -> Option<Mark> {
        let views = session.views();
        (views.len() > 1).then(|| tabs(self.page, id, &views, session.view()))
    }

    fn stage(&self, session: &mut Session) -> Mark {
        if session.view() != View::Topology
            && let Some(view) = views::chosen(self.app, self.page, session)
        {
            return el("div", "exhibit__stage exhibit__stage--view").with(view);
        }
        let selected = match session.inspected() {
            Some(Inspected::Component(component)) => Some(component),
            _ => None,
        };
        let shown = map::Shown {
            frame: session.frame(),
            words: self.page.words,
            label: &self.state,
            followed: session.followed(),
            selected,
            reorder: session.reorderable(),
        };
        let stage = &mut *self.app.stage.borrow_mut();
        stage.plan(session.names(), self.page.words);
        stage.draw(&shown, self.page.on)
    }

    fn player(&self, session: &mut Session) -> Html {
        let app = self.app;
        let scrub = Scrub {
            end: session.end(),
            now: session.now(),
            marks: marks(session, &app.words),
            depth: depth_area(session),
            places: &app.places.scrub,
        };
        let player = PlayerBar {
            scrub,
            playing: session.playing(),
            speed: session.speed(),
            seed: session.player().scenario().seed,
            said: &app.said,
            changed: changed(session, &app.words),
            controls: app.settings.controls,
            clock: &app.places.clock,
        };
        player.draw(self.page)
    }

    fn transcript(&self, session: &Session) -> Mark {
        let (before, after) = self.app.window;
        let shown = lines(session, self.page.words, before, after);
        let more = |there: bool| if there { More::Yes } else { More::No };
        let transcript = Transcript {
            lines: &shown.lines,
            past: shown.past,
            earlier: more(shown.earlier),
            later: more(shown.later),
            total: session.player().trace().len(),
            filter: session.filter(),
            followed: session.followed(),
            place: &self.app.places.transcript,
        };
        self.app.line.set((transcript.now(), transcript.filter));
        transcript.draw(self.page)
    }

    fn life(&self, session: &mut Session) -> Mark {
        let (names, now) = (session.names().clone(), session.now());
        let followed = session.followed();
        let (drawn, reached) = match session.life() {
            Some(life) => (strip(self.page.words, &names, life, now), life.reached_a_broker()),
            None => (Strip::default(), true),
        };
        let shown = followed.map(|message| (message, session.key_of(message)));
        let glyph = shown.map(|(message, key)| Glyph {
            state: session.frame().message(message).map_or(MessageState::Acked, |m| m.state),
            key,
        });
        let strip = LifeStrip {
            message: followed,
            glyph,
            key_number: shown.map_or(0, |(_, key)| key),
            carries: carries(session),
            receives: if reached { self.receives(session.receives()) } else { String::new() },
            strip: drawn,
            now,
            head: &self.app.places.life_head,
            veil: &self.app.places.life_veil,
        };
        strip.draw(self.page)
    }

    /// "received 1 of 5 times".
    fn receives(&self, (times, of): (u32, Option<u32>)) -> String {
        let n = self.page.words.number(u64::from(times));
        match of {
            Some(of) => {
                let of = self.page.words.number(u64::from(of));
                self.page.words.say("life.receives.of", &[("n", &n), ("of", &of)])
            }
            None => self.page.words.count("life.receives", u64::from(times), &[]),
        }
    }

    fn acts(&self, session: &mut Session) -> Html {
        let (app, page) = (self.app, self.page);
        if app.settings.controls == Controls::None {
            return Html::default();
        }
        let dials = dials(session, page.words);
        let lines = session.program();
        let more = if app.more_open { Shown::Yes } else { Shown::No };
        let saga = session.reorders_saga();
        let acts = Acts {
            now: session.now(),
            place: &app.places.acts,
            offers: offers(session, page.words),
            takes: takes(session, page.words),
            more,
        };
        let mut all = vec![acts.draw(page)];
        // The order of a saga's steps is what its exhibit is about, and not to be had on the map.
        if more == Shown::Yes || saga {
            let title = if saga { "program.title.saga" } else { "program.title" };
            let place = &app.places.program;
            all.push(ProgramList { title, lines: &lines, held: app.held, place }.draw(page));
        }
        if more == Shown::Yes {
            all.insert(1, controls(page, &dials));
            all.push(saves(page).html());
        }
        Html::from_iter(all)
    }
}

/// The first few fields of the followed message, in short.
fn carries(session: &Session) -> String {
    let carried = session.followed().map(|message| session.carries(message)).unwrap_or_default();
    carried.into_iter().take(4).map(|(_, value)| value).collect::<Vec<_>>().join(" · ")
}
