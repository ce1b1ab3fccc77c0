//! Evidence kept against budget, as an SVG: one panel per data set, one line per strategy.
//!
//! The picture has its own background, so that it works on light and dark pages. Hovering over a point shows its
//! figures and its n.

mod panel;

use std::{collections::HashSet, fmt::Write as _};

use self::panel::Panel;
use contextfit_text::float;

use crate::{Baseline, Row};

/// The size of a panel with its titles and axes, in pixels.
const PANEL: (f64, f64) = (370.0, 270.0);
/// The most panels in a row.
const PANELS_PER_ROW: usize = 2;
const MARGIN: f64 = 14.0;
/// The height of a line in the legend.
const LEGEND_LINE_HEIGHT: f64 = 20.0;

/// Distinguishable colours on the background; our strategies and the baselines use them in order.
const COLOURS: [&str; 10] = [
    "#7ee0a2", "#79b8ff", "#f0b866", "#ff8f8f", "#c9a6ff", "#5fd3d3", "#f2a0d0", "#c8d45e", "#d6dde6",
    "#b89b84",
];

/// How a strategy is drawn: baselines with dashed lines and squares, ours with solid lines and circles.
struct Series<'r> {
    strategy: &'r str,
    colour: &'static str,
    baseline: bool,
}

/// Draws `rows`. Linear in their number, for each data set and strategy.
#[must_use]
pub fn plot(rows: &[Row]) -> String {
    let datasets = distinct(rows.iter().map(|row| &*row.dataset));
    let series: Vec<Series> = distinct(rows.iter().map(|row| &*row.strategy))
        .into_iter()
        .zip(COLOURS.into_iter().cycle())
        .map(|(strategy, colour)| {
            let baseline = Baseline::ALL.iter().any(|baseline| baseline.name() == strategy);
            Series { strategy, colour, baseline }
        })
        .collect();
    let columns = datasets.len().clamp(1, PANELS_PER_ROW);
    let legend_columns = columns * 2;
    let panels = float(datasets.len().div_ceil(columns)) * PANEL.1;
    let width = float(columns) * PANEL.0 + 2.0 * MARGIN;
    let height = panels + float(series.len().div_ceil(legend_columns)) * LEGEND_LINE_HEIGHT + 2.0 * MARGIN;

    let title =
        format!("Evidence kept against budget, by strategy, with 95 % intervals: {}", datasets.join(", "));
    let mut svg = frame(width, height, &title);
    for (n, dataset) in datasets.iter().enumerate() {
        let corner = (MARGIN + float(n % columns) * PANEL.0, MARGIN + float(n / columns) * PANEL.1);
        Panel::new(corner, rows.iter().filter(|row| row.dataset == *dataset).collect())
            .draw(&series, &mut svg);
    }
    for (n, series) in series.iter().enumerate() {
        let x =
            MARGIN + 30.0 + float(n % legend_columns) * (width - 2.0 * MARGIN - 20.0) / float(legend_columns);
        let y = panels + 1.5 * MARGIN + float(n / legend_columns) * LEGEND_LINE_HEIGHT;
        legend(series, (x, y), &mut svg);
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// The beginning of a picture, up to what is drawn in its frame; `</g></svg>` ends it.
fn frame(width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>{}</title>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#1b222c\" stroke=\"#6b7685\"/>\n\
         <g font-family=\"system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif\" font-size=\"12\" fill=\"#d6dde6\">\n",
        escaped(title),
        width - 1.0,
        height - 1.0
    )
}

/// Each of `names` once, in the order of first occurrence.
fn distinct<'r>(names: impl Iterator<Item = &'r str>) -> Vec<&'r str> {
    let mut seen = HashSet::new();
    names.filter(|name| seen.insert(*name)).collect()
}

/// A sample of the series' line followed by its name.
fn legend(series: &Series<'_>, (x, y): (f64, f64), svg: &mut String) {
    let Series { strategy, colour, .. } = series;
    // Writing to a String cannot fail.
    let _ = writeln!(
        svg,
        "<path d=\"M{} {y}H{}\" stroke=\"{colour}\" stroke-width=\"2\"{}/>{}\
         <text x=\"{}\" y=\"{}\">{}</text>",
        x - 14.0,
        x + 14.0,
        series.dashes(),
        series.point((x, y), ""),
        x + 20.0,
        y + 4.0,
        escaped(strategy)
    );
}

impl Series<'_> {
    const fn dashes(&self) -> &'static str {
        if self.baseline { " stroke-dasharray=\"5 3\"" } else { "" }
    }

    /// A point at a position, with `inside` in its element.
    fn point(&self, (x, y): (f64, f64), inside: &str) -> String {
        let colour = self.colour;
        match self.baseline {
            true => format!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"6\" height=\"6\" fill=\"{colour}\">{inside}</rect>",
                x - 3.0,
                y - 3.0
            ),
            false => {
                format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\">{inside}</circle>")
            }
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
