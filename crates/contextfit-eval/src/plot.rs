//! Evidence kept against budget, as an SVG: one panel per data set, one line per strategy.
//!
//! The picture has its own background, so that it works on light and dark pages. Hovering over a point shows its
//! figures and its n.

use std::{collections::HashSet, fmt::Write as _};

use contextfit_text::float;

use crate::{Allowance, Baseline, Measure, Row};

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

/// The margins for titles and axes: left, above, right, below.
const INSETS: (f64, f64, f64, f64) = (48.0, 30.0, 30.0, 48.0);
/// The distance between the bars of neighbouring strategies, so that all are visible.
const APART: f64 = 4.0;
/// The colour of everything but data.
const QUIET: &str = "#93a1b3";
const GRID: &str = "#39434f";

/// A data set's rows and where they are drawn.
struct Panel<'r> {
    corner: (f64, f64),
    rows: Vec<&'r Row>,
    /// The largest budget.
    most: f64,
}

impl<'r> Panel<'r> {
    /// A panel for `rows`, all of one data set, with its upper left corner at `corner`.
    fn new(corner: (f64, f64), rows: Vec<&'r Row>) -> Self {
        let most = rows.iter().map(|row| row.budget.extent()).fold(0.0, f64::max);
        Self { corner, rows, most }
    }

    fn draw(&self, series: &[Series<'_>], svg: &mut String) {
        self.axes(svg);
        let middle = float(series.len().saturating_sub(1)) / 2.0;
        for (n, series) in series.iter().enumerate() {
            self.line(series, (float(n) - middle) * APART, svg);
        }
    }

    /// The horizontal position of a budget; the axis starts at zero.
    fn x(&self, budget: Allowance) -> f64 {
        self.corner.0 + INSETS.0 + budget.extent() / self.most * (PANEL.0 - INSETS.0 - INSETS.2)
    }

    /// The vertical position of a share of the evidence.
    fn y(&self, kept: f64) -> f64 {
        self.corner.1 + PANEL.1 - INSETS.3 - kept * (PANEL.1 - INSETS.1 - INSETS.3)
    }

    /// Title, grid and axis labels.
    fn axes(&self, svg: &mut String) {
        let (left, right) = (self.corner.0 + INSETS.0, self.corner.0 + PANEL.0 - INSETS.2 / 2.0);
        let (top, bottom) = (self.y(1.0), self.y(0.0));
        let name = self.rows.first().map_or("", |row| &row.dataset);
        let n = self.rows.first().map_or(0, |row| row.n);
        let mut text = |x: f64, y: f64, look: &str, text: &str| {
            let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\"{look}>{}</text>", escaped(text));
        };
        text(left, self.corner.1 + 18.0, " font-weight=\"bold\"", &format!("{name} (n = {n})"));
        let quiet = format!(" fill=\"{QUIET}\" text-anchor=");
        for percent in [0, 25, 50, 75, 100] {
            text(
                left - 8.0,
                self.y(f64::from(percent) / 100.0) + 4.0,
                &format!("{quiet}\"end\""),
                &percent.to_string(),
            );
        }
        let mut budgets: Vec<Allowance> = self.rows.iter().map(|row| row.budget).collect();
        budgets.sort_by(|budget, other| budget.extent().total_cmp(&other.extent()));
        budgets.dedup();
        for budget in &budgets {
            text(self.x(*budget), bottom + 18.0, &format!("{quiet}\"middle\""), &budget.to_string());
        }
        let unit = match budgets.first() {
            Some(Allowance::Tokens(_)) => "budget, tokens",
            _ => "budget, share of the input",
        };
        text((left + right) / 2.0, bottom + 36.0, &format!("{quiet}\"middle\""), unit);
        let (x, y) = (self.corner.0 + 10.0, (top + bottom) / 2.0);
        let turned = format!("{quiet}\"middle\" transform=\"rotate(-90 {x:.1} {y:.1})\"");
        let all = self.rows.first().is_none_or(|row| row.measure == Measure::All);
        text(x, y, &turned, if all { "all evidence kept, %" } else { "evidence kept, %" });
        let grid = |y: f64| format!("M{left:.1} {y:.1}H{right:.1}");
        let lines: String = [0.0, 0.25, 0.5, 0.75, 1.0].map(|kept| grid(self.y(kept))).concat();
        let _ = writeln!(svg, "<path d=\"{lines}\" stroke=\"{GRID}\"/>");
    }

    /// The line of one strategy, its intervals and its points.
    fn line(&self, series: &Series<'_>, shift: f64, svg: &mut String) {
        let mut rows: Vec<&&Row> = self.rows.iter().filter(|row| row.strategy == series.strategy).collect();
        rows.sort_by(|row, other| row.budget.extent().total_cmp(&other.budget.extent()));
        let place = |row: &Row| (self.x(row.budget) + shift, self.y(row.kept().mean));
        let points: Vec<String> =
            rows.iter().map(|row| place(row)).map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        let bar = |row: &&&Row| {
            let (low, high) = (self.y(row.kept().low), self.y(row.kept().high));
            format!("M{:.1} {low:.1}V{high:.1}", place(row).0)
        };
        let bars: String = rows.iter().map(bar).collect();
        let (colour, dashes) = (series.colour, series.dashes());
        // Writing to a String cannot fail.
        let _ = writeln!(
            svg,
            "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>\n\
             <path d=\"{bars}\" stroke=\"{colour}\" stroke-opacity=\"0.6\"/>",
            points.join("L"),
        );
        for row in rows {
            let _ = writeln!(svg, "{}", series.point(place(row), &hint(row)));
        }
    }
}

/// The tooltip of a point.
fn hint(row: &Row) -> String {
    let percent = |share: f64| share * 100.0;
    let kept = row.kept();
    format!(
        "<title>{}, {}: {:.1} % [{:.1}, {:.1}], n = {}</title>",
        escaped(&row.strategy),
        row.budget,
        percent(kept.mean),
        percent(kept.low),
        percent(kept.high),
        kept.n
    )
}
