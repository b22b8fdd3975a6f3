//! Groups and their divisions: `topics` with their sizes, `members` with what they subscribe to and
//! own, and what each assignor made of it, in its own order.
//!
//! The members are handed over in `java_hashmap_order`, which is checked as well: it is where a
//! Java leader's hash map of those names leads.

use std::collections::BTreeMap;

use broker::log::group::assignor::{Assignment, Assignor, Subscription, Topics, hash_order};
use broker::log::{Generation, InstanceId, MemberId, PartitionId, TopicId, TopicPartition};

use super::{Case, Node, Problem, case, compare, first_has};

const FRESH: [(&str, Assignor); 3] = [
    ("range", Assignor::Range),
    ("roundrobin", Assignor::RoundRobin),
    ("sticky_fresh", Assignor::Sticky),
];

pub(super) fn recognises(root: &Node<'_>) -> bool {
    first_has(root, "cases", "members") && first_has(root, "cases", "topics")
}

pub(super) fn replay(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let mut cases = Vec::new();
    for (number, group) in
        root.need("cases", "give it a list of groups")?.items()?.iter().enumerate()
    {
        for (column, assignor) in FRESH {
            if let Some(expected) = group.get(column) {
                let run = || Group::read(group, group)?.check(assignor, &expected);
                cases.push(case(format!("group {number}, {column}"), run));
            }
        }
        let Some(rounds) = group.get("cooperative_rounds") else { continue };
        for (index, round) in rounds.items()?.iter().enumerate() {
            let name = format!("group {number}, cooperative round {}", index + 1);
            cases.push(case(name, || Group::read(group, round)?.check_round(round)));
        }
    }
    Ok(cases)
}

/// Names of topics or members, and the numbers that keep their order.
struct Names<'a>(Vec<&'a str>);

impl<'a> Names<'a> {
    fn new(mut names: Vec<&'a str>) -> Self {
        names.sort_unstable();
        names.dedup();
        Self(names)
    }

    fn number(&self, name: &Node<'_>) -> Result<u32, Problem> {
        let found = self.0.binary_search(&name.text()?);
        found.map(|index| index as u32).map_err(|_| name.problem("unknown", "name one from above"))
    }
}

struct Group<'a> {
    topic_names: Names<'a>,
    member_names: Names<'a>,
    topics: Topics,
    /// In the order of a Java leader.
    members: Vec<Subscription>,
    /// What is wrong with that order.
    differences: Vec<String>,
}

impl<'a> Group<'a> {
    /// Reads the topics of a group, and the members of the group or of a round of its.
    fn read(group: &Node<'a>, round: &Node<'a>) -> Result<Self, Problem> {
        let sizes = group.need("topics", "name the topics")?.members()?;
        let topic_names = Names::new(sizes.iter().map(|(name, _)| *name).collect());
        let rows = round.need("members", "list the members")?.items()?;
        let names: Vec<&str> =
            rows.iter().map(|row| row.need("id", "name it")?.text()).collect::<Result<_, _>>()?;
        let instances = rows.iter().filter_map(|row| row.get("instance_id"));
        let instances = Names::new(instances.map(|name| name.text()).collect::<Result<_, _>>()?);
        let mut group = Self {
            topic_names,
            member_names: Names::new(names.clone()),
            topics: Topics::new(),
            members: Vec::new(),
            differences: Vec::new(),
        };
        for (position, (_, size)) in sizes.iter().enumerate() {
            // Sorted by name already: the file's reader keeps objects that way, or the names do.
            let name = sizes[position].0;
            let index = group.topic_names.0.binary_search(&name).unwrap_or_default();
            group.topics.insert(TopicId::from_index(index as u32), size.whole()?);
        }
        let generation = round.get("generation").map(|number| number.whole()).transpose()?;
        for row in &rows {
            let subscription = group.subscription(row, &instances, generation)?;
            group.members.push(subscription);
        }
        group.put_in_order(round, &names)?;
        Ok(group)
    }

