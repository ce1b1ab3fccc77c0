//! The tables of the file.

use std::{
    collections::HashSet,
    io, mem,
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use redb::{
    Database, DatabaseError, ReadableDatabase, ReadableTable, ReadableTableMetadata, StorageError, Table,
    TableDefinition, WriteTransaction,
};

use crate::{
    BackendStat, CacheEntry, CacheError, Digest, Key, Space,
    clock::{from_millis, to_millis},
};

pub(super) const NAME: &str = "disk";

/// A key as stored in the tables.
type Id = [u8; 33];

/// The values.
const VALUES: TableDefinition<'_, Id, &[u8]> = TableDefinition::new("values");
/// For each value: its last use as a turn, its bytes, its expiry, whether it is held.
const MARKS: TableDefinition<'_, Id, (u64, u64, u64, bool)> = TableDefinition::new("marks");
/// Entries that may be dropped, by turn.
const TURNS: TableDefinition<'_, u64, Id> = TableDefinition::new("turns");
/// The figures below.
const TOTALS: TableDefinition<'_, &str, u64> = TableDefinition::new("totals");

/// Bytes of an entry besides its value: its keys and marks in three tables.
const ENTRY_BYTES_ON_DISK: u64 = 128;

/// The maximum number of reads remembered until the next put.
const REMEMBERED: usize = 4096;

/// The file, and the entries read since the last put.
pub(super) struct Tables {
    database: Database,
    capacity: u64,
    read: Mutex<HashSet<Id>>,
}

impl Tables {
    /// The tables of `database`, created if missing.
    pub(super) fn new(database: Database, capacity: u64) -> Result<Self, StoreError> {
        let transaction = database.begin_write()?;
        Open::new(&transaction)?;
        transaction.commit()?;
        Ok(Self { database, capacity, read: Mutex::default() })
    }

    pub(super) fn get_all(&self, keys: &[Key]) -> Result<Vec<Option<Arc<[u8]>>>, StoreError> {
        let values = self.database.begin_read()?.open_table(VALUES)?;
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            let value = values.get(key.to_bytes())?;
            found.push(value.map(|value| Arc::from(value.value())));
        }
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let hits =
            keys.iter().zip(&found).filter(|(_, found)| found.is_some()).map(|(key, _)| key.to_bytes());
        let room = REMEMBERED.saturating_sub(read.len());
        read.extend(hits.take(room));
        Ok(found)
    }

    /// The digests in `space` that start with `prefix`, in hexadecimal; at most `limit` of them.
    pub(super) fn starting(
        &self,
        space: Space,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<Digest>, StoreError> {
        let values = self.database.begin_read()?.open_table(VALUES)?;
        let mut found = Vec::new();
        let (Ok(from), Ok(to)) = (filled(prefix, '0').parse(), filled(prefix, 'f').parse()) else {
            return Ok(found);
        };
        let bytes = |digest| Key { space, digest }.to_bytes();
        for entry in values.range(bytes(from)..=bytes(to))?.take(limit) {
            let (key, _) = entry?;
            found.extend(key.value().last_chunk().copied().map(Digest::from_bytes));
        }
        Ok(found)
    }

    pub(super) fn put_all(&self, entries: &[CacheEntry], now: SystemTime) -> Result<(), StoreError> {
        let read = mem::take(&mut *self.read.lock().unwrap_or_else(PoisonError::into_inner));
        let transaction = self.database.begin_write()?;
        {
            let mut open = Open::new(&transaction)?;
            open.touch(read)?;
            entries.iter().try_for_each(|entry| open.put(entry, self.capacity, now))?;
            open.make_room(self.capacity)?;
            open.write_totals()?;
        }
        Ok(transaction.commit()?)
    }

    pub(super) fn remove(&self, key: Key) -> Result<(), StoreError> {
        let transaction = self.database.begin_write()?;
        {
            let mut open = Open::new(&transaction)?;
            open.remove(key.to_bytes())?;
            open.write_totals()?;
        }
        Ok(transaction.commit()?)
    }

    pub(super) fn stat(&self) -> Result<BackendStat, StoreError> {
        let transaction = self.database.begin_read()?;
        let totals = transaction.open_table(TOTALS)?;
        let total =
            |name| -> Result<u64, StoreError> { Ok(totals.get(name)?.map_or(0, |total| total.value())) };
        Ok(BackendStat {
            entries: Some(transaction.open_table(VALUES)?.len()?),
            bytes: Some(total("bytes")?),
            capacity: Some(self.capacity),
            evictions: Some(total("evictions")?),
        })
    }
}

/// `prefix`, padded with `digit` to the length of a digest.
fn filled(prefix: &str, digit: char) -> String {
    prefix.chars().chain(std::iter::repeat(digit)).take(64).collect()
}

/// The tables during a write.
struct Open<'t> {
    values: Table<'t, Id, &'static [u8]>,
    marks: Table<'t, Id, (u64, u64, u64, bool)>,
    turns: Table<'t, u64, Id>,
    totals: Table<'t, &'static str, u64>,
    bytes: u64,
    held: u64,
    turn: u64,
    evictions: u64,
}

