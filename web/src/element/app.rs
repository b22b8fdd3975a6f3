//! The application in one element: a session, and everything that happens to it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use course::Exhibit as Course;
use js_sys::Object;
use player::Progress;
use scenario::wire::Diagnostic;
use yew::prelude::*;

use super::answer::{Answer, wrong_thing};
use super::crew::Crew;
use super::pace::Pace;
use super::predict;
use super::saves;
use super::settings::{Autoplay, Settings, complaint};
use super::view::{self, Places};
use crate::asked::{Asked, Form, Save};
use crate::browser::{self, Copied, Handed, Heard, Host, Later, Telling, Ticker, now_ms};
use crate::components::{Controls, focus_held, keep_in_sight};
use crate::map::Stage;
use crate::state::{Act, Filter, Motion, Playing, Response, SLICE, Session, Ticked, changed};
use crate::words::Words;

/// The live region is given at most one phrase in so many milliseconds.
const PHRASE_MS: f64 = 2_000.0;

/// Lines of the transcript before and after the playhead, at first and by each "more".
const LINES: (usize, usize) = (24, 16);

/// What an element is made from.
#[derive(Clone, Debug, Properties)]
pub struct AppProps {
    /// The catalogue.
    pub words: Words,
    /// The exhibit, or what is wrong with it.
    pub exhibit: Result<Rc<Course>, Vec<Diagnostic>>,
    /// The element's attributes.
    pub settings: Settings,
    /// What was wrong with them.
    pub wrong: Vec<Diagnostic>,
    /// Where events go.
    pub host: Host,
    /// All that the element was mounted with; nothing where no browser is.
    pub config: Option<Object>,
}

impl PartialEq for AppProps {
    /// An element is made from its properties once; later changes come as messages.
    fn eq(&self, _: &AppProps) -> bool {
        true
    }
}

/// The application in one element.
pub struct App {
    pub(super) words: Words,
    pub(super) settings: Settings,
    pub(super) session: Option<RefCell<Session>>,
    pub(super) broken: Vec<Diagnostic>,
    pub(super) places: Places,
    /// What is said under the player until the next act.
    pub(super) said: String,
    /// What the live region holds.
    pub(super) spoken: String,
    pub(super) keys_open: bool,
    pub(super) more_open: bool,
    /// The chart that is being read, and at which of its places.
    pub(super) read: Option<(usize, u32)>,
    /// The file that was handed over last: the browser may still be reading it.
    kept: Option<Handed>,
    pub(super) window: (usize, usize),
    pub(super) stage: RefCell<Stage>,
    /// The map of the run that this one is compared with.
    pub(super) other_stage: RefCell<Option<Box<Stage>>>,
    /// The line of the handler's list that is in hand.
    pub(super) held: Option<usize>,
    /// The line of the transcript that was last drawn as the current one, and among which.
    pub(super) line: Cell<(Option<usize>, Filter)>,
    /// The one that was last kept in sight.
    seen: Option<(Option<usize>, Filter)>,
    /// The line in hand has just been taken or moved: the focus goes with it.
    moved: bool,
    /// Where the focus goes when what had it is gone, as selectors within the exhibit.
    focus: Option<&'static [&'static str]>,
    host: Host,
    ticker: Option<Ticker>,
    computing: Option<Later>,
    pub(super) sweeping: Option<Later>,
    /// Those who compute some of many runs.
    pub(super) crew: Option<Box<Crew>>,
    /// When results of many runs were last drawn.
    pub(super) swept_at: f64,
    waiting: Option<(String, Option<Later>)>,
    spoken_at: f64,
    /// When it was drawn.
    pace: Pace,
}

impl Component for App {
    type Message = Asked;
    type Properties = AppProps;

