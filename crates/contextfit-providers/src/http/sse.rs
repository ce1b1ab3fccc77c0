//! Server-sent events, parsed as the bytes of a stream arrive.

/// Splits a stream into events, following the
/// [standard](https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation): fields that
/// only matter to browsers are skipped, and an event ends with the empty line after it.
#[derive(Debug, Default)]
pub(crate) struct SseReader {
    line: Vec<u8>,
    /// The last byte was a carriage return, so a line feed now belongs to the same line end.
    after_cr: bool,
    started: bool,
    data: Option<String>,
}

impl SseReader {
    /// The data of each event that `chunk` completes: lines joined by line feeds. Linear in its length.
    pub(crate) fn push(&mut self, chunk: &[u8]) -> Vec<String> {
        let mut events = Vec::new();
        for &byte in chunk {
            let after_cr = std::mem::replace(&mut self.after_cr, byte == b'\r');
            match byte {
                b'\n' if after_cr => {}
                b'\n' | b'\r' => events.extend(self.end_line()),
                _ => self.line.push(byte),
            }
        }
        events
    }

    /// The number of bytes held until the end of their event.
    pub(crate) fn held(&self) -> usize {
        self.line.len() + self.data.as_ref().map_or(0, String::len)
    }

    fn end_line(&mut self) -> Option<String> {
        // Only whole lines become text, so that no character is split between chunks.
        let bytes = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&bytes);
        let line = match std::mem::replace(&mut self.started, true) {
            true => line.as_ref(),
            false => line.strip_prefix('\u{feff}').unwrap_or(&line),
        };
        if line.is_empty() {
            return self.data.take();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match (field, &mut self.data) {
            ("data", Some(data)) => {
                data.push('\n');
                data.push_str(value);
            }
            ("data", none) => *none = Some(value.into()),
            // Comments (an empty field), names, ids and reconnection times.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(chunks: &[&[u8]]) -> Vec<String> {
        let mut reader = SseReader::default();
        chunks.iter().flat_map(|chunk| reader.push(chunk)).collect()
    }

    #[track_caller]
    fn check(stream: &str, expect: &[&str]) {
        assert_eq!(read(&[stream.as_bytes()]), expect, "{stream:?}");
        // Byte by byte, and split in two at every position.
        assert_eq!(read(&stream.as_bytes().chunks(1).collect::<Vec<_>>()), expect, "{stream:?} by bytes");
        for at in 0..=stream.len() {
            let (left, right) = stream.as_bytes().split_at(at);
            assert_eq!(read(&[left, right]), expect, "{stream:?} split at {at}");
        }
    }

    #[test]
    fn events_are_divided_wherever_chunks_end() {
        check("data: a\n\ndata: b\n\n", &["a", "b"]);
        check("event: ping\ndata: {}\n\n", &["{}"]);
        check("data: a\r\ndata: b\r\n\r\ndata: c\r\r", &["a\nb", "c"]);
        check(": waiting\n\n:\n\ndata:x\nid: 1\nretry: 5\n\n", &["x"]);
        check("\u{feff}data: 汉字👍🏽\n\n", &["汉字👍🏽"]);
        check("data\n\ndata:\n\n", &["", ""]);
        check("event: lost\n\ndata: x\n\n", &["x"]);
    }

    #[test]
    fn an_event_without_its_end_is_none() {
        check("data: a\n\ndata: b\n", &["a"]);
        check("data: a", &[]);
    }

    proptest! {
        #[test]
        fn any_bytes_in_any_chunks_give_the_same(bytes in prop::collection::vec(any::<u8>(), 0..200), at in 0usize..200) {
            let (left, right) = bytes.split_at(at.min(bytes.len()));
            prop_assert_eq!(read(&[&bytes]), read(&[left, right]));
        }
    }
}
