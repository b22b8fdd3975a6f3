//! The frame face: a page with nothing but an exhibit, for pages that allow only a frame.

use maud::{DOCTYPE, Markup, html};

use super::Site;

/// The page that frames show.
pub fn page(site: &Site) -> Markup {
    let words = &site.words;
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                title { (words.say("embed.title")) }
                link rel="stylesheet" href=(site.assets.styles.css);
                link rel="icon" type="image/svg+xml" href="icon.svg";
                script src="element.js" defer {}
                script src="embed.js" defer {}
            }
            body.framed {
                main {
                    p.exhibit__note data-none hidden { (words.say("embed.none")) }
                    noscript {
                        p.exhibit__note {
                            (words.say("exhibit.noscript"))
                            @for (exhibit, _) in &site.exhibits {
                                " " a href={ "exhibits/" (exhibit.id) "/" } target="_blank" rel="noopener" { (exhibit.title) }
                            }
                        }
                    }
                }
            }
        }
    }
}
