//! The stage: the map of the run in a page, wide and tall, and what hands do on it. The stylesheet
//! shows the one that the exhibit's own width has room for.

use std::cell::RefCell;
use std::rc::Rc;

use broker::MessageId;
use player::Frame;
use scenario::ComponentId;
use sim::SimTime;
use yew::Callback;

use super::draw::{Mode, Scene, picture};
use super::hands::{Hands, focused, refocus};
use super::layout::{Plan, ROOM, Shape, num, plan};
use super::motion::{Motions, motions};
use super::painter::Painter;
use crate::asked::Asked;
use crate::browser::Canvas;
use crate::markup::{Mark, On, el};
use crate::words::{Names, Words};

/// What a map shows.
pub struct Shown<'a> {
    /// What is.
    pub frame: &'a Frame,
    /// The catalogue.
    pub words: &'a Words,
    /// The name of the picture: the scene in words.
    pub label: &'a String,
    /// The message that is followed.
    pub followed: Option<MessageId>,
    /// The component that is looked at.
    pub selected: Option<ComponentId>,
    /// The workers whose handler can be reordered.
    pub reorder: Option<ComponentId>,
}

/// The maps of a run.
#[derive(Default)]
pub struct Stage {
    /// Whose plans these are.
    names: Option<Names>,
    boards: Vec<Board>,
    /// Over the map that the page shows: a crowd, while the run plays.
    canvas: Canvas,
    /// Whether [`Stage::look`] is called when the exhibit has another size.
    is_told: bool,
}

/// A map in a page.
struct Board {
    plan: Rc<Plan>,
    hands: Rc<RefCell<Hands>>,
    painter: Painter,
    sight: Sight,
    moving: Motions,
    /// What had the focus may be drawn as another element.
    had_focus: Option<String>,
}

/// Whether the page shows a map, as it was when somebody looked, if anybody has. To look makes the
/// browser lay the page out, so that it is done twice a second and not with every picture.
#[derive(Clone, Copy, Debug, Default)]
struct Sight {
    shown: Option<bool>,
    looked: f64,
}

/// How long a look at the page is good for, in milliseconds.
const LOOK_MS: f64 = 500.0;

/// The events that hands cause.
const HEARD: [On; 6] =
    [On::Click, On::Key, On::PointerDown, On::PointerMove, On::PointerUp, On::PointerCancel];

impl Stage {
    /// Maps of a run. If [`Stage::look`] is called whenever the exhibit has another size, the one that
    /// the page does not show is left empty.
    #[must_use]
    pub fn new(is_told: bool) -> Stage {
        Stage { is_told, ..Stage::default() }
    }

    /// Plans the maps, unless they are planned for this scenario already.
    pub fn plan(&mut self, names: &Names, words: &Words) {
        if self.names.as_ref() == Some(names) {
            return;
        }
        self.names = Some(names.clone());
        for (i, shape) in [Shape::Wide, Shape::Tall].into_iter().enumerate() {
            let plan = Rc::new(plan(names.scenario(), shape));
            match self.boards.get_mut(i) {
                Some(board) => board.plan = plan,
                None => self.boards.push(Board {
                    plan,
                    hands: Rc::new(RefCell::new(Hands::new(words))),
                    painter: Painter::default(),
                    sight: Sight::default(),
                    moving: Motions::default(),
                    had_focus: None,
                }),
            }
        }
    }

    /// Draws the maps.
    pub fn draw(&mut self, shown: &Shown, on: &Callback<Asked>) -> Mark {
        let is_told = self.is_told;
        let maps = self.boards.iter_mut().map(|board| board.draw(shown, on, is_told));
        let stage = el("div", "exhibit__stage").list(maps);
        let crowded = self.boards.iter().any(|board| board.moving.crowd.is_some());
        stage.with(crowded.then(|| el("canvas", "crowd-moves").at(&self.canvas.place)))
    }

    /// Draws the maps as pictures that answer to nothing, and are painted all the same.
    #[inline(never)]
    pub fn draw_beside(&mut self, shown: &Shown) -> Mark {
        let boards = self.boards.iter_mut().map(|board| {
            board.moving = motions(shown.frame, &board.plan, shown.words, shown.followed);
            let drawing = &board.hands.borrow().drawing;
            let scene = scene(&board.plan, shown, &board.moving, Mode::Still, None);
            svg(&board.plan, shown).set("role", "img").at(drawing).all(picture(&scene))
        });
        el("div", "exhibit__stage").list(boards)
    }

