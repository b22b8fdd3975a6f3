//! From Markdown to pieces of HTML.

use std::ops::Range;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use super::address::{Address, of_page, way_up};
use super::text::{Section, Teller, Term};
use super::{Embed, Heading, Piece, line_of, slug};

/// What a body becomes.
#[derive(Debug, Default)]
pub struct Rendered {
    pub pieces: Vec<Piece>,
    pub sections: Vec<Section>,
    pub parts: Vec<Section>,
    pub terms: Vec<Term>,
    pub sources: Vec<String>,
}

/// Renders the body of `text`, which begins at byte `start`.
///
/// # Errors
/// The line, and what is wrong with it.
pub fn body(path: &str, text: &str, start: usize) -> Result<Rendered, String> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_SMART_PUNCTUATION
        | Options::ENABLE_DEFINITION_LIST;
    let events: Vec<_> = Parser::new_ext(&text[start..], options).into_offset_iter().collect();
    let mut writer = Writer { path, text, start, events: &events, ..Writer::default() };
    let mut at = 0;
    while at < events.len() {
        at += writer
            .take(at)
            .map_err(|error| format!("{}: {error}", line_of(text, start + events[at].1.start)))?;
    }
    writer.end_prose();
    let sources = writer.sources();
    let (sections, parts, terms) = writer.teller.told();
    Ok(Rendered { pieces: writer.pieces, sections, parts, terms, sources })
}

/// Anchors that pages have themselves.
const OF_THE_PAGE: [&str; 3] = ["main", "contents", "sources"];

/// An event and where in the body it stands.
type Placed<'a> = (Event<'a>, Range<usize>);

#[derive(Default)]
struct Writer<'a> {
    path: &'a str,
    text: &'a str,
    start: usize,
    events: &'a [Placed<'a>],
    /// Events of the prose that is under way.
    prose: Vec<Event<'a>>,
    /// Whether it is in a block of code, which stays as it is.
    in_code: bool,
    pieces: Vec<Piece>,
    /// The text of it all.
    teller: Teller,
    /// Every anchor given, so that none is given twice.
    anchors: Vec<String>,
    /// Labels of sources, in the order of their first mention.
    cited: Vec<String>,
    /// Labels and events of sources, in the order in which they were written.
    written: Vec<(String, Vec<Event<'a>>)>,
}

impl<'a> Writer<'a> {
    /// Takes the event at `at`, with those that belong to it, and tells how many.
    fn take(&mut self, at: usize) -> Result<usize, String> {
        let (event, place) = &self.events[at];
        match event {
            Event::Start(Tag::Heading { level, .. }) => self.heading(at, *level),
            Event::Start(Tag::Paragraph) => match self.embed(at)? {
                0 => self.keep(event.clone()),
                taken => Ok(taken),
            },
            Event::Start(Tag::FootnoteDefinition(label)) => self.source(at, label),
            Event::FootnoteReference(label) => self.mention(label),
            Event::Start(Tag::DefinitionListTitle) => {
                let word = self.text_from(at);
                let id = self.anchor(slug(&word))?;
                self.teller.term(&id, &word);
                self.html(format!("<dt id=\"{id}\">"))
            }
            Event::End(TagEnd::DefinitionListTitle) => self.html("</dt>\n".into()),
            // What may be wider than a phone can be scrolled by keyboard.
            Event::Start(Tag::Table(_)) => {
                let title = self.teller.section().replace('&', "&amp;").replace('"', "&quot;");
                let open = "<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=";
                self.html(format!("{open}\"{title}\">"))?;
                self.keep(event.clone())
            }
            Event::End(TagEnd::Table) => {
                self.keep(event.clone())?;
                self.html("</div>\n".into())
            }
            Event::Start(Tag::CodeBlock(_)) => {
                self.in_code = true;
                self.html("<pre tabindex=\"0\"><code>".into())
            }
            Event::End(TagEnd::CodeBlock) => {
                self.in_code = false;
                self.html("</code></pre>\n".into())
            }
            Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => Ok(1),
            Event::Html(html) | Event::InlineHtml(html) if is_comment(html) => Ok(1),
            Event::Html(html) | Event::InlineHtml(html) => {
                Err(format!("`{}` is markup: write Markdown", html.trim()))
            }
            Event::Start(Tag::Image { .. }) => {
                Err("pictures come from runs: show an exhibit".into())
            }
            _ => {
                let event = self.linked(event, place)?;
                self.keep(event)
            }
        }
    }

    fn keep(&mut self, event: Event<'a>) -> Result<usize, String> {
        self.teller.hear(&event);
        self.prose.push(match event {
            Event::Text(text) if !self.in_code => Event::Text(units_kept(text)),
            other => other,
        });
        Ok(1)
    }

    fn html(&mut self, html: String) -> Result<usize, String> {
        self.keep(Event::InlineHtml(CowStr::from(html)))
    }

