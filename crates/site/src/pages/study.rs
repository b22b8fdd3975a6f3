//! The own page of a quiz or a tree.

use maud::Markup;

use super::Site;
use super::unit::Unit;
use crate::still::Place;
use crate::study::{Study, fallback};

/// The page of one quiz or tree.
pub fn page(site: &Site, study: &Study) -> Markup {
    let unit = Unit {
        id: &study.id,
        title: study.title(),
        description: study.lesson(),
        from: ("exhibits/", "page.nav.gallery"),
    };
    unit.page(site, |root| fallback(study, Place::OwnPage, root, &site.words))
}
