//! What a server keeps by name, in order and in one piece of memory: it is little, and copied whenever a search goes two ways.

use std::borrow::Borrow;

/// A map in the order of its keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sorted<K, V>(Vec<(K, V)>);

impl<K, V> Sorted<K, V> {
    /// A map of nothing.
    pub const fn new() -> Sorted<K, V> {
        Sorted(Vec::new())
    }

    /// How much is in it.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keys and values in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + Clone {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// Keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + Clone {
        self.0.iter().map(|(key, _)| key)
    }

    /// Values in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + Clone {
        self.0.iter().map(|(_, value)| value)
    }

    /// Values in the order of their keys, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// Keys and values in order, the values to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        self.0.iter_mut().map(|(key, value)| (&*key, value))
    }

    /// Keeps what `stays`.
    pub fn retain(&mut self, mut stays: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| stays(key, value));
    }
}

impl<K: Ord, V> Sorted<K, V> {
    /// Where a key stands, or would.
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(own, _)| own.borrow().cmp(key))
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|place| &self.0[place].1)
    }

    /// A key as it stands here, and its value.
    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|place| (&self.0[place].0, &self.0[place].1))
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|place| &mut self.0[place].1)
    }

    /// Whether there is a value of a key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// Gives a key this value: the value that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(place) => Some(std::mem::replace(&mut self.0[place].1, value)),
            Err(place) => {
                self.0.insert(place, (key, value));
                None
            }
        }
    }

    /// Takes a key out: the value that it had.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|place| self.0.remove(place).1)
    }

    /// The value of a key, which is made if there is none.
    pub fn or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let place = match self.place(&key) {
            Ok(place) => place,
            Err(place) => {
                self.0.insert(place, (key, make()));
                place
            }
        };
        &mut self.0[place].1
    }
}

impl<K, V> Default for Sorted<K, V> {
    fn default() -> Sorted<K, V> {
        Sorted::new()
    }
}

/// Of two values of one key the last counts.
impl<K: Ord, V> FromIterator<(K, V)> for Sorted<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(items: I) -> Sorted<K, V> {
        let mut sorted = Sorted::new();
        items.into_iter().for_each(|(key, value)| {
            sorted.insert(key, value);
        });
        sorted
    }
}
