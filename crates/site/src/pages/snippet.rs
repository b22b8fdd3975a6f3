//! Snippets: code to take along, with a button that copies it.

use maud::{Markup, html};

use super::hosts::Host;
use crate::words::Words;

/// The host that snippets name; the pages' script puts the real one in its place.
const HOST: &str = "https://host/inflight";

/// The element, for pages that allow a script.
pub fn element((id, title): (&str, &str), root: &str, words: &Words) -> Markup {
    let tag = tag((id, title));
    let code = format!("<script src=\"{HOST}/element.js\" async></script>\n{tag}");
    snippet(words.say("exhibit.snippet.element"), &code, root, words)
}

/// The tag alone.
fn tag((id, title): (&str, &str)) -> String {
    format!(
        "<in-flight exhibit=\"{id}\">\n  \
         <a href=\"{HOST}/exhibits/{id}/\">{title}</a>\n\
         </in-flight>"
    )
}

/// What is written into a page of some kind.
pub fn hosted(host: &Host, shown: (&str, &str), root: &str, words: &Words) -> Markup {
    let code = host.code.replace("{element}", &tag(shown)).replace("{frame}", &framed(shown));
    snippet(words.say(&format!("authors.host.{}", host.key)), &code, root, words)
}

/// The frame, for pages that do not.
pub fn frame((id, title): (&str, &str), root: &str, words: &Words) -> Markup {
    snippet(words.say("exhibit.snippet.frame"), &framed((id, title)), root, words)
}

/// The frame alone.
fn framed((id, title): (&str, &str)) -> String {
    format!(
        "<iframe src=\"{HOST}/embed.html?exhibit={id}\"\n  \
         title=\"{title}\" width=\"100%\" height=\"720\"\n  loading=\"lazy\" allowfullscreen\n  \
         sandbox=\"allow-scripts allow-same-origin allow-popups allow-downloads\"></iframe>"
    )
}

fn snippet(title: &str, code: &str, root: &str, words: &Words) -> Markup {
    let here = if root.is_empty() { "./" } else { root };
    html! {
        figure.snippet {
            figcaption {
                span { (title) }
                button.btn."btn--small" type="button" hidden data-copy
                    data-copied=(words.say("page.copied")) { (words.say("page.copy")) }
            }
            pre tabindex="0" aria-label=(title) { code data-here=(here) { (code) } }
        }
    }
}
