//! Snippets: code to take along, with a button that copies it.

use maud::{Markup, html};

use crate::words::Words;

/// The host that snippets name; the pages' script puts the real one in its place.
const HOST: &str = "https://host/inflight";

/// The element, for pages that allow a script.
pub fn element((id, title): (&str, &str), root: &str, words: &Words) -> Markup {
    let code = format!(
        "<script src=\"{HOST}/element.js\" async></script>\n\
         <in-flight exhibit=\"{id}\">\n  \
         <a href=\"{HOST}/exhibits/{id}/\">{title}</a>\n\
         </in-flight>"
    );
    snippet(words.say("exhibit.snippet.element"), &code, root, words)
}

/// The frame, for pages that do not.
pub fn frame((id, title): (&str, &str), root: &str, words: &Words) -> Markup {
    let code = format!(
        "<iframe src=\"{HOST}/embed.html?exhibit={id}\"\n  \
         title=\"{title}\" width=\"100%\" height=\"720\"\n  loading=\"lazy\" allowfullscreen\n  \
         sandbox=\"allow-scripts allow-same-origin allow-popups allow-downloads\"></iframe>"
    );
    snippet(words.say("exhibit.snippet.frame"), &code, root, words)
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
