//! What etcd's replies say.

use crate::wire::Reply;

/// The lease that has just been granted.
pub(super) fn lease(reply: &Reply) -> Option<u64> {
    let Reply::Array(items) = reply else { return None };
    u64::try_from(items.first()?.integer()?).ok()
}

/// A place in the queue.
pub(super) struct Place {
    pub revision: u64,
    pub is_first: bool,
}

/// The place that a transaction found: the own key has just been put, or was there already.
pub(super) fn entered(reply: &Reply) -> Option<Place> {
    let Reply::Array(items) = reply else { return None };
    let [succeeded, mine, first] = &items[..] else { return None };
    let revision = match succeeded.integer()? {
        0 => key(mine)?.1,
        _ => u64::try_from(mine.integer()?).ok()?,
    };
    Some(Place { revision, is_first: key(first)?.1 == revision })
}

/// A key and the revision of its creation, as `get` shows them.
pub(super) fn key(reply: &Reply) -> Option<(String, u64)> {
    let Reply::Array(items) = reply else { return None };
    Some((items.first()?.text()?, u64::try_from(items.get(2)?.integer()?).ok()?))
}
