//! Timing, and the table of results.

use std::{
    collections::HashSet,
    fmt,
    time::{Duration, Instant},
};

use crate::gate::Figure;

/// Seconds of the fastest of several runs of `work`: at least three, and more if they are short.
pub(crate) fn least<T>(mut work: impl FnMut() -> T) -> f64 {
    let started = Instant::now();
    let mut least = f64::INFINITY;
    let mut runs = 0;
    while runs < 3 || (runs < 30 && started.elapsed() < Duration::from_millis(1_500)) {
        least = least.min(once(&mut work));
        runs += 1;
    }
    least
}

/// [`least`] for two kinds of work that alternate, so that a slow machine affects both.
pub(crate) fn least_of_both<T, U>(mut work: impl FnMut() -> T, mut other: impl FnMut() -> U) -> (f64, f64) {
    let (mut least_other, mut least_work) = (f64::INFINITY, f64::INFINITY);
    least(|| {
        least_work = least_work.min(once(&mut work));
        least_other = least_other.min(once(&mut other));
    });
    (least_work, least_other)
}

/// Seconds of one run.
pub(crate) fn once<T>(mut work: impl FnMut() -> T) -> f64 {
    let started = Instant::now();
    let result = work();
    let seconds = started.elapsed().as_secs_f64();
    drop(result);
    seconds
}

/// One figure.
pub(crate) struct Row {
    area: String,
    name: String,
    bytes: usize,
    seconds: f64,
    against: Option<(String, f64)>,
}

impl Row {
    pub(crate) fn new(area: &str, name: &str, bytes: usize, seconds: f64) -> Self {
        Self { area: area.into(), name: name.into(), bytes, seconds, against: None }
    }

    /// Adds a comparison with another figure from the same run.
    pub(crate) fn against(mut self, what: &str, seconds: f64) -> Self {
        self.against = Some((what.into(), seconds));
        self
    }

    fn megabytes_per_second(&self) -> f64 {
        self.bytes as f64 / 1e6 / self.seconds
    }
}

/// All figures of one run, each with the area of measurements that it is from.
#[derive(Default)]
pub(crate) struct Table {
    /// The area that is being measured.
    pub(crate) area: &'static str,
    rows: Vec<(&'static str, Row)>,
}

impl Table {
    pub(crate) fn push(&mut self, row: Row) {
        self.rows.push((self.area, row));
    }

    /// The figures. Their keys are unique, and the same in every run of the same kind.
    pub(crate) fn figures(&self) -> Vec<Figure> {
        let mut keys = HashSet::new();
        let figure = |(area, row): &(&str, Row)| {
            let against = row.against.as_ref().map(|(what, _)| what.as_str());
            let key = [*area, &row.name].into_iter().chain(against).collect::<Vec<_>>().join(" / ");
            assert!(keys.insert(key.clone()), "two rows are called {key:?}");
            let ratio = row.against.as_ref().map(|(_, seconds)| row.seconds / seconds);
            Figure { key, bytes: row.bytes, seconds: row.seconds, ratio }
        };
        self.rows.iter().map(figure).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| what | input | MB | ms | MB/s | ratio |")?;
        writeln!(f, "|---|---|---:|---:|---:|---|")?;
        for (_, row) in &self.rows {
            let (Row { area, name, .. }, ms) = (row, row.seconds * 1e3);
            write!(f, "| {area} | {name} ")?;
            match row.bytes {
                0 => write!(f, "| | {ms:.2} | ")?,
                bytes => {
                    let megabytes = bytes as f64 / 1e6;
                    write!(f, "| {megabytes:.2} | {ms:.2} | {:.0} ", row.megabytes_per_second())?;
                }
            }
            match &row.against {
                Some((what, seconds)) => {
                    let ratio = row.seconds / seconds;
                    let digits = if ratio < 0.1 { 3 } else { 2 };
                    writeln!(f, "| {ratio:.digits$} x {what} |")?;
                }
                None => writeln!(f, "| |")?,
            }
        }
        Ok(())
    }
}
