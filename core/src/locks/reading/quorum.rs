//! Who holds a lock that lives on several independent nodes.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Holding, NodeRecords};
use crate::history::Mode;
use crate::locks::TokenForm;
use crate::time::Time;
use crate::wire::{ClientId, NodeId, Record, RecordValue};

/// The token that stands on a majority of `nodes`, until the instant at which it no longer does. There is at most one such token.
pub(super) fn read<'a>(
    now: Time,
    key: &str,
    form: TokenForm,
    nodes: impl Iterator<Item = &'a NodeRecords<'a>>,
    names: &[Arc<str>],
) -> Option<Holding> {
    let mut configured = 0;
    let mut votes: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    for board in nodes {
        configured += 1;
        let Some(record) = board.records.get(key).filter(|record| record.gone_at.is_none_or(|gone| gone > now)) else {
            continue;
        };
        if let RecordValue::Text(token) = &record.value {
            votes.entry(token).or_default().push(record);
        }
    }
    let quorum = configured / 2 + 1;
    let (token, mut records) = votes.into_iter().find(|(_, records)| records.len() >= quorum)?;
    // The majority lasts as long as the quorum's last record does.
    records.sort_by_key(|record| std::cmp::Reverse(record.gone_at.unwrap_or(Time::NEVER)));
    let ends = records[quorum - 1].gone_at;
    let (holder, number) = owner(token, form, names).or_else(|| Some((records[0].created_by?, 0)))?;
    Some(Holding { holder, mode: Mode::Exclusive, ends, identity: (NodeId::default(), number) })
}

/// The client that a token names, and which of its acquisitions.
pub(super) fn owner(token: &str, form: TokenForm, names: &[Arc<str>]) -> Option<(ClientId, u64)> {
    let (name, number) = match form {
        TokenForm::Unique => {
            let (name, number) = token.rsplit_once('-')?;
            (name, number.parse().ok()?)
        }
        TokenForm::PerClient => (token, 0),
        TokenForm::Fixed => return None,
    };
    let client = names.iter().position(|known| **known == *name)?;
    Some((ClientId(client as u16), number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Span;
    use crate::wire::SharedRecords;

    /// What a record on each node says: nothing, or a token and the second at which it ends.
    type Boards<'a> = &'a [Option<(&'a str, u64)>];

    fn holder(form: TokenForm, boards: Boards) -> Option<(u16, u64, Option<u64>)> {
        let second = |number| Time::START + Span::from_secs(number);
        let records: Vec<SharedRecords> = boards
            .iter()
            .map(|board| {
                board
                    .map(|(token, ends)| {
                        let (value, gone_at) = (RecordValue::Text(token.to_owned()), Some(second(ends)));
                        let record = Record { value, gone_at, created_by: Some(ClientId(1)), created: 1 };
                        ("lock".into(), record.into())
                    })
                    .into_iter()
                    .collect()
            })
            .collect();
        let boards: Vec<NodeRecords> = records
            .iter()
            .enumerate()
            .map(|(node, records)| NodeRecords { node: NodeId(node as u8), master: node == 0, records })
            .collect();
        let names = ["A".into(), "B".into(), "A-1".into()];
        let holding = read(second(5), "lock", form, boards.iter(), &names)?;
        Some((holding.holder.0, holding.identity.1, holding.ends.map(|ends| ends.0 / 1_000_000)))
    }

    #[test]
    fn a_majority_of_the_configured_nodes_decides_and_lasts_as_long_as_its_last_vote() {
        let a = |ends| Some(("A-1", ends));
        let unique = |boards: Boards| holder(TokenForm::Unique, boards);
        assert_eq!(unique(&[a(10), a(11), a(12), a(13), a(14)]), Some((0, 1, Some(12))));
        assert_eq!(unique(&[a(10), None, a(12), None, a(14)]), Some((0, 1, Some(10))));
        assert_eq!(unique(&[a(10), None, a(12), None, None]), None);
        assert_eq!(unique(&[a(5), None, a(12), None, a(14)]), None, "a record that is over is no vote");
        assert_eq!(unique(&[a(10), a(10), None, None]), None, "half is no majority");
        assert_eq!(
            unique(&[a(10), a(10), Some(("B-7", 9)), Some(("B-7", 9)), Some(("B-7", 9))]),
            Some((1, 7, Some(9)))
        );
    }

    #[test]
    fn two_tokens_of_one_client_are_two_leases_which_do_not_add_up() {
        assert_eq!(holder(TokenForm::Unique, &[Some(("A-1", 9)), Some(("A-2", 9)), None]), None);
    }

    #[test]
    fn a_token_names_its_client_by_its_form() {
        let all = |token| [Some((token, 9)); 3];
        assert_eq!(holder(TokenForm::Unique, &all("A-1-2")), Some((2, 2, Some(9))));
        assert_eq!(holder(TokenForm::PerClient, &all("A-1")), Some((2, 0, Some(9))));
        assert_eq!(holder(TokenForm::Fixed, &all("locked")), Some((1, 0, Some(9))), "only its creator is known");
    }
}