    fn create(ctx: &Context<App>) -> App {
        let props = ctx.props();
        let (session, broken) = match &props.exhibit {
            Ok(exhibit) => (Some(RefCell::new(Session::open(Rc::clone(exhibit)))), Vec::new()),
            Err(wrong) => (None, wrong.clone()),
        };
        let sizes = |exhibit: &Rc<Course>| (exhibit.gauges.len(), exhibit.charts.len());
        let (gauges, charts) = props.exhibit.as_ref().map_or((0, 0), sizes);
        let mut app = App {
            words: props.words.clone(),
            settings: props.settings.clone(),
            session,
            broken,
            places: Places::new(gauges, charts),
            said: String::new(),
            spoken: String::new(),
            keys_open: false,
            more_open: false,
            read: None,
            kept: None,
            window: LINES,
            stage: RefCell::new(Stage::new(props.config.is_some())),
            other_stage: RefCell::default(),
            held: None,
            line: Cell::new((None, Filter::All)),
            seen: None,
            moved: false,
            focus: None,
            host: props.host.clone(),
            ticker: None,
            computing: None,
            sweeping: None,
            crew: None,
            swept_at: f64::MIN,
            waiting: None,
            spoken_at: f64::MIN,
            pace: Pace::default(),
        };
        app.begin(ctx);
        app
    }

    fn update(&mut self, ctx: &Context<App>, asked: Asked) -> bool {
        let drawn = match asked {
            Asked::Tick(ms) => self.tick(ctx, ms),
            Asked::Compute => {
                self.computing = None;
                let session = self.session.as_mut().map(RefCell::get_mut);
                session.is_some_and(|session| session.compute(SLICE) == Progress::Done)
            }
            Asked::Sweep => self.sweep_on(ctx),
            Asked::Crew(turn, hand, word) => self.hear_crew(ctx, turn, hand, word),
            Asked::Act(act) => self.act(ctx, act),
            Asked::Key(event) => self.key(ctx, &event),
            Asked::AnotherSeed => self.act(ctx, Act::SetSeed(browser::propose_seed())),
            Asked::Link => self.link(ctx),
            Asked::Copied(copied, link) => {
                let (key, short) = match copied {
                    Copied::Yes => ("said.link", "said.link.short"),
                    Copied::No => ("said.link.by_hand", "said.link.by_hand.short"),
                };
                self.said = self.words.say(key, &[("link", &link)]);
                self.speak(ctx, self.words.text(short));
                true
            }
            Asked::Keys => {
                self.keys_open = !self.keys_open;
                true
            }
            Asked::More => {
                self.more_open = !self.more_open;
                true
            }
            Asked::Read(chart, place) => self.read.replace((chart, place)) != Some((chart, place)),
            Asked::Save(what, form) => self.save(ctx, what, form),
            Asked::Lines => {
                self.window = (self.window.0 + LINES.0, self.window.1 + LINES.1);
                true
            }
            Asked::Hold(line) => {
                self.hold(line);
                true
            }
            Asked::Move { from, to, then } => {
                self.hold(then);
                self.act(ctx, Act::Reorder { from, to })
            }
            Asked::All(all) => {
                for asked in all {
                    Component::update(self, ctx, asked);
                }
                true
            }
            Asked::Say(phrase) => {
                self.speak(ctx, phrase);
                true
            }
            Asked::Speak => {
                if let Some((phrase, _)) = self.waiting.take() {
                    self.speak_now(phrase);
                }
                true
            }
            Asked::Set(name, value) => self.set(ctx, &name, value.as_deref()),
            // A run is asked nothing of that kind.
            Asked::Quiz(_) | Asked::Tree(_) | Asked::Sheet(_) => false,
        };
        self.keep_time(ctx);
        self.keep_computing(ctx);
        self.keep_sweeping(ctx);
        drawn
    }

    fn view(&self, ctx: &Context<App>) -> Html {
        view::view(self, ctx)
    }

    fn rendered(&mut self, ctx: &Context<App>, first: bool) {
        self.stage.get_mut().settle();
        if let Some(stage) = self.other_stage.get_mut() {
            stage.settle();
        }
        self.paint();
        self.places.put_marks();
        // Whoever puts marks has the page laid out, which is part of what a picture costs.
        self.pace.drawn(now_ms());
        let line = self.line.get();
        if self.seen.replace(line) != Some(line) {
            keep_in_sight(&self.places.transcript);
        }
        if let Some(selectors) = self.focus.take() {
            predict::put_focus(self.places.anchor(), selectors);
        }
        if std::mem::take(&mut self.moved) {
            focus_held(&self.places.program);
        }
        if first {
            self.tell_ready(ctx);
            self.keep_time(ctx);
            self.keep_computing(ctx);
        }
    }
}