impl<'t> Open<'t> {
    fn new(transaction: &'t WriteTransaction) -> Result<Self, StoreError> {
        let totals = transaction.open_table(TOTALS)?;
        let total =
            |name| -> Result<u64, StoreError> { Ok(totals.get(name)?.map_or(0, |total| total.value())) };
        let (bytes, held) = (total("bytes")?, total("held")?);
        let (turn, evictions) = (total("turn")?, total("evictions")?);
        Ok(Self {
            values: transaction.open_table(VALUES)?,
            marks: transaction.open_table(MARKS)?,
            turns: transaction.open_table(TURNS)?,
            totals,
            bytes,
            held,
            turn,
            evictions,
        })
    }

    fn write_totals(&mut self) -> Result<(), StoreError> {
        let totals =
            [("bytes", self.bytes), ("held", self.held), ("turn", self.turn), ("evictions", self.evictions)];
        for (name, total) in totals {
            self.totals.insert(name, total)?;
        }
        Ok(())
    }

    /// Moves entries that were read to the end of the queue for eviction.
    fn touch(&mut self, read: HashSet<Id>) -> Result<(), StoreError> {
        for id in read {
            let mark = self.marks.get(id)?.map(|mark| mark.value());
            if let Some((turn, bytes, expires, false)) = mark {
                self.turns.remove(turn)?;
                self.turn += 1;
                self.turns.insert(self.turn, id)?;
                self.marks.insert(id, (self.turn, bytes, expires, false))?;
            }
        }
        Ok(())
    }

    fn put(&mut self, entry: &CacheEntry, capacity: u64, now: SystemTime) -> Result<(), StoreError> {
        let bytes = entry.value.len() as u64 + ENTRY_BYTES_ON_DISK;
        if bytes > capacity {
            return Err(StoreError::Cache(CacheError::TooLarge { backend: NAME, bytes, capacity }));
        }
        let id = entry.key.to_bytes();
        let before = self.marks.get(id)?.map(|mark| mark.value());
        let mut expires = to_millis(entry.expires);
        if let Some((_, _, until, true)) = before.filter(|_| entry.held) {
            // Never (0) is later than any time.
            expires = if until == 0 || expires == 0 { 0 } else { until.max(expires) };
        }
        self.remove(id)?;
        if entry.held {
            if self.held + bytes > capacity {
                self.forget_expired(now)?;
            }
            if self.held + bytes > capacity {
                return Err(StoreError::Cache(CacheError::Full { backend: NAME, bytes, capacity }));
            }
            self.held += bytes;
        }
        self.bytes += bytes;
        self.turn += 1;
        self.values.insert(id, &*entry.value)?;
        self.marks.insert(id, (self.turn, bytes, expires, entry.held))?;
        if !entry.held {
            self.turns.insert(self.turn, id)?;
        }
        Ok(())
    }

    fn remove(&mut self, id: Id) -> Result<(), StoreError> {
        let mark = self.marks.remove(id)?.map(|mark| mark.value());
        let Some((turn, bytes, _, held)) = mark else { return Ok(()) };
        self.values.remove(id)?;
        self.bytes = self.bytes.saturating_sub(bytes);
        if held {
            self.held = self.held.saturating_sub(bytes);
        } else {
            self.turns.remove(turn)?;
        }
        Ok(())
    }

    /// Drops the least recently used entries until the rest is within `capacity`.
    fn make_room(&mut self, capacity: u64) -> Result<(), StoreError> {
        while self.bytes > capacity {
            let oldest = self.turns.first()?.map(|(_, id)| id.value());
            let Some(id) = oldest else { break };
            self.remove(id)?;
            self.evictions += 1;
        }
        Ok(())
    }

    /// Drops held entries that have expired. Linear in the number of entries.
    fn forget_expired(&mut self, now: SystemTime) -> Result<(), StoreError> {
        let mut over = Vec::new();
        for mark in self.marks.iter()? {
            let (id, mark) = mark?;
            let (_, _, expires, held) = mark.value();
            if held && from_millis(expires).is_some_and(|expires| expires <= now) {
                over.push(id.value());
            }
        }
        over.into_iter().try_for_each(|id| self.remove(id))
    }
}

/// What can go wrong with the file.
pub(super) enum StoreError {
    Cache(CacheError),
    Database(Box<redb::Error>),
}

/// Converts each kind of redb error into its common one.
macro_rules! from_redb {
    ($($kind:ty),*) => {$(
        impl From<$kind> for StoreError {
            fn from(error: $kind) -> Self {
                Self::Database(Box::new(error.into()))
            }
        }
    )*};
}

from_redb!(DatabaseError, StorageError, redb::CommitError, redb::TableError, redb::TransactionError);

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        StorageError::from(error).into()
    }
}
