//! Sessions on the life of a message.

use std::rc::Rc;

use course::Exhibit;
use scenario::wire::Value;
use sim::SimTime;

use super::*;
use crate::words::Words;

fn exhibit() -> Rc<Exhibit> {
    let text = include_str!("../../../crates/course/content/exhibits/event-life.json");
    let document: Value = serde_json::from_str(text).expect("the exhibit is JSON");
    Rc::new(Exhibit::read(&document).expect("the exhibit is sound"))
}

fn words() -> Words {
    let text = include_str!("../../../static/lang/en.json");
    let all: std::collections::BTreeMap<String, String> =
        serde_json::from_str(text).expect("the catalogue is JSON");
    Words::new(all)
}

fn session() -> Session {
    Session::open(exhibit())
}

fn at(tenths: u64) -> SimTime {
    SimTime::from_micros(tenths * 100_000)
}

#[test]
fn look() {
    let mut s = session();
    s.act(Act::Seek(at(342)));
    let w = words();
    println!("{}", scene(&w, &s.names().clone(), &s.frame().clone(), s.life()));
    for r in readings(&mut s, &w) {
        println!("{r:?}");
    }
    for m in marks(&s, &w) {
        println!("{m:?}");
    }
    for l in lines(&s, &w, 30, 12).lines {
        println!("{:?} {} {:?}", l.index, l.text, l.mark);
    }
    for l in offers(&s, &w) {
        println!("{l:?}");
    }
    for l in takes(&s, &w) {
        println!("{l:?}");
    }
    for l in dials(&s, &w) {
        println!("{l:?}");
    }
    let names = s.names().clone();
    let now = s.now();
    println!("{:#?}", strip(&w, &names, s.life().unwrap(), now));
    println!("{:?}", s.run_state().encode());
}
