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

/// The name plate of an exhibit, or a heading that is not seen. `id` is that of the heading.
pub fn sign_plate(page: &Page, exhibit: &Exhibit, frame: FrameStyle, id: String) -> Mark {
    if frame == FrameStyle::None {
        return heading(page.level, "visually-hidden").set("id", id).text(&exhibit.title);
    }
    let line = exhibit.number.split('.').next().filter(|line| !line.is_empty());
    let line =
        line.map(|line| el("span", "bullet").set("aria-hidden", "true").text(line.to_owned()));
    let number = || {
        let said = page.words.say("sign.number", &[("number", &exhibit.number)]);
        el("span", "").text(said)
    };
    let said = |text: &String| (!text.is_empty()).then(|| el("span", "").text(text));
    let lesson = || el("p", "sign__lesson").text(&exhibit.lesson);
    let title = heading(page.level, "sign__title").set("id", id);
    let meta = el("p", "sign__meta");
    // Where the exhibit is what a page is about, its sign is as large as a page's title.
    let large = frame == FrameStyle::Page && page.level <= 2;
    el("header", if large { "sign sign--page" } else { "sign" })
        .with(title.with(line).with(el("span", "").text(&exhibit.title)))
        .with(meta.with((!exhibit.number.is_empty()).then(number)).with(said(&exhibit.rules)))
        .with((!exhibit.lesson.is_empty()).then(lesson))
}
