//! What a host tells those who read it by machine: where the map of the site is.

use super::Site;
use crate::output::Output;

/// Writes `robots.txt`, and the map where the site's address is known, which a map must name.
///
/// # Errors
/// Names the file that could not be written.
pub fn write(site: &Site, paths: &[String], output: &mut Output) -> Result<(), String> {
    let Some(base) = &site.base_url else {
        return output.put("robots.txt", "User-agent: *\nAllow: /\n");
    };
    output.put("robots.txt", format!("User-agent: *\nAllow: /\nSitemap: {base}sitemap.xml\n"))?;
    let mut map = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for path in paths {
        let address = path.trim_end_matches("index.html");
        map.push_str(&format!("  <url><loc>{base}{address}</loc></url>\n"));
    }
    output.put("sitemap.xml", map + "</urlset>\n")
}
