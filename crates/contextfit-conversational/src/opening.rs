//! How the messages of transcripts begin: with the name of who speaks, and often with the time.

use contextfit_kernel::Block;

/// Bytes of a time and a name, at most.
const LONGEST: usize = 96;

/// The byte of the text of `block` from which on its speaker speaks: behind `Ann Lee: `, `[10:37 am on 27 June, 2023] Ann: `
/// or `27/06/2023, 10:37 - Ann: ` where the message is Ann's; 0 where it begins with what is said.
pub(crate) fn said_from(block: &Block) -> usize {
    let name = block.as_turn().and_then(|turn| turn.name.as_deref());
    name.map_or(0, |name| behind(&block.text, name))
}

/// The byte behind `name`, the colon and the white space that `text` begins with; what stands before the name has to be a
/// time: something with digits. Wire formats allow names no spaces, so that letters and digits alone are compared.
fn behind(text: &str, name: &str) -> usize {
    let near = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or(text);
    let line = near.lines().next().unwrap_or_default();
    let is_named = |&(at, _): &(usize, &str)| {
        let mut head = line.get(..at).unwrap_or_default().chars().rev().filter(|c| c.is_alphanumeric());
        let mut name = name.chars().rev().filter(|c| c.is_alphanumeric()).peekable();
        name.peek().is_some()
            && name.all(|c| head.next() == Some(c))
            && head.next().is_none_or(|last| last.is_numeric() || head.any(char::is_numeric))
    };
    let Some((colon, _)) = line.match_indices(':').find(is_named) else { return 0 };
    let said = text.get(colon + 1..).unwrap_or_default();
    text.len() - said.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, name: &str, said: &str) {
        assert_eq!(text.get(behind(text, name)..), Some(said), "{text:?} of {name:?}");
    }

    #[test]
    fn times_and_names_are_not_said() {
        for head in [
            "Ann Lee: ",
            "Ann_Lee:\n",
            "[10:37 am on 27 June, 2023] Ann Lee: ",
            "27/06/2023, 10:37 - Ann Lee: ",
            "(2023-06-27T10:37:00Z) Ann  Lee : ",
            "10:37 [Ann Lee]: ",
        ] {
            check(&[head, "Keep it: always."].concat(), "Ann_Lee", "Keep it: always.");
        }
    }

    #[test]
    fn what_is_said_stays() {
        for text in
            ["Keep it: always.", "Tell Ann Lee: no.", "Ann Lee", ": no", "", "Meet Ann at 10:30", "Ann: no"]
        {
            check(text, "Ann_Lee", text);
        }
        check("10:30 it is: no.", "", "10:30 it is: no.");
        check("10:30 it is: no.", "_", "10:30 it is: no.");
        let far = ["7 ", &"x".repeat(LONGEST), " Ann: no."].concat();
        check(&far, "Ann", &far);
        check("7 Joann: no.", "Ann", "7 Joann: no.");
    }
}
