//! Many requests: one request per line in, one answer per line out, in order, on all cores, in bounded memory.
//!
//! A thread reads ahead as far as a bounded channel allows. The lines read so far are answered in parallel and written
//! in order before the next batch starts, so an application that sends one request and waits gets its answer
//! immediately.

use std::{
    io::{self, BufRead},
    panic::resume_unwind,
    path::Path,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
    time::Instant,
};

use contextfit::{
    formats::{ErrorAnswer, ErrorCode, FormatError, SearchRequest},
    presets::FitError,
};
use serde::Serialize;
use serde_json::Value;

use crate::{
    console::{self, chain},
    decode::{Nuls, decode, marked},
    error::CliError,
    input, output,
    repaired::{Json, Repairs, Sent},
    summary::counted,
};

/// Lines in a batch per core: enough that one long line does not leave the other cores idle.
const LINES_A_CORE: usize = 32;

/// Bytes in a batch; a single line may be longer.
const BATCH_BYTES: usize = 32 << 20;

/// A line with its number, from 1, or the error that ends the input.
type Line = Result<(usize, Vec<u8>), io::Error>;

/// A kind of request that is answered line by line.
pub(crate) struct Job<'j, R> {
    /// Parses a request.
    pub(crate) parse: fn(&str) -> Result<R, FormatError>,
    /// The application's id for the request.
    pub(crate) id: fn(&R) -> Option<Value>,
    /// The answer, as JSON on one line.
    pub(crate) answer: &'j (dyn Fn(Sent<R>) -> Result<String, FitError> + Sync),
}

/// Answers every line of the source.
pub(crate) fn run<R>(path: &Path, job: &Job<'_, R>, started: Instant) -> Result<(), CliError> {
    let source = input::open(path)?;
    let most = LINES_A_CORE * rayon::current_num_threads();
    let (sender, receiver) = sync_channel(most);
    // The thread is never joined: it may be blocked on input that is no longer needed.
    thread::spawn(move || read(source, &sender));

    let (mut answered, mut failed, mut repairs) = (0, 0, Repairs::default());
    // The first line with bytes that are not UTF-8, and the number of such lines.
    let (mut first_guessed, mut guessed) = (0, 0);
    loop {
        let (lines, end) = batch(&receiver, most);
        let mut text = String::new();
        for ((repaired, answer), (n, _)) in answers(&lines, job).into_iter().zip(&lines) {
            failed += usize::from(answer.is_err());
            repairs.nuls += repaired.nuls;
            repairs.halves += repaired.halves;
            if repaired.guessed.is_some() {
                first_guessed = if guessed == 0 { *n } else { first_guessed };
                guessed += 1;
            }
            answered += 1;
            text += &answer.or_else(|error| json(&error))?;
            text.push('\n');
        }
        output::bytes(text.as_bytes())?;
        match end {
            None => {}
            Some(Ok(())) => break,
            Some(Err(source)) => return Err(CliError::Read { path: input::name(path), source }),
        }
    }
    repairs.tell(&input::name(path));
    if guessed > 0 {
        let verb = if guessed == 1 { "is" } else { "are" };
        console::warning(format!(
            "{} {verb} not UTF-8, from line {first_guessed}; reading such bytes as Windows-1252",
            counted(guessed, "line", "lines")
        ));
    }
    let requests = counted(answered, "request", "requests");
    console::note(format!(
        "answered {requests}, {} with an error · {:.2} s",
        if failed == 0 { "none".into() } else { crate::summary::grouped(failed) },
        started.elapsed().as_secs_f64()
    ));
    Ok(())
}

/// Sends the non-blank lines of `source` until there are no more or the receiver is gone.
fn read(mut source: Box<dyn BufRead + Send>, lines: &SyncSender<Line>) {
    for n in 1.. {
        let mut line = Vec::new();
        let sent = match source.read_until(b'\n', &mut line) {
            Ok(0) => return,
            Ok(_) if line.trim_ascii().is_empty() => continue,
            Ok(_) if n == 1 && marked(&line).is_some() => return read_wide(source, line, lines),
            Ok(_) => lines.send(Ok((n, line))),
            Err(error) => lines.send(Err(error)),
        };
        if sent.is_err() {
            return;
        }
    }
}

