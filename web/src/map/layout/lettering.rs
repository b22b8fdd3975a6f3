//! How wide lettering is, near enough to keep labels clear of lines without a font at hand.
//!
//! The widths are averages of the neo-grotesque faces in the sheet's stack, measured on lower-case
//! English; capitals are a little wider and narrow letters a little narrower.

/// The faces that a map is lettered in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Names of stations: bold, 13.5 px.
    Name,
    /// Everything beside a name: 12 px.
    Sub,
    /// Names on plates: bold, 13 px.
    Plate,
    /// Lines of a program: monospaced, 12 px.
    Code,
}

impl Face {
    fn advance(self) -> f64 {
        match self {
            Self::Name => 7.2,
            Self::Sub => 5.75,
            Self::Plate => 6.9,
            Self::Code => 7.23,
        }
    }
}

/// About how wide a text is, in pixels.
#[must_use]
pub fn width(text: &str, face: Face) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "labels are short")]
    let letters = text.chars().count() as f64;
    letters * face.advance()
}

/// The text, or as much of it as has room, with an ellipsis for the rest. Whole words where there is
/// room for one: what is read aloud names the thing by its words.
#[must_use]
pub fn fit(text: &str, face: Face, room: f64) -> String {
    if width(text, face) <= room {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = face.advance();
    for letter in text.chars() {
        used += face.advance();
        if used > room {
            break;
        }
        out.push(letter);
    }
    let cut_in_word = text[out.len()..].chars().next().is_some_and(|next| next != ' ');
    let words = out.rfind(' ').filter(|_| cut_in_word);
    let mut out = words.map_or(out.as_str(), |end| &out[..end]).trim_end().to_owned();
    out.push('…');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_to_their_room() {
        let check = |text: &str, room: f64, want: &str| {
            let got = fit(text, Face::Code, room);
            assert_eq!(got, want);
            assert!(width(&got, Face::Code) <= room);
        };
        check("send mail", 120.0, "send mail");
        check("send the confirmation mail", 120.0, "send the…");
        check("confirmation", 60.0, "confirm…");
        check("send mail", 40.0, "send…");
    }
}
