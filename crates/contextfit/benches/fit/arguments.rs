//! The arguments of the benchmark.

use std::{path::PathBuf, str::FromStr};

/// What to measure, and what to do with the figures.
#[derive(Debug, PartialEq)]
pub(crate) struct Arguments {
    /// Small inputs, few rounds.
    pub(crate) quick: bool,
    /// Made inputs only, which are the same in every commit and on every machine.
    pub(crate) made: bool,
    /// Checks that a slow strategy is found.
    pub(crate) smoke: bool,
    /// The only area to measure.
    pub(crate) only: Option<String>,
    /// The file for the figures.
    pub(crate) json: Option<PathBuf>,
    /// The file with the figures of an earlier run.
    pub(crate) baseline: Option<PathBuf>,
    /// The share by which a ratio may exceed that of the earlier run.
    pub(crate) tolerance: f64,
}

impl Arguments {
    /// Reads arguments; `areas` are the names of areas.
    pub(crate) fn parse(mut arguments: impl Iterator<Item = String>, areas: &[&str]) -> Result<Self, String> {
        let mut read = Self {
            quick: false,
            made: false,
            smoke: false,
            only: None,
            json: None,
            baseline: None,
            tolerance: 0.25,
        };
        while let Some(argument) = arguments.next() {
            let mut value =
                || arguments.next().ok_or_else(|| format!("{argument}: expected a value after it"));
            match argument.as_str() {
                // Cargo passes it.
                "--bench" => {}
                "--quick" => read.quick = true,
                "--made" => read.made = true,
                "--smoke" => (read.smoke, read.quick, read.made) = (true, true, true),
                "--only" => read.only = Some(value()?),
                "--json" => read.json = Some(value()?.into()),
                "--baseline" => read.baseline = Some(value()?.into()),
                "--tolerance" => {
                    let value = value()?;
                    let percent = value.strip_suffix('%').and_then(|percent| f64::from_str(percent).ok());
                    let percent = percent.filter(|percent| *percent >= 0.0);
                    let expected = || format!("--tolerance {value}: expected a percentage, such as 25%");
                    read.tolerance = percent.ok_or_else(expected)? / 100.0;
                }
                _ => return Err(format!("unknown argument {argument}")),
            }
        }
        match &read.only {
            Some(only) if !areas.contains(&only.as_str()) => {
                Err(format!("--only {only}: expected one of {}", areas.join(", ")))
            }
            _ => Ok(read),
        }
    }
}