    fn subscription(
        &self,
        row: &Node<'_>,
        instances: &Names<'_>,
        generation: Option<u32>,
    ) -> Result<Subscription, Problem> {
        let instance = row.get("instance_id").map(|name| instances.number(&name)).transpose()?;
        let topic = |name: &Node<'_>| Ok(TopicId::from_index(self.topic_names.number(name)?));
        let owned = row.get("owned").map_or(Ok(Vec::new()), |owned| owned.items())?;
        let owned: Vec<TopicPartition> =
            owned.iter().map(|owned| self.partition(owned)).collect::<Result<_, _>>()?;
        Ok(Subscription {
            member: MemberId::from_index(self.member_names.number(&row.need("id", "name it")?)?),
            instance: instance.map(InstanceId::from_index),
            topics: row
                .need("topics", "list what it subscribes to")?
                .items()?
                .iter()
                .map(topic)
                .collect::<Result<_, _>>()?,
            generation: generation.map(Generation::from_index),
            owned,
        })
    }

    /// Puts the members in the order of a Java leader, and checks it against the written one.
    fn put_in_order(&mut self, round: &Node<'_>, names: &[&str]) -> Result<(), Problem> {
        let order = hash_order(names);
        if let Some(written) = round.get("java_hashmap_order") {
            let written = written.items()?;
            let written: Vec<&str> = written.iter().map(Node::text).collect::<Result<_, _>>()?;
            let actual: Vec<&str> = order.iter().map(|position| names[*position]).collect();
            compare(&mut self.differences, "java_hashmap_order", &written, &actual);
        }
        self.members = order.iter().map(|position| self.members[*position].clone()).collect();
        Ok(())
    }

    /// A partition from its name: `topic-number`.
    fn partition(&self, name: &Node<'_>) -> Result<TopicPartition, Problem> {
        let text = name.text()?;
        let parts = text.rsplit_once('-').and_then(|(topic, number)| {
            let topic = self.topic_names.0.binary_search(&topic).ok()?;
            Some((topic as u32, number.parse().ok()?))
        });
        let (topic, number) =
            parts.ok_or_else(|| name.problem("no partition", "write topic, hyphen, number"))?;
        Ok(TopicPartition::new(TopicId::from_index(topic), PartitionId::from_index(number)))
    }

    fn check(mut self, assignor: Assignor, expected: &Node<'_>) -> Result<Vec<String>, Problem> {
        let actual = assignor.assign(&self.topics, &self.members);
        self.compare(expected, &actual)?;
        Ok(self.differences)
    }

    /// A round gives out the assignment, and says whether somebody has to give something up.
    fn check_round(mut self, round: &Node<'_>) -> Result<Vec<String>, Problem> {
        let actual = Assignor::CooperativeSticky.assign(&self.topics, &self.members);
        self.compare(&round.need("assignment", "write what came out")?, &actual)?;
        let gives_up = self.members.iter().any(|member| {
            let given = &actual[&member.member];
            member.owned.iter().any(|owned| !given.contains(owned))
        });
        if let Some(expected) = round.get("some_member_must_revoke") {
            let expected = expected.truth()?;
            compare(&mut self.differences, "some_member_must_revoke", &expected, &gives_up);
        }
        Ok(self.differences)
    }

    fn compare(&mut self, expected: &Node<'_>, actual: &Assignment) -> Result<(), Problem> {
        let mut written: BTreeMap<&str, Vec<TopicPartition>> = BTreeMap::new();
        for (name, given) in expected.members()? {
            let given = given.items()?;
            let given = given.iter().map(|name| self.partition(name)).collect::<Result<_, _>>()?;
            written.insert(name, given);
        }
        let name = |member: &MemberId| self.member_names.0[member.index()];
        let named: BTreeMap<&str, Vec<TopicPartition>> =
            actual.iter().map(|(member, given)| (name(member), given.clone())).collect();
        for (name, given) in &written {
            let actual = named.get(name).map(|given| self.told(given)).unwrap_or_default();
            compare(&mut self.differences, name, &self.topic_names.told(given), &actual);
        }
        compare(&mut self.differences, "members", &written.len(), &named.len());
        Ok(())
    }

    fn told(&self, given: &[TopicPartition]) -> String {
        self.topic_names.told(given)
    }
}

impl Names<'_> {
    fn told(&self, given: &[TopicPartition]) -> String {
        let told = given.iter().map(|TopicPartition { topic, partition }| {
            format!("{}-{partition}", self.0[topic.index()])
        });
        told.collect::<Vec<_>>().join(" ")
    }
}