    /// Looks which of the maps the page shows. Says whether it is another than before.
    pub fn look(&mut self) -> bool {
        let mut other = false;
        for board in &mut self.boards {
            let before = board.sight.shown;
            board.look();
            // Where the canvas lies is another matter, and seen to with the next picture.
            board.sight.looked = f64::NEG_INFINITY;
            other |= board.sight.shown != before;
        }
        other
    }

    /// Takes hold of what was drawn, once it is in the page.
    pub fn settle(&mut self) {
        for board in &mut self.boards {
            if self.is_told && board.sight.shown.is_none() {
                board.look();
            }
            let hands = board.hands.borrow();
            if let Some(drawing) = hands.drawing() {
                board.painter.bind(&drawing, &board.moving);
            }
            if let Some(code) = board.had_focus.take() {
                refocus(&hands.drawing, &code);
            }
        }
    }

    /// Puts what moves where it is at a moment. Who paints `again` at once, and all of it in the end,
    /// gives the milliseconds on the wall, and what the page does not show is left out.
    pub fn paint(&mut self, now: SimTime, again: Option<f64>) {
        self.canvas.clear();
        for board in &mut self.boards {
            if let Some(clock) = again
                && !(0.0..LOOK_MS).contains(&(clock - board.sight.looked))
            {
                board.look();
                board.sight.looked = clock;
                board.lay_over(&mut self.canvas);
            } else if again.is_some() && !self.canvas.lies() {
                // A crowd that has come since.
                board.lay_over(&mut self.canvas);
            }
            if again.is_none() || board.sight.shown != Some(false) {
                let canvas = again.and(Some(&self.canvas)).filter(|canvas| canvas.lies());
                board.painter.paint(now, canvas);
            }
        }
    }
}

impl Board {
    fn look(&mut self) {
        let drawing = self.hands.borrow().drawing();
        self.sight.shown = drawing.map(|drawing| drawing.client_width() > 0);
    }

    /// Lays the canvas over the map, if the page shows that.
    fn lay_over(&self, canvas: &mut Canvas) {
        if self.sight.shown == Some(true)
            && let Some(drawing) = self.hands.borrow().drawing()
        {
            self.painter.lay_over(&drawing, self.plan.width, canvas);
        }
    }

    fn draw(&mut self, shown: &Shown, on: &Callback<Asked>, is_told: bool) -> Mark {
        let mut hands = self.hands.borrow_mut();
        hands.look(&self.plan, shown.reorder);
        // Drawn twice before the page has either, what had the focus at first still counts.
        self.had_focus = focused(&hands.drawing).or(self.had_focus.take());
        // Of a map that the page does not show, the frame is enough to see when it does.
        let is_hidden = is_told && self.sight.shown == Some(false) && hands.drawing().is_some();
        let mut drawing = svg(&self.plan, shown).set("role", "group").at(&hands.drawing);
        if is_hidden {
            self.moving = Motions::default();
        } else {
            self.moving = motions(shown.frame, &self.plan, shown.words, shown.followed);
            let scene = scene(&self.plan, shown, &self.moving, Mode::Live, hands.lift);
            drawing = drawing.all(picture(&scene));
        }
        for kind in HEARD {
            let hands = Rc::clone(&self.hands);
            drawing = drawing.on(kind, on, move |event| hands.borrow_mut().heed(event));
        }
        drawing
    }
}

/// The map as a picture that answers to nothing.
pub fn still(plan: &Plan, shown: &Shown) -> Mark {
    let moving = motions(shown.frame, plan, shown.words, shown.followed);
    svg(plan, shown).set("role", "img").all(picture(&scene(
        plan,
        shown,
        &moving,
        Mode::Still,
        None,
    )))
}

fn svg(plan: &Plan, shown: &Shown) -> Mark {
    let (width, height) = (num(plan.width), num(plan.height));
    let class = match plan.shape {
        Shape::Wide if plan.width > ROOM => "map only-wide is-broad",
        Shape::Wide => "map only-wide",
        Shape::Tall => "map only-narrow",
    };
    let view_box = ["0 0 ", &width, " ", &height].concat();
    el("svg", class)
        .set("viewBox", view_box)
        .set("width", width)
        .set("height", height)
        .set("aria-label", shown.label)
}

fn scene<'a>(
    plan: &'a Plan,
    shown: &'a Shown,
    motions: &'a Motions,
    mode: Mode,
    lift: Option<super::lift::Lift>,
) -> Scene<'a> {
    Scene {
        plan,
        frame: shown.frame,
        words: shown.words,
        motions,
        followed: shown.followed,
        selected: shown.selected,
        mode,
        reorder: shown.reorder,
        lift,
    }
}
