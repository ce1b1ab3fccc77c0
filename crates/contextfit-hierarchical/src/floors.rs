//! The minimum levels of memories that must be shown.

use contextfit_kernel::{Importance, Level, MemoryRecord, Tokens};

use crate::{FitOptions, worth::Worth};

/// The relevance, as a share of the best, below which a memory is about something else than the query.
pub(crate) const ON_SUBJECT: f64 = 0.5;

/// The relevance from which a memory answers nearly as well as the best one.
const NEAR_BEST: f64 = 0.75;

/// Tokens of the line feed after a memory.
pub(crate) const FEED: usize = 1;

/// The facts about the memories, by index.
pub(crate) struct Known<'a> {
    pub(crate) memories: &'a [MemoryRecord],
    pub(crate) ladders: &'a [[Tokens; 4]],
    pub(crate) sent: &'a [Option<Level>],
    pub(crate) worth: &'a Worth,
    /// The relevance of each to the query; `None` if there is no query or nothing answers it.
    pub(crate) relevant: Option<&'a [f64]>,
}

/// The minimum level of a critical memory, if there is room, and of the best answer to a query.
pub(crate) fn line(options: &FitOptions<'_>) -> Level {
    Level::Gist.min(options.max_level.max(options.min_level)).max(options.min_level)
}

