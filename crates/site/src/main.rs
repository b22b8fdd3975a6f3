//! The site: turns the bundle that Trunk leaves in a folder into a folder for any static host.
//!
//! A map of the crate:
//! - [`source`] finds and reads the project's files; [`output`] writes the folder and names files
//!   by their content;
//! - [`stylesheet`] and [`loader`] put together the one sheet and the one script that foreign pages
//!   link to;
//! - [`engine`] cuts the module in two, so that a first picture does not wait for all of it;
//! - [`exhibit`] is what a page says about an exhibit, [`parts`] what it is made of, [`still`] its
//!   picture without an engine;
//! - [`attributes`] is the element's vocabulary, for those who put exhibits into pages of their own;
//! - [`markdown`] reads papers, [`course`] puts them in order;
//! - [`index`] is what the search finds, [`scripts`] are what pages run;
//! - [`ledger`] is the table of rules with their sources and tests;
//! - [`pages`] are the pages; [`links`] refuses to write a page with a dead link.
//!
//! # What this crate does not do
//! It decides nothing about a run and draws none itself: pictures and states in words come from
//! the front end's own components. It writes no inline script and no inline style, so that the
//! pages hold under `default-src 'self'`.

mod attributes;
mod build;
mod course;
mod engine;
mod exhibit;
mod index;
mod ledger;
mod links;
mod loader;
mod markdown;
mod output;
mod pages;
mod parts;
mod scripts;
mod sheet;
mod source;
mod still;
mod study;
mod stylesheet;
mod words;

use std::process::ExitCode;

const USAGE: &str =
    "usage: site <staging-folder> [--release] [--watch] [--base-url <https://host/path/>]";

fn main() -> ExitCode {
    let order = match build::Order::from_args(std::env::args().skip(1)) {
        Ok(order) => order,
        Err(message) => {
            eprintln!("site: {message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match build::build(&order) {
        Ok(written) => {
            println!("site: {written} files in {}", order.folder.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("site: {error}");
            ExitCode::FAILURE
        }
    }
}
