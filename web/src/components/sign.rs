//! The sign: an exhibit's name plate, or a plain heading where the exhibit is a guest.

use course::Exhibit;

use super::Page;
use super::heading::heading;
use crate::markup::{Mark, el};

/// How an exhibit is framed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameStyle {
    /// The black sign of our own pages.
    Page,
    /// A plain heading, for a page of somebody else's.
    #[default]
    Quiet,
    /// A plain heading, and the page's own ground behind it.
    Clear,
    /// The page's own ground, and no heading that is seen.
    None,
}

impl FrameStyle {
    /// The classes of an exhibit framed like this.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            FrameStyle::Page => "exhibit exhibit--wide",
            FrameStyle::Quiet => "exhibit exhibit--wide exhibit--quiet",
            FrameStyle::Clear | FrameStyle::None => {
                "exhibit exhibit--wide exhibit--quiet exhibit--clear"
            }
        }
    }

    /// Reads an attribute.
    #[must_use]
    pub fn parse(text: &str) -> Option<FrameStyle> {
        match text {
            "sign" => Some(FrameStyle::Page),
            "quiet" => Some(FrameStyle::Quiet),
            "clear" => Some(FrameStyle::Clear),
            "none" => Some(FrameStyle::None),
            _ => None,
        }
    }
}

/// What stands on a sign.
#[derive(Clone, Copy, Debug)]
pub struct Nameplate<'a> {
    /// The title.
    pub title: &'a str,
    /// The line it belongs to: the number of its module.
    pub line: &'a str,
    /// Its number in the course, if it has one.
    pub number: Option<&'a str>,
    /// Whose rules it follows, or what sort of thing it is.
    pub rules: &'a str,
    /// What it teaches.
    pub lesson: &'a str,
}

impl<'a> Nameplate<'a> {
    /// The sign of what has no number: of which module, what it is called, what sort of thing it is.
    #[must_use]
    pub fn within(module: &'a str, title: &'a str, kind: &'a str) -> Nameplate<'a> {
        let line = module.strip_prefix('m').unwrap_or_default();
        Nameplate { title, line, number: None, rules: kind, lesson: "" }
    }

    /// The sign of an exhibit.
    #[must_use]
    pub fn of(exhibit: &'a Exhibit) -> Nameplate<'a> {
        Nameplate {
            title: &exhibit.title,
            line: exhibit.number.split('.').next().unwrap_or_default(),
            number: Some(exhibit.number.as_str()).filter(|number| !number.is_empty()),
            rules: &exhibit.rules,
            lesson: &exhibit.lesson,
        }
    }
}

/// The name plate, or a heading that is not seen. `id` is that of the heading.
pub fn sign_plate(page: &Page, plate: &Nameplate, frame: FrameStyle, id: String) -> Mark {
    let title = || el("span", "").text(plate.title.to_owned());
    if frame == FrameStyle::None {
        return heading(page.level, "visually-hidden").set("id", id).with(title());
    }
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let bullet =
        some(plate.line).map(|line| el("span", "bullet").set("aria-hidden", "true").text(line));
    let number = plate.number.map(|number| {
        let said = page.words.say("sign.number", &[("number", number)]);
        el("span", "").text(said)
    });
    let meta = el("p", "sign__meta")
        .with(number)
        .with(some(plate.rules).map(|rules| el("span", "").text(rules)));
    // Where the exhibit is what a page is about, its sign is as large as a page's title.
    let large = frame == FrameStyle::Page && page.level <= 2;
    el("header", if large { "sign sign--page" } else { "sign" })
        .with(heading(page.level, "sign__title").set("id", id).with(bullet).with(title()))
        .with(meta)
        .with(some(plate.lesson).map(|lesson| el("p", "sign__lesson").text(lesson)))
}