impl Known<'_> {
    /// The minimum level at which each memory must be shown in `room` tokens; `None` if it need not be shown.
    ///
    /// Pinned memories are shown whole. Critical ones get a line as long as their lines fit in the room. If there is a
    /// query, those on another subject have half of it, but not what the best answer takes [whole](Self::best_whole), if
    /// that fits, and those [nearly as good](Self::near_best) in lines, and the others have what the best answer leaves
    /// (see also [`raised`](Self::raised)). Those with the lowest values are only named if their lines do not fit. The best answer
    /// gets a line.
    pub(crate) fn floors(&self, room: usize, options: &FitOptions<'_>) -> Vec<Option<Level>> {
        let (name, line) = (options.min_level, line(options));
        let pinned = |memory: &MemoryRecord| memory.pinned.then_some(Level::Full);
        let mut floors: Vec<Option<Level>> = self.memories.iter().map(pinned).collect();
        let whole: usize = (0..floors.len())
            .filter(|&n| floors.get(n) == Some(&Some(Level::Full)))
            .map(|n| self.cost(n, Level::Full))
            .sum();
        let left = room.saturating_sub(whole);
        let critical = self.critical(line);
        let mut taken: usize = critical.iter().map(|&n| self.cost(n, name)).sum();
        let most = if self.relevant.is_some() { left / 2 } else { left };
        let best = self.best_whole(&critical, options);
        let best = if taken + best <= left { best } else { 0 };
        let near_best = self.near_best(line);
        for &n in &critical {
            let more = self.cost(n, line).saturating_sub(self.cost(n, name));
            let most = match self.is_off_subject(n) {
                true => most.min(left.saturating_sub(best + near_best)),
                false => left.saturating_sub(best),
            };
            let fits = taken + more <= most;
            taken += if fits { more } else { 0 };
            floors.get_mut(n).into_iter().for_each(|floor| *floor = Some(if fits { line } else { name }));
        }
        if let Some((best, floor)) = self.best().and_then(|best| Some((best, floors.get_mut(best)?))) {
            let more = self.cost(best, line).saturating_sub(floor.map_or(0, |floor| self.cost(best, floor)));
            if taken + more <= left {
                *floor = (*floor).max(Some(line));
            }
        }
        floors
    }

    /// `floors` with lines for the critical memories that are only named at `levels`, the most valuable first, as far
    /// as `unused` tokens and what memories on another subject take beyond their own minimum pay for them; the others
    /// keep theirs. `None` if there is no query or no line to add.
    pub(crate) fn raised(
        &self,
        floors: &[Option<Level>],
        levels: &[Option<Level>],
        unused: usize,
        options: &FitOptions<'_>,
    ) -> Option<Vec<Option<Level>>> {
        self.relevant?;
        let line = line(options);
        let at = |levels: &[Option<Level>], n: usize| levels.get(n).copied().flatten();
        let cost = |n, level: Option<Level>| level.map_or(0, |level| self.cost(n, level));
        let mut raised = floors.to_vec();
        let mut raise = |n: usize| {
            raised
                .get_mut(n)
                .into_iter()
                .for_each(|floor: &mut Option<Level>| *floor = (*floor).max(Some(line)));
        };
        let (named, with_lines): (Vec<usize>, Vec<usize>) =
            self.critical(line).into_iter().partition(|&n| at(levels, n) < Some(line));
        with_lines.into_iter().for_each(&mut raise);
        let least = |n| if self.must_be_shown(n, line) { Some(line) } else { at(floors, n) };
        let off_subject = (0..levels.len()).filter(|&n| self.is_off_subject(n));
        let spent = off_subject.map(|n| cost(n, at(levels, n)).saturating_sub(cost(n, least(n))));
        let mut free = unused + spent.sum::<usize>();
        let mut any = false;
        for n in named {
            let more = self.cost(n, line).saturating_sub(cost(n, at(levels, n)));
            if more <= free {
                free -= more;
                raise(n);
                any = true;
            }
        }
        any.then_some(raised)
    }

    /// The tokens that the best answer takes whole; if it is one of the `critical` memories, without those of its line,
    /// which are counted with the lines of the others.
    fn best_whole(&self, critical: &[usize], options: &FitOptions<'_>) -> usize {
        let whole = options.max_level.max(options.min_level);
        self.best().map_or(0, |best| {
            let line = if critical.contains(&best) { self.cost(best, line(options)) } else { 0 };
            self.cost(best, whole).saturating_sub(line)
        })
    }

    /// The tokens that those nearly as good as the best answer take in lines, if not critical.
    fn near_best(&self, line: Level) -> usize {
        let best = self.best();
        let is_near =
            |n: usize| self.relevant.and_then(|all| all.get(n)).is_some_and(|share| *share >= NEAR_BEST);
        let counts = |n: &usize| is_near(*n) && Some(*n) != best && !self.must_be_shown(*n, line);
        (0..self.memories.len()).filter(counts).map(|n| self.cost(n, line)).sum()
    }

    /// Whether memory `n` is about something else than the query.
    fn is_off_subject(&self, n: usize) -> bool {
        self.relevant.and_then(|relevant| relevant.get(n)).is_some_and(|share| *share < ON_SUBJECT)
    }

    /// The critical memories that must be shown, the most valuable first.
    fn critical(&self, line: Level) -> Vec<usize> {
        let mut critical: Vec<usize> =
            (0..self.memories.len()).filter(|&n| self.must_be_shown(n, line)).collect();
        critical.sort_by(|&a, &b| {
            let id = |n: usize| self.memories.get(n).map(|memory| &memory.id);
            self.worth.whole(b).total_cmp(&self.worth.whole(a)).then_with(|| id(a).cmp(&id(b)))
        });
        critical
    }

    fn must_be_shown(&self, n: usize, line: Level) -> bool {
        let sent = self.sent.get(n).copied().flatten();
        let critical = |memory: &MemoryRecord| memory.importance == Importance::Critical && !memory.pinned;
        self.memories.get(n).is_some_and(critical) && sent.is_none_or(|sent| sent < line)
    }

    /// The best answer to the query.
    pub(crate) fn best(&self) -> Option<usize> {
        let relevant = self.relevant?;
        (0..relevant.len()).max_by(|&a, &b| self.worth.whole(a).total_cmp(&self.worth.whole(b)))
    }

    fn cost(&self, n: usize, level: Level) -> usize {
        let tokens = self.ladders.get(n).and_then(|ladder| ladder.get(usize::from(u8::from(level))));
        tokens.copied().unwrap_or_default().get() + FEED
    }
}