/// Sends the non-blank lines of a source in UTF-16, whose first bytes are `start`: line feeds are not single bytes in it,
/// so it is read to its end first.
fn read_wide(mut source: Box<dyn BufRead + Send>, mut start: Vec<u8>, lines: &SyncSender<Line>) {
    if let Err(error) = source.read_to_end(&mut start) {
        let _ = lines.send(Err(error));
        return;
    }
    let text = decode(start.clone(), Nuls::Kept).map_or(start, |decoded| decoded.text.into_bytes());
    for (line, n) in text.split(|byte| *byte == b'\n').zip(1..) {
        if !line.trim_ascii().is_empty() && lines.send(Ok((n, line.to_vec()))).is_err() {
            return;
        }
    }
}

/// Lines with their numbers.
type Lines = Vec<(usize, Vec<u8>)>;

/// The next batch: waits for one line and takes all that are ready. Also returns how the source ended, if it did.
fn batch(receiver: &Receiver<Line>, most: usize) -> (Lines, Option<io::Result<()>>) {
    let mut lines = Vec::new();
    let mut bytes = 0;
    let mut next = receiver.recv().ok();
    loop {
        match next {
            Some(Ok((n, line))) => {
                bytes += line.len();
                lines.push((n, line));
            }
            Some(Err(error)) => return (lines, Some(Err(error))),
            None => {
                // No line is ready, or none will ever come: if the batch is empty, it is the latter.
                let end = lines.is_empty().then_some(Ok(()));
                return (lines, end);
            }
        }
        if lines.len() >= most || bytes >= BATCH_BYTES {
            return (lines, None);
        }
        next = receiver.try_recv().ok();
    }
}

/// What was repaired in a request, and its answer.
type Answer = (Repairs, Result<String, ErrorAnswer>);

/// The answers to `lines`, in order.
///
/// Runs on threads outside the `rayon` pool: a request may wait for a model, and a pool worker that waits for part of
/// its own work would start on another request in the middle of the first.
fn answers<R>(lines: &Lines, job: &Job<'_, R>) -> Vec<Answer> {
    let next = AtomicUsize::new(0);
    let work = || {
        let taken = std::iter::from_fn(|| {
            let at = next.fetch_add(1, Ordering::Relaxed);
            Some((at, lines.get(at)?))
        });
        taken.map(|(at, (n, line))| (at, answer(*n, line, job))).collect::<Vec<_>>()
    };
    let mut answers: Vec<(usize, Answer)> = thread::scope(|scope| {
        let threads = rayon::current_num_threads().min(lines.len());
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let done =
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        done.flatten().collect()
    });
    answers.sort_unstable_by_key(|(at, _)| *at);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// Answers line `n`.
fn answer<R>(n: usize, line: &[u8], job: &Job<'_, R>) -> Answer {
    let Some(json) = Json::read(line) else {
        let message = format!("line {n}: expected JSON, found binary");
        return (Repairs::default(), Err(ErrorAnswer::new(None, ErrorCode::InvalidRequest, message)));
    };
    let malformed =
        |error: FormatError| ErrorAnswer::from_format(SearchRequest::id_of(json.text()), &error.at_line(n));
    let answer = json.parse(job.parse).map_err(malformed).and_then(|sent| {
        let id = (job.id)(&sent.request);
        (job.answer)(sent).map_err(|error| ErrorAnswer::new(id, error.code(), chain(&CliError::from(error))))
    });
    (json.repairs, answer)
}

/// A JSON document on one line.
pub(crate) fn json(value: &impl Serialize) -> Result<String, FitError> {
    Ok(serde_json::to_string(value)?)
}
