//! Licence expressions: `MIT OR (Apache-2.0 AND BSD-3-Clause)`, and the older `MIT/Apache-2.0`.

/// Whether `expression` can be satisfied with licences that `allowed` accepts. `AND` binds tighter than `OR`; a licence
/// with an exception is passed to `allowed` as one: `Apache-2.0 WITH LLVM-exception`.
///
/// # Errors
/// A message if the expression is invalid.
pub(crate) fn can_be_met(expression: &str, allowed: &dyn Fn(&str) -> bool) -> Result<bool, String> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut parser = Parser { words: &words, allowed };
    let met = parser.alternatives()?;
    match parser.words {
        [] => Ok(met),
        [word, ..] => Err(format!("{word:?} is out of place")),
    }
}

/// The words still to be read.
struct Parser<'w> {
    words: &'w [&'w str],
    allowed: &'w dyn Fn(&str) -> bool,
}

impl<'w> Parser<'w> {
    fn alternatives(&mut self) -> Result<bool, String> {
        let mut met = self.together()?;
        while self.skip("OR") {
            met |= self.together()?;
        }
        Ok(met)
    }

    fn together(&mut self) -> Result<bool, String> {
        let mut met = self.one()?;
        while self.skip("AND") {
            met &= self.one()?;
        }
        Ok(met)
    }

    fn one(&mut self) -> Result<bool, String> {
        if self.skip("(") {
            let met = self.alternatives()?;
            return if self.skip(")") { Ok(met) } else { Err("a bracket is not closed".into()) };
        }
        let licence = self.name()?;
        if self.skip("WITH") {
            let exception = self.name()?;
            return Ok((self.allowed)(&format!("{licence} WITH {exception}")));
        }
        Ok((self.allowed)(licence))
    }

    fn name(&mut self) -> Result<&'w str, String> {
        match self.words {
            [] => Err("a licence is missing at the end".into()),
            [word @ ("OR" | "AND" | "WITH" | "(" | ")"), ..] => Err(format!("{word:?} is out of place")),
            [name, rest @ ..] => {
                self.words = rest;
                Ok(name)
            }
        }
    }

    /// Takes the next word if it is `word`.
    fn skip(&mut self, word: &str) -> bool {
        match self.words {
            [first, rest @ ..] if *first == word => {
                self.words = rest;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expression: &str, expect: Result<bool, &str>) {
        let allowed =
            |licence: &str| ["MIT", "BSD-3-Clause", "Apache-2.0 WITH LLVM-exception"].contains(&licence);
        assert_eq!(can_be_met(expression, &allowed), expect.map_err(String::from), "{expression}");
    }

    #[test]
    fn one_allowed_alternative_is_enough() {
        check("MIT", Ok(true));
        check("GPL-3.0", Ok(false));
        check("GPL-3.0 OR MIT", Ok(true));
        check("MIT/GPL-3.0", Ok(true));
        check("GPL-3.0 / AGPL-3.0", Ok(false));
    }

    #[test]
    fn everything_joined_must_be_allowed() {
        check("MIT AND BSD-3-Clause", Ok(true));
        check("MIT AND GPL-3.0", Ok(false));
        check("GPL-3.0 OR MIT AND BSD-3-Clause", Ok(true));
        check("(GPL-3.0 OR MIT) AND GPL-2.0", Ok(false));
        check("(MIT OR GPL-3.0) AND (BSD-3-Clause)", Ok(true));
    }

    #[test]
    fn an_exception_belongs_to_its_licence() {
        check("Apache-2.0 WITH LLVM-exception OR GPL-3.0", Ok(true));
        check("Apache-2.0", Ok(false));
    }

    #[test]
    fn what_is_no_expression_is_an_error() {
        check("", Err("a licence is missing at the end"));
        check("MIT OR", Err("a licence is missing at the end"));
        check("OR MIT", Err("\"OR\" is out of place"));
        check("(MIT", Err("a bracket is not closed"));
        check("MIT BSD-3-Clause", Err("\"BSD-3-Clause\" is out of place"));
    }
}