impl App {
    /// What the attributes ask for at the beginning.
    fn begin(&mut self, ctx: &Context<App>) {
        for wrong in &ctx.props().wrong {
            self.act(ctx, Act::Complain(wrong.clone()));
        }
        let settings = self.settings.clone();
        let Some(session) = &mut self.session else { return };
        let session = session.get_mut();
        session.show_motion(motion(&settings));
        if let Some(speed) = settings.speed {
            session.act(Act::SetSpeed(speed));
        }
        if let Some(run) = settings.run {
            self.act(ctx, Act::Restore(run));
        }
        if let Some(seed) = settings.seed {
            self.act(ctx, Act::SetSeed(seed));
        }
        if let Some(step) = settings.step {
            self.begin_at_beat(ctx, step);
        }
        if settings.autoplay == Autoplay::On {
            self.act(ctx, Act::Play);
        }
        self.said.clear();
    }

    pub(super) fn begin_at_beat(&mut self, ctx: &Context<App>, step: usize) {
        let Some(session) = &self.session else { return };
        let at = session.borrow().beats().get(step - 1).map(|beat| beat.at);
        match at {
            Some(at) => {
                self.act(ctx, Act::Seek(at));
            }
            None => {
                let repair = "use the number of a beat that the story has";
                let wrong = complaint("step", &step.to_string(), repair);
                self.act(ctx, Act::Complain(wrong));
            }
        }
    }

    /// Takes a line of the handler's list in hand, or puts it down.
    fn hold(&mut self, line: Option<usize>) {
        self.moved = line.is_some() && line != self.held;
        self.held = line;
    }

