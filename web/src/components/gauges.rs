//! Gauges: a number that matters, what it was, and what is odd about it.

use yew::prelude::*;

use crate::state::{Reading, SPARK};

/// The gauges of an exhibit.
pub struct Gauges {
    /// What they read, in the exhibit's order.
    pub readings: Vec<Reading>,
    /// Where each number stands, for the painter; as many as there are readings.
    pub places: Vec<NodeRef>,
}

impl Gauges {
    /// A row of gauges.
    pub fn draw(&self) -> Html {
        if self.readings.is_empty() {
            return Html::default();
        }
        html! {
            <dl class="gauges">
                { for self.readings.iter().zip(&self.places).map(|(r, place)| gauge(r, place)) }
            </dl>
        }
    }
}

fn gauge(reading: &Reading, place: &NodeRef) -> Html {
    let odd = (!reading.note.is_empty()).then_some("is-odd");
    let viewbox = ["0 0 ", &SPARK.0.to_string(), " ", &SPARK.1.to_string()].concat();
    html! {
        <div class={classes!("gauge", odd)}>
            <dt>{ &reading.label }</dt>
            <dd>
                <b ref={place.clone()}>{ &reading.value }</b>
                if !reading.unit.is_empty() { <span class="gauge__unit">{ &reading.unit }</span> }
            </dd>
            <dd class="gauge__spark" aria-hidden="true">
                <svg
                    class="spark"
                    width={SPARK.0.to_string()}
                    height={SPARK.1.to_string()}
                    viewBox={viewbox}
                >
                    <path class="spark-base" d="M2 23.5H110" />
                    <path class="spark-next" d={reading.future.clone()} />
                    <path class="spark-line" d={reading.past.clone()} />
                    <circle
                        class="spark-dot"
                        cx={reading.dot.0.to_string()}
                        cy={reading.dot.1.to_string()}
                        r="3"
                    />
                </svg>
            </dd>
            <dd class="gauge__note">{ &reading.note }</dd>
        </div>
    }
}
