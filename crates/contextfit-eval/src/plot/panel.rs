//! One data set's panel.

use std::fmt::Write as _;

use contextfit_text::float;

use super::{PANEL, Series, escaped};
use crate::{Allowance, Measure, Row};

/// The margins for titles and axes: left, above, right, below.
const PANEL_MARGINS: (f64, f64, f64, f64) = (48.0, 30.0, 30.0, 48.0);
/// The distance between the bars of neighbouring strategies, so that all are visible.
const APART: f64 = 4.0;
/// The colour of everything but data.
const QUIET: &str = "#93a1b3";
const GRID: &str = "#39434f";

/// A data set's rows and where they are drawn.
pub(super) struct Panel<'r> {
    corner: (f64, f64),
    rows: Vec<&'r Row>,
    /// The largest budget.
    most: f64,
}

impl<'r> Panel<'r> {
    /// A panel for `rows`, all of one data set, with its upper left corner at `corner`.
    pub(super) fn new(corner: (f64, f64), rows: Vec<&'r Row>) -> Self {
        let most = rows.iter().map(|row| row.budget.extent()).fold(0.0, f64::max);
        Self { corner, rows, most }
    }

    pub(super) fn draw(&self, series: &[Series<'_>], svg: &mut String) {
        self.axes(svg);
        let middle = float(series.len().saturating_sub(1)) / 2.0;
        for (n, series) in series.iter().enumerate() {
            self.line(series, (float(n) - middle) * APART, svg);
        }
    }

    /// The horizontal position of a budget; the axis starts at zero.
    fn x(&self, budget: Allowance) -> f64 {
        self.corner.0
            + PANEL_MARGINS.0
            + budget.extent() / self.most * (PANEL.0 - PANEL_MARGINS.0 - PANEL_MARGINS.2)
    }

    /// The vertical position of a share of the evidence.
    fn y(&self, kept: f64) -> f64 {
        self.corner.1 + PANEL.1 - PANEL_MARGINS.3 - kept * (PANEL.1 - PANEL_MARGINS.1 - PANEL_MARGINS.3)
    }

    /// Title, grid and axis labels.
    fn axes(&self, svg: &mut String) {
        let (left, right) =
            (self.corner.0 + PANEL_MARGINS.0, self.corner.0 + PANEL.0 - PANEL_MARGINS.2 / 2.0);
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