    /// The event with its link, if it is one, leading to a page.
    fn linked(&self, event: &Event<'a>, place: &Range<usize>) -> Result<Event<'a>, String> {
        let Event::Start(Tag::Link { link_type, dest_url, title, id }) = event else {
            return Ok(event.clone());
        };
        let line =
            |error| format!("{error} (line {})", line_of(self.text, self.start + place.start));
        let dest_url = match of_page(self.path, dest_url).map_err(line)? {
            Address::Elsewhere | Address::Here => dest_url.clone(),
            Address::Page(page) => CowStr::from(format!("{}{page}", way_up(self.path))),
        };
        let (link_type, title, id) = (*link_type, title.clone(), id.clone());
        Ok(Event::Start(Tag::Link { link_type, dest_url, title, id }))
    }

    fn heading(&mut self, at: usize, level: HeadingLevel) -> Result<usize, String> {
        let title = self.text_from(at);
        let id = self.anchor(slug(&title))?;
        let depth = match level {
            HeadingLevel::H2 => 2,
            HeadingLevel::H3 => 3,
            _ => return Err("headings are ## or ###: the page's own title is above them".into()),
        };
        let end = |(event, _): &Placed| matches!(event, Event::End(TagEnd::Heading(_)));
        let taken = self.events[at..].iter().position(end).unwrap_or(0) + 1;
        self.end_prose();
        self.teller.heading(depth, &id, &title);
        let named = Some(CowStr::from(id.clone()));
        let open = Tag::Heading { level, id: named, classes: vec![], attrs: vec![] };
        let mut events = vec![Event::Start(open)];
        for (event, place) in &self.events[at + 1..at + taken] {
            events.push(self.linked(event, place)?);
        }
        let mut html = String::new();
        html::push_html(&mut html, events.into_iter());
        self.pieces.push(Piece::Heading(Heading { level: depth, id, title, html }));
        Ok(taken)
    }

    /// An exhibit, if the paragraph is one: how many events it took.
    fn embed(&mut self, at: usize) -> Result<usize, String> {
        let tag = |event: Option<&Placed<'a>>| match event {
            Some((Event::InlineHtml(html), _)) => html.to_string(),
            _ => String::new(),
        };
        let open = tag(self.events.get(at + 1));
        if !open.starts_with("<in-flight") {
            return Ok(0);
        }
        let id = open.strip_prefix("<in-flight exhibit=\"").and_then(|id| id.strip_suffix("\">"));
        let closed = tag(self.events.get(at + 2)) == "</in-flight>";
        let alone = matches!(self.events.get(at + 3), Some((Event::End(TagEnd::Paragraph), _)));
        match id {
            Some(id) if closed && alone && slug(id) == id => {
                self.end_prose();
                let line = line_of(self.text, self.start + self.events[at].1.start);
                self.pieces.push(Piece::Exhibit(Embed { id: id.to_owned(), line }));
                Ok(4)
            }
            _ => Err("write an exhibit as a paragraph `<in-flight exhibit=\"id\"></in-flight>`"
                .to_owned()),
        }
    }

    fn end_prose(&mut self) {
        if !self.prose.is_empty() {
            let mut html = String::new();
            html::push_html(&mut html, self.prose.drain(..));
            self.pieces.push(Piece::Prose(html));
        }
    }

    fn mention(&mut self, label: &str) -> Result<usize, String> {
        let known = self.cited.iter().position(|cited| cited == label);
        let number = known.unwrap_or(self.cited.len()) + 1;
        let mut id = String::new();
        if known.is_none() {
            self.cited.push(label.to_owned());
            id = format!(" id=\"mention-{number}\"");
        }
        self.html(format!(
            "<sup class=\"mention\"><a href=\"#source-{number}\"{id}>{number}</a></sup>"
        ))
    }

    /// A source: its events are kept for the end of the page.
    fn source(&mut self, at: usize, label: &str) -> Result<usize, String> {
        let mut events = Vec::new();
        for (event, place) in &self.events[at + 1..] {
            match event {
                Event::End(TagEnd::FootnoteDefinition) => break,
                Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => {}
                _ => events.push(self.linked(event, place)?),
            }
        }
        let end = |(event, _): &Placed| matches!(event, Event::End(TagEnd::FootnoteDefinition));
        let taken = self.events[at..].iter().position(end).unwrap_or(0) + 1;
        self.written.push((label.to_owned(), events));
        Ok(taken)
    }

    /// The sources as HTML, in the order in which they are mentioned.
    fn sources(&self) -> Vec<String> {
        let of = |label: &String| {
            let events = self.written.iter().find(|(written, _)| written == label);
            let mut html = String::new();
            html::push_html(&mut html, events.into_iter().flat_map(|(_, all)| all.clone()));
            html
        };
        self.cited.iter().map(of).collect()
    }

    /// The text of the heading or term that begins at `at`.
    fn text_from(&self, at: usize) -> String {
        let mut text = String::new();
        for (event, _) in &self.events[at + 1..] {
            match event {
                Event::Text(part) | Event::Code(part) => text.push_str(part),
                Event::End(TagEnd::Heading(_) | TagEnd::DefinitionListTitle) => break,
                _ => {}
            }
        }
        text
    }

    fn anchor(&mut self, id: String) -> Result<String, String> {
        if id.is_empty() || OF_THE_PAGE.contains(&id.as_str()) || self.anchors.contains(&id) {
            return Err(format!("the anchor `{id}` is taken: choose another title"));
        }
        self.anchors.push(id.clone());
        Ok(id)
    }
}

fn is_comment(html: &str) -> bool {
    let html = html.trim();
    html.starts_with("<!--") && html.ends_with("-->")
}

/// Units that stay on the line of their number.
const UNITS: [&str; 12] = ["s", "ms", "µs", "min", "h", "B", "KB", "MB", "GB", "TB", "%", "USD"];

/// A text in which no line ends between a number and its unit.
fn units_kept(text: CowStr<'_>) -> CowStr<'_> {
    let mut kept = String::with_capacity(text.len() + 8);
    let mut rest = &*text;
    while let Some(space) = rest.find(' ') {
        let (before, after) = (&rest[..space], &rest[space + 1..]);
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '%';
        let word = &after[..after.find(|letter| !is_word(letter)).unwrap_or(after.len())];
        kept.push_str(before);
        let binds = before.ends_with(|last: char| last.is_ascii_digit()) && UNITS.contains(&word);
        kept.push(if binds { '\u{a0}' } else { ' ' });
        rest = after;
    }
    if kept.is_empty() {
        return text;
    }
    kept.push_str(rest);
    kept.into()
}
