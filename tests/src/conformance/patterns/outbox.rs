//! What a PostgreSQL server did with an outbox, with locks and with its log.
//!
//! Each member of the file is a case:
//!
//! | member | what is done |
//! | --- | --- |
//! | `id_gt_last_relay` | `steps`: `T1 insert->id1`, `T1 commit`, `poll id>0 -> [2], last=2`; `lost` |
//! | `logical_slot_order` | two transactions, the second commits first |
//! | `xmin_guard` | `while_T1_open`, `after`: what a guarded poll finds |
//! | `rollback_gap` | `ids`: what is there after an insert was rolled back |
//! | `skip_locked` | two relays that claim, and the second commits first |
//! | `for_update_no_skip_limit1` | a relay that waits for another's row |
//! | `inbox` | two inserts of one key, and the first commits or rolls back |
//! | `slot_wal` | what a slot holds back, before and after it is read |
//! | `conditional_update` | two updates that expect one status |

mod relays;
mod rows;

use patterns::database::{Database, Settings};
use patterns::outbox::{Capture, Outbox};
use sim::SimTime;

use super::{Case, Differences, Node, Problem, case, has_any, numbers};

const NOW: SimTime = SimTime::ZERO;

pub(super) fn recognises(root: &Node<'_>) -> bool {
    has_any(root, &["id_gt_last_relay", "skip_locked", "xmin_guard", "logical_slot_order"])
}

pub(super) fn replay(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    type Check = fn(&Node<'_>) -> Result<Differences, Problem>;
    let mut cases = Vec::new();
    for (name, node) in root.members()? {
        let check: Check = match name {
            "tool" | "source" | "note" => continue,
            "id_gt_last_relay" => relays::by_id,
            "logical_slot_order" => relays::slot_order,
            "xmin_guard" => relays::guard,
            "skip_locked" => relays::skip_locked,
            "for_update_no_skip_limit1" => relays::waiting,
            "rollback_gap" => rows::gap,
            "inbox" => rows::inbox,
            "conditional_update" => rows::conditional_update,
            "slot_wal" => slot_wal,
            _ => unknown,
        };
        cases.push(case(name, || check(&node)));
    }
    Ok(cases)
}

fn unknown(node: &Node<'_>) -> Result<Differences, Problem> {
    Err(node.problem("no such case", "use a name that the module's table has"))
}

struct House {
    database: Database,
    outbox: Outbox,
}

impl House {
    fn new() -> Self {
        let mut database = Database::new(Settings::default());
        let outbox = Outbox::create(&mut database);
        Self { database, outbox }
    }
}

/// Bytes are those of one server's pages and records; what holds everywhere is that a slot holds
/// back all that is written, 5 % of overhead aside, and next to nothing once it is read: less than a
/// page of 8 KiB.
fn slot_wal(node: &Node<'_>) -> Result<Differences, Problem> {
    let value = |key| node.need(key, "give the bytes before, after the writes and after reading");
    let mut house = House::new();
    let mut capture = Capture::create(house.outbox, &mut house.database);
    let before = value("before_bytes")?.number()?;
    house.database.wal_mut().write_unrelated(before as u64);
    let written = 20_u64 << 20;
    house.database.wal_mut().write_unrelated(written);
    let retained = |house: &House| {
        let slot = house.database.wal().slot(capture.slot());
        slot.map_or(0, |slot| slot.retained_bytes) as f64
    };
    let mut differences = Differences::default();
    let after = value("after_20MB_unrelated_writes_and_checkpoint")?.number()?;
    differences.near("retained", after, retained(&house), after * 0.05);
    capture.heartbeat(house.database.wal_mut());
    let slot = house.database.wal().slot(capture.slot());
    let left = slot.map_or(0, |slot| slot.retained_bytes) as f64;
    differences.near("retained once read", value("after_consume")?.number()?, left, 8_192.0);
    Ok(differences)
}