    /// Whether the exhibit asks a question before it is played.
    fn has_question(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.borrow().prediction().is_some())
    }

    /// Does something to the session, and whatever follows from it.
    pub(super) fn act(&mut self, ctx: &Context<App>, act: Act) -> bool {
        let shows = self.settings.controls != Controls::None;
        if act == Act::Toggle && shows && self.has_question() && self.ask_first(ctx) {
            return true;
        }
        let Some(session) = &mut self.session else { return false };
        if act.moves_focus() {
            self.focus = predict::focus_after(&act).or(self.focus);
        }
        let remakes = act.remakes();
        let responses = session.get_mut().act(act);
        self.said.clear();
        let changed = if remakes { changed(session.get_mut(), &self.words) } else { None };
        self.answer(ctx, responses, changed);
        true
    }

    fn tick(&mut self, ctx: &Context<App>, ms: f64) -> bool {
        let Some(session) = &mut self.session else { return false };
        match session.get_mut().tick(ms) {
            Ticked::Still => false,
            Ticked::Moved => self.draw_or_paint(),
            Ticked::Passed(responses) => {
                // A beat, or the end: that is waited for.
                let told = !responses.is_empty() || session.get_mut().playing() == Playing::No;
                self.pace.owe();
                self.answer(ctx, responses, None);
                told || self.draw_or_paint()
            }
        }
    }

    /// Whether the picture is drawn anew. If not, what moves in it is moved.
    fn draw_or_paint(&mut self) -> bool {
        let due = self.pace.is_due(now_ms());
        if !due {
            self.paint();
        }
        due
    }

    /// Says and tells what came of something. What a learner did is also said in writing; what it
    /// has changed is said after it.
    fn answer(&mut self, ctx: &Context<App>, responses: Vec<Response>, changed: Option<String>) {
        let Some(session) = &self.session else { return };
        let answer = Answer::to(&self.words, &session.borrow(), responses);
        self.said = answer.written.unwrap_or_else(|| std::mem::take(&mut self.said));
        for telling in &answer.tellings {
            self.host.tell(telling);
        }
        let phrases = answer.phrases.into_iter().chain(changed);
        self.speak(ctx, phrases.collect::<Vec<_>>().join(" "));
    }

    /// Puts a phrase into the live region, or lets it wait for its turn. A later one replaces it.
    pub(super) fn speak(&mut self, ctx: &Context<App>, phrase: String) {
        if phrase.is_empty() {
            return;
        }
        let since = now_ms() - self.spoken_at;
        if since >= PHRASE_MS {
            self.waiting = None;
            self.speak_now(phrase);
            return;
        }
        let later = match self.waiting.take() {
            Some((_, later @ Some(_))) => later,
            _ => {
                let link = ctx.link().clone();
                let ms = (PHRASE_MS - since) as i32;
                Later::after(ms, move || link.send_message(Asked::Speak))
            }
        };
        self.waiting = Some((phrase, later));
    }

    fn speak_now(&mut self, phrase: String) {
        self.spoken = phrase;
        self.spoken_at = now_ms();
    }

    fn key(&mut self, ctx: &Context<App>, event: &KeyboardEvent) -> bool {
        let drawn = match browser::hear(event) {
            Heard::Control => {
                event.stop_propagation();
                return false;
            }
            Heard::Escape if self.keys_open => {
                self.keys_open = false;
                true
            }
            Heard::Escape | Heard::Nothing => return false,
            Heard::Help => {
                self.keys_open = !self.keys_open;
                true
            }
            Heard::Act(act) => self.act(ctx, act),
        };
        event.prevent_default();
        event.stop_propagation();
        drawn
    }

    /// Copies the link to this moment of this run.
    fn link(&mut self, ctx: &Context<App>) -> bool {
        let Some(session) = &self.session else { return false };
        let state = session.borrow().run_state();
        match state.encode() {
            Ok(run) => {
                let page = ctx.props().page().unwrap_or_else(browser::here);
                let link = [page.as_str(), "?run=", &run].concat();
                let (scope, shown) = (ctx.link().clone(), link.clone());
                browser::copy(&link, move |copied| {
                    scope.send_message(Asked::Copied(copied, shown));
                });
            }
            Err(wrong) => {
                self.act(ctx, Act::Complain(wrong));
            }
        }
        true
    }

    /// Keeps something as a file, and says so.
    #[inline(never)]
    fn save(&mut self, ctx: &Context<App>, what: Save, form: Form) -> bool {
        let Some(session) = &self.session else { return false };
        self.said = match saves::save(self, &mut session.borrow_mut(), what, form) {
            Ok(kept) => {
                self.kept = Some(kept.handed);
                self.words.say("said.saved", &[("file", &kept.name)])
            }
            Err(why) => self.words.say("said.not_saved", &[("why", &why)]),
        };
        self.speak(ctx, self.said.clone());
        true
    }

    /// Computes on, a slice after another, until the whole run is there.
    fn keep_computing(&mut self, ctx: &Context<App>) {
        let more =
            self.session.as_ref().is_some_and(|s| s.borrow().progress() == Progress::Running);
        if more && self.computing.is_none() {
            let link = ctx.link().clone();
            self.computing = Later::after(0, move || link.send_message(Asked::Compute));
        }
    }

    /// Keeps a ticker for as long as virtual time runs.
    fn keep_time(&mut self, ctx: &Context<App>) {
        let runs = self.session.as_ref().is_some_and(|s| s.borrow().playing() == Playing::Yes);
        if !runs {
            self.ticker = None;
        } else if self.ticker.is_none() {
            let link = ctx.link().clone();
            self.ticker = Some(Ticker::start(move |ms| link.send_message(Asked::Tick(ms))));
        }
    }

    /// Puts everything that moves where it is now.
    fn paint(&mut self) {
        if let Some(session) = &mut self.session {
            let session = session.get_mut();
            self.places.paint(session, &self.words);
            // What plays is painted again at once, and all of it when it stops.
            let again = (session.playing() == Playing::Yes).then(now_ms);
            self.stage.get_mut().paint(session.now(), again);
            if let Some(stage) = self.other_stage.get_mut() {
                stage.paint(session.now(), again);
            }
        }
    }

    fn tell_ready(&mut self, ctx: &Context<App>) {
        let title = match &ctx.props().exhibit {
            Ok(exhibit) => exhibit.title.clone(),
            Err(wrong) => {
                for wrong in wrong {
                    self.host.tell(&wrong_thing("bad-exhibit", wrong));
                }
                return;
            }
        };
        self.host.tell(&Telling::new("inflight-ready").text("title", &title));
    }
}

/// How the time between two events is shown: as the attribute says, or else the system.
pub(super) fn motion(settings: &Settings) -> Motion {
    settings.motion.unwrap_or_else(|| {
        if cfg!(target_arch = "wasm32") && browser::wants_less_motion() {
            Motion::Steps
        } else {
            Motion::Full
        }
    })
}
