//! Many messages at once.

use super::super::crowd::SIGNS;
use super::*;

/// The frame with so many messages on their way into the queue, one of which is followed.
fn crowded(count: usize) -> Frame {
    let mut frame = frame();
    let first = frame.travels[0].clone();
    let riding = |n: usize| Travel {
        message: message(if n == 7 { 5 } else { 18 }),
        arrives: secs(34.5 + n as f64 / 50.0),
        ..first.clone()
    };
    frame.travels = (0..count).map(riding).collect();
    frame
}

#[test]
fn a_crowd_is_drawn_as_dots_and_who_is_followed_keeps_its_sign() {
    let on_its_way = |n| Part::Travel(message(n), TravelKind::Publish, None);
    for shape in [Shape::Wide, Shape::Tall] {
        let few = show(&crowded(SIGNS), shape, as_it_is);
        assert!(few.motions.crowd.is_none() && !few.svg.contains("data-crowd"), "{shape:?}");
        let many = show(&crowded(300), shape, as_it_is);
        assert!(many.motions.of(on_its_way(18)).is_none(), "{shape:?}: no sign is moved");
        let (name, _) = many.motions.of(on_its_way(5)).expect("the followed one is");
        assert!(many.svg.contains(&["data-m=\"", &name, "\""].concat()), "{shape:?}");
        assert_eq!(many.svg.matches("data-crowd").count(), 8, "{shape:?}: a path a key");
        assert!(many.svg.contains(">299<"), "{shape:?}: how many there are is said");
        // The painter alone writes the paths of a live map; a picture has them at once.
        let still = show(&crowded(300), shape, |scene| scene.mode = Mode::Still);
        let dots = |d: &str| d.matches("h0").count();
        assert_eq!(dots(&many.svg), 0, "{shape:?}");
        let crowd = many.motions.crowd.expect("a crowd");
        let at = |seconds: f64| crowd.paths(secs(seconds)).iter().map(|d| dots(d)).sum::<usize>();
        assert_eq!(dots(&still.svg), at(34.2), "{shape:?}");
        assert_eq!(at(34.1), 0, "{shape:?}: all are where they left from, under the sign");
        assert!((3..299).contains(&at(35.0)), "{shape:?}: {} dots", at(35.0));
        let nobody = motions(&crowded(300), &many.plan, &words(), None);
        let crowd = nobody.crowd.expect("a crowd");
        let at = |seconds: f64| crowd.paths(secs(seconds)).iter().map(|d| dots(d)).sum::<usize>();
        assert_eq!(at(34.1), 1, "{shape:?}: without a sign all are where they left from");
        assert_eq!(at(99.0), 1, "{shape:?}: all have come to the end");
    }
}

#[test]
fn no_dot_lies_on_a_number() {
    // Lines that run into each other pass the middles of one another.
    let feeds: String = (0..8)
        .map(|n| {
            format!(
                r#""feed-{n}": {{ "is": "source", "to": "jobs-{}", "travel": "20s",
                   "arrivals": {{ "poisson": {{ "per_second": 4 }} }}, "messages": [ {{}} ] }},"#,
                n % 2
            )
        })
        .collect();
    let components = feeds
        + r#""jobs-0": { "is": "queue", "profile": "plain" },
             "jobs-1": { "is": "queue", "profile": "plain" }"#;
    let player = crate::testing::run(&components, 19);
    let frame = player.frame();
    let plan = plan(player.scenario(), Shape::Wide);
    let crowd = motions(&frame, &plan, &words(), None).crowd.expect("a crowd");
    let numbers: Vec<_> = crowd.counts().map(|(_, foot, _)| foot.moved(0.0, -4.0)).collect();
    assert_eq!(numbers.len(), 8);
    let mut dots = 0;
    crowd.each(frame.now, |_, dot| {
        dots += 1;
        let lies_on =
            numbers.iter().find(|at| (dot.x - at.x).abs() < 16.0 && (dot.y - at.y).abs() < 10.0);
        assert!(lies_on.is_none(), "{dot:?} lies on {lies_on:?}");
    });
    assert!(dots > 100, "{dots} dots");
}
