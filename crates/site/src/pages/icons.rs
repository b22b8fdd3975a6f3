//! The few drawings of the pages: the mark, the theme button, the search.

use maud::{Markup, html};

/// The mark: a line that ends in a ring, and the arc of its time left.
pub fn logo() -> Markup {
    html! {
        svg.logo width="44" height="24" viewBox="0 0 44 24" aria-hidden="true" {
            path d="M1 19.5h14.5a5 5 0 0 0 3.5-1.5l6-6" {}
            circle cx="32" cy="9" r="6" {}
            path.logo-ring d="M41.5 9A9.5 9.5 0 0 0 32-.5" {}
        }
    }
}

/// The theme button: a disc, half dark.
pub fn theme() -> Markup {
    html! {
        svg.ico width="20" height="20" viewBox="0 0 24 24" aria-hidden="true" {
            circle cx="12" cy="12" r="8" {}
            path.fill d="M12 4a8 8 0 0 1 0 16z" {}
        }
    }
}

/// The search: a lens.
pub fn search() -> Markup {
    html! {
        svg.ico width="20" height="20" viewBox="0 0 24 24" aria-hidden="true" {
            circle cx="10.5" cy="10.5" r="6.5" {}
            path d="M15.5 15.5l5 5" {}
        }
    }
}
