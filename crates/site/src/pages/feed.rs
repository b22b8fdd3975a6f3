//! The feed of changes: every line of `CHANGELOG.md`, the latest first, as RSS 2.0.
//!
//! RSS and not Atom, because an entry of Atom must have a date, and a line of the log has none.

use pulldown_cmark::{Event, Parser, Tag, TagEnd, html};

use super::Site;
use crate::output::{Output, hash};

/// Where it is.
pub const PATH: &str = "feed.xml";

/// A change, as a reader of feeds shows it.
#[derive(Debug, PartialEq, Eq)]
struct Item {
    /// What has changed, up to the first stop.
    title: String,
    /// All that is said of it, as HTML.
    body: String,
}

/// Writes the feed, if the site's address is known, which a feed must name.
///
/// # Errors
/// Names the file that could not be written.
pub fn write(site: &Site, output: &mut Output) -> Result<(), String> {
    let Some(base) = &site.base_url else { return Ok(()) };
    let title = escaped(site.words.say("page.feed"));
    let about = escaped(site.words.say("page.foot"));
    let mut feed = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\">\n<channel>\n\
         <title>{title}</title>\n<link>{base}</link>\n<description>{about}</description>\n\
         <atom:link href=\"{base}{PATH}\" rel=\"self\" type=\"application/rss+xml\"/>\n",
    );
    for Item { title, body } in items(&site.changes).iter().rev() {
        // A change is known again by its words.
        let id = hash(body.as_bytes());
        let (title, body) = (escaped(title), escaped(body));
        feed.push_str(&format!(
            "<item><title>{title}</title><guid isPermaLink=\"false\">inflight-{id:016x}</guid>\
             <description>{body}</description></item>\n",
        ));
    }
    output.put(PATH, feed + "</channel>\n</rss>\n")
}

/// The changes of a log in Markdown: the entries of its lists.
fn items(log: &str) -> Vec<Item> {
    let mut all = Vec::new();
    let mut depth = 0;
    let mut inside: Vec<Event> = Vec::new();
    for event in Parser::new(log) {
        match event {
            Event::Start(Tag::Item) => depth += 1,
            Event::End(TagEnd::Item) => {
                depth -= 1;
                if depth == 0 {
                    all.push(item(&std::mem::take(&mut inside)));
                }
            }
            event if depth > 0 => inside.push(event),
            _ => {}
        }
    }
    all
}

fn item(events: &[Event]) -> Item {
    let mut text = String::new();
    for event in events {
        match event {
            Event::Text(said) | Event::Code(said) => text.push_str(said),
            Event::SoftBreak => text.push(' '),
            _ => {}
        }
    }
    let end = [": ", ". ", "; "].iter().filter_map(|stop| text.find(stop)).min();
    let title = end.map_or(text.as_str(), |end| &text[..end]).trim_end_matches('.').to_owned();
    let mut body = String::new();
    html::push_html(&mut body, events.iter().cloned());
    Item { title, body: body.trim().to_owned() }
}

/// A text within XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_of_the_log_is_a_change() {
        let log =
            "# Changes\n\n## Unreleased\n\n- One: a thing.\n  It is `<new>`.\n- Two & a half.\n";
        let found = items(log);
        let titles: Vec<&str> = found.iter().map(|item| item.title.as_str()).collect();
        assert_eq!(titles, ["One", "Two & a half"]);
        assert_eq!(found[0].body, "One: a thing.\nIt is <code>&lt;new&gt;</code>.");
        assert_eq!(escaped(&found[1].body), "Two &amp;amp; a half.");
    }
}
