//! What the application looks like: the parts of the page, each given its share of the session.

use std::rc::Rc;

use course::Exhibit;
use player::MessageState;
use sim::SimTime;
use yew::prelude::*;

use super::app::{App, Asked};
use crate::browser;
use crate::components::{
    Acts, Controls, ControlsPanel, Gauges, Glyph, GoesOn, Inspector, Keys, Legend, LifeStrip, More,
    Notices, PlayerBar, PlayerPlaces, ProgramList, Reach, Scene, Shown, SignPlate, Stage,
    StagePlaces, Transcript, percent, shift,
};
use crate::state::{
    Act, Session, Strip, beat_at, card, depth_area, dials, field_text, lines, marks, next_after,
    offers, place, readings, scene, span, strip, takes, values,
};
use crate::words::{Words, clock};

/// Where the things are that move between two events.
#[derive(Clone, Debug, Default)]
pub struct Places {
    player: PlayerPlaces,
    stage: StagePlaces,
    gauges: Vec<NodeRef>,
    acts: NodeRef,
    life_head: NodeRef,
    life_veil: NodeRef,
}

impl Places {
    /// Places for an exhibit with so many gauges.
    #[must_use]
    pub fn new(gauges: usize) -> Places {
        // One each: a clone of a reference would be the same reference.
        let gauges = (0..gauges).map(|_| NodeRef::default()).collect();
        Places { gauges, ..Places::default() }
    }

    /// Puts what stands still at a moment of the run there.
    pub fn put_marks(&self) {
        browser::put_marks(&self.player.scrub.whole);
    }

    /// Puts each of them where it is now.
    pub fn paint(&self, session: &mut Session, words: &Words) {
        let (now, end) = (session.now(), session.end());
        let at = clock(now);
        let scrub = &self.player.scrub;
        browser::set_style(&scrub.whole, "--pos", &percent(now, end));
        browser::set_text(&scrub.clock, &at);
        browser::set_text(&self.player.clock, &at);
        browser::set_text(&self.acts, &at);
        let grain = now.as_micros().saturating_mul(crate::components::GRAIN);
        let grain = grain.checked_div(end.as_micros()).unwrap_or(0);
        browser::set_value(&scrub.input, &grain.to_string(), &at);
        for (place, value) in self.gauges.iter().zip(values(session, words)) {
            browser::set_text(place, &value);
        }
        if let Some(span) = session.life().and_then(span) {
            let moved = shift(place(now, span));
            browser::set_attribute(&self.life_head, "transform", &moved);
            browser::set_attribute(&self.life_veil, "transform", &moved);
        }
        self.stage.paint(now);
    }
}

/// The whole exhibit, or why there is none.
pub fn view(app: &App, ctx: &Context<App>) -> Html {
    let words = &app.words;
    let on = ctx.link().callback(Asked::Act);
    let Some(session) = &app.session else {
        let notices = app.broken.clone();
        return Notices { words: words.clone(), notices, goes_on: GoesOn::No, on }.draw();
    };
    let session = &mut *session.borrow_mut();
    let shown = Shows { app, words, on, ctx };
    let exhibit = Rc::clone(session.exhibit());
    let label = app.settings.label.clone();
    let labelled = label.is_none().then(|| title_id(&exhibit.title));
    html! {
        <article
            class={app.settings.frame.class()}
            aria-label={label}
            aria-labelledby={labelled}
            tabindex="-1"
            onkeydown={ctx.link().callback(Asked::Key)}
        >
            { shown.sign(&exhibit) }
            { shown.notices(session) }
            { shown.scene(session) }
            <div class="exhibit__body">
                <div class="exhibit__main">
                    { shown.stage(session) }
                    <p class="exhibit__words">{ shown.state_words(session) }</p>
                    { shown.player(session) }
                    { shown.keys() }
                    { shown.gauges(session) }
                </div>
                <aside class="exhibit__side">
                    { shown.inspector(session) }
                    { shown.transcript(session) }
                </aside>
            </div>
            { shown.life(session) }
            { shown.acts(session) }
            { Legend { words: words.clone(), keys: keys(session) }.draw() }
            <p class="visually-hidden" role="status">{ &app.spoken }</p>
        </article>
    }
}

