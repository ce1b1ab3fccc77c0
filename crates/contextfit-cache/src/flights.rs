//! One shared call for concurrent requests of the same key.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::watch;

use crate::Key;

/// Calls in progress, by key. The first caller leads; the others wait for its result. If a leader is dropped without
/// one (its task was cancelled), one of the waiting callers leads.
pub(crate) struct Flights<T>(Mutex<Under<T>>);

/// `None` until the leader is done.
type Under<T> = HashMap<Key, watch::Receiver<Option<T>>>;

impl<T> Default for Flights<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> Flights<T> {
    /// Leads, or waits for the leader.
    pub(crate) fn join(self: &Arc<Self>, key: Key) -> Flight<T> {
        match self.under().entry(key) {
            Entry::Occupied(entry) => Flight::Wait(Wait(entry.get().clone())),
            Entry::Vacant(entry) => {
                let (sender, receiver) = watch::channel(None);
                entry.insert(receiver);
                Flight::Lead(Lead { flights: Arc::clone(self), key, sender })
            }
        }
    }

    fn under(&self) -> MutexGuard<'_, Under<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A role in a flight.
pub(crate) enum Flight<T: Clone> {
    Lead(Lead<T>),
    Wait(Wait<T>),
}

/// The leader's role. Dropping it ends the flight.
pub(crate) struct Lead<T: Clone> {
    flights: Arc<Flights<T>>,
    key: Key,
    sender: watch::Sender<Option<T>>,
}

impl<T: Clone> Lead<T> {
    /// Passes the result to all waiting callers.
    pub(crate) fn land(self, result: T) {
        self.sender.send_replace(Some(result));
    }
}

impl<T: Clone> Drop for Lead<T> {
    fn drop(&mut self) {
        // The key is removed before the sender is dropped: a caller that notices the drop must be able to lead.
        self.flights.under().remove(&self.key);
    }
}

/// The role of one who waits.
pub(crate) struct Wait<T>(watch::Receiver<Option<T>>);

impl<T: Clone> Wait<T> {
    /// The result; `None` if the leader was dropped without one.
    pub(crate) async fn landed(mut self) -> Option<T> {
        self.0.wait_for(Option::is_some).await.ok().and_then(|result| result.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lead(flights: &Arc<Flights<u8>>, key: Key) -> Lead<u8> {
        match flights.join(key) {
            Flight::Lead(lead) => lead,
            Flight::Wait(_) => panic!("somebody leads"),
        }
    }

    fn wait(flights: &Arc<Flights<u8>>, key: Key) -> Wait<u8> {
        match flights.join(key) {
            Flight::Wait(wait) => wait,
            Flight::Lead(_) => panic!("nobody leads"),
        }
    }

    #[tokio::test]
    async fn who_waits_gets_what_the_leader_got() {
        let flights = Arc::default();
        let key = Key::of_original(b"key");
        let first = lead(&flights, key);
        let (one, other) = (wait(&flights, key), wait(&flights, key));
        first.land(7);
        assert_eq!((one.landed().await, other.landed().await), (Some(7), Some(7)));
        drop(lead(&flights, key));
    }

    #[tokio::test]
    async fn when_the_leader_goes_away_another_leads() {
        let flights = Arc::default();
        let key = Key::of_original(b"key");
        let first = lead(&flights, key);
        let (one, other) = (wait(&flights, key), wait(&flights, key));
        drop(first);
        assert_eq!(one.landed().await, None);
        let second = lead(&flights, key);
        assert_eq!(other.landed().await, None);
        second.land(8);
    }
}