/// An id for the heading, unlike those of other exhibits in one document without a shadow root.
fn title_id(title: &str) -> String {
    let letters = title.chars().filter(char::is_ascii_alphanumeric);
    ["title-", &letters.collect::<String>().to_ascii_lowercase()].concat()
}

fn keys(session: &Session) -> Vec<String> {
    session.keys().iter().take(8).cloned().collect()
}

/// What every part is given.
struct Shows<'a> {
    app: &'a App,
    words: &'a Words,
    on: Callback<Act>,
    ctx: &'a Context<App>,
}

impl Shows<'_> {
    fn ask(&self, asked: Asked) -> Callback<()> {
        self.ctx.link().callback(move |()| asked.clone())
    }

    fn sign(&self, exhibit: &Exhibit) -> Html {
        SignPlate {
            words: self.words.clone(),
            title: exhibit.title.clone(),
            number: exhibit.number.clone(),
            lesson: exhibit.lesson.clone(),
            rules: exhibit.rules.clone(),
            frame: self.app.settings.frame,
            level: self.app.settings.level,
            id: title_id(&exhibit.title),
        }
        .draw()
    }

    fn notices(&self, session: &Session) -> Html {
        Notices {
            words: self.words.clone(),
            notices: session.notices().to_vec(),
            goes_on: GoesOn::Yes,
            on: self.on.clone(),
        }
        .draw()
    }

    fn gauges(&self, session: &mut Session) -> Html {
        let readings = readings(session, self.words);
        Gauges { readings, places: self.app.places.gauges.clone() }.draw()
    }

    fn keys(&self) -> Html {
        if !self.app.keys_open {
            return Html::default();
        }
        Keys { words: self.words.clone(), on_close: self.ask(Asked::Keys) }.draw()
    }

    fn scene(&self, session: &Session) -> Html {
        let (now, beats) = (session.now(), session.beats());
        let beat = beat_at(beats, now);
        let reach = |there: bool| if there { Reach::Open } else { Reach::Ended };
        let (title, say) = match beat {
            Some(beat) => (beat.title.clone(), beat.say.clone()),
            None => (self.words.text("scene.start"), self.words.text("scene.start.say")),
        };
        Scene {
            words: self.words.clone(),
            beat: beat.map(|beat| beat.number),
            title,
            say,
            has_previous: reach(now > SimTime::ZERO),
            has_next: reach(next_after(beats, now).is_some()),
            on: self.on.clone(),
        }
        .draw()
    }

    fn stage(&self, session: &mut Session) -> Html {
        let label = self.state_words(session);
        html! {
            <Stage
                words={self.words.clone()}
                names={session.names().clone()}
                frame={Rc::clone(session.frame())}
                followed={session.followed()}
                inspected={session.inspected()}
                reorder={session.reorderable()}
                label={label}
                places={self.app.places.stage.clone()}
                on={self.on.clone()}
                on_say={self.ctx.link().callback(Asked::Say)}
            />
        }
    }

    fn state_words(&self, session: &mut Session) -> String {
        let (names, frame) = (session.names().clone(), Rc::clone(session.frame()));
        scene(self.words, &names, &frame, session.life())
    }

    fn player(&self, session: &mut Session) -> Html {
        PlayerBar {
            words: self.words.clone(),
            playing: session.playing(),
            end: session.end(),
            now: session.now(),
            marks: marks(session, self.words),
            depth: depth_area(session),
            speed: session.speed(),
            seed: session.player().scenario().seed,
            said: self.app.said.clone(),
            controls: self.app.settings.controls,
            places: self.app.places.player.clone(),
            on: self.on.clone(),
            on_another_seed: self.ask(Asked::AnotherSeed),
            on_link: self.ask(Asked::Link),
            on_keys: self.ask(Asked::Keys),
        }
        .draw()
    }

    fn inspector(&self, session: &mut Session) -> Html {
        let Some(card) = card(session, self.words) else { return Html::default() };
        let level = self.app.settings.level + 1;
        Inspector { words: self.words.clone(), card, level, on: self.on.clone() }.draw()
    }

    fn transcript(&self, session: &Session) -> Html {
        let (before, after) = self.app.window;
        let shown = lines(session, self.words, before, after);
        let more = |there: bool| if there { More::Yes } else { More::No };
        html! {
            <Transcript
                words={self.words.clone()}
                lines={shown.lines}
                past={shown.past}
                earlier={more(shown.earlier)}
                later={more(shown.later)}
                total={session.player().trace().len()}
                filter={session.filter()}
                followed={session.followed()}
                level={self.app.settings.level + 1}
                on={self.on.clone()}
                on_more={self.ask(Asked::Lines)}
            />
        }
    }

    fn life(&self, session: &mut Session) -> Html {
        let (names, now) = (session.names().clone(), session.now());
        let followed = session.followed();
        let drawn = match session.life() {
            Some(life) => strip(self.words, &names, life, now),
            None => Strip::default(),
        };
        let shown = followed.map(|message| (message, session.key_of(message)));
        let glyph = shown.map(|(message, key)| Glyph {
            state: session.frame().message(message).map_or(MessageState::Acked, |m| m.state),
            key,
        });
        let receives = self.receives(session.receives());
        LifeStrip {
            words: self.words.clone(),
            message: followed,
            glyph,
            key_number: shown.map_or(0, |(_, key)| key),
            carries: carries(session),
            receives,
            strip: drawn,
            now,
            head: self.app.places.life_head.clone(),
            veil: self.app.places.life_veil.clone(),
            on: self.on.clone(),
        }
        .draw()
    }

    /// "received 1 of 5 times".
    fn receives(&self, (times, of): (u32, Option<u32>)) -> String {
        let n = self.words.number(u64::from(times));
        match of {
            Some(of) => {
                let of = self.words.number(u64::from(of));
                self.words.say("life.receives.of", &[("n", &n), ("of", &of)])
            }
            None => self.words.count("life.receives", u64::from(times), &[]),
        }
    }

    fn acts(&self, session: &mut Session) -> Html {
        if self.app.settings.controls == Controls::None {
            return Html::default();
        }
        let dials = dials(session, self.words);
        let lines: Vec<AttrValue> = session.program().into_iter().map(Into::into).collect();
        let more = match self.app.more_open {
            _ if dials.is_empty() && lines.is_empty() => Shown::Never,
            true => Shown::Yes,
            false => Shown::No,
        };
        let acts = Acts {
            words: self.words.clone(),
            now: session.now(),
            place: self.app.places.acts.clone(),
            offers: offers(session, self.words),
            takes: takes(session, self.words),
            more,
            on: self.on.clone(),
            on_more: self.ask(Asked::More),
        };
        let panel = ControlsPanel { words: self.words.clone(), dials, on: self.on.clone() };
        html! {
            <>
                { acts.draw() }
                if more == Shown::Yes {
                    { panel.draw() }
                    <ProgramList words={self.words.clone()} lines={lines} on={self.on.clone()} />
                }
            </>
        }
    }
}

/// The first few fields of the followed message, in short.
fn carries(session: &Session) -> String {
    let payload = session.followed().and_then(|message| session.payload(message));
    let fields = payload.map(|payload| payload.fields.as_slice()).unwrap_or_default();
    fields.iter().take(4).map(|(_, value)| field_text(value)).collect::<Vec<_>>().join(" · ")
}
