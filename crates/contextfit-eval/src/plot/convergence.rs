//! The learned threshold against the number of reports.

use std::fmt::Write as _;

use contextfit_text::float;

use super::{COLUMNS, LINE, MARGIN, PANEL, escaped, frame};
use crate::{Convergence, Reached};

/// The margins for titles and axes: left, above, right, below.
const AROUND: (f64, f64, f64, f64) = (48.0, 30.0, 30.0, 48.0);
const LEARNED: &str = "#7ee0a2";
const BEST: &str = "#f0b866";
const QUIET: &str = "#93a1b3";
const GRID: &str = "#39434f";

/// Draws one panel per data set: the learned threshold, its range over all orders of the questions, and the best fixed
/// one. Linear in the number of points.
#[must_use]
pub fn plot_convergence(all: &[Convergence]) -> String {
    let columns = all.len().clamp(1, COLUMNS);
    let panels = float(all.len().div_ceil(columns)) * PANEL.1;
    let (width, height) = (float(columns) * PANEL.0 + 2.0 * MARGIN, panels + LINE + 2.0 * MARGIN);
    let names: Vec<&str> = all.iter().map(|one| one.dataset.as_str()).collect();
    let names = names.join(", ");
    let title = format!("The learned threshold as reports accrue, and the best fixed one: {names}");
    let mut svg = frame(width, height, &title);
    for (n, convergence) in all.iter().enumerate() {
        let corner = (MARGIN + float(n % columns) * PANEL.0, MARGIN + float(n / columns) * PANEL.1);
        Panel { corner, convergence }.draw(&mut svg);
    }
    let y = panels + 1.5 * MARGIN;
    legend((MARGIN + 16.0, y), LEARNED, "", "learned, of 20 orders", &mut svg);
    legend((MARGIN + 210.0, y), BEST, DASHES, "best fixed", &mut svg);
    svg.push_str("</g>\n</svg>\n");
    svg
}

const DASHES: &str = " stroke-dasharray=\"5 3\"";

fn legend((x, y): (f64, f64), colour: &str, dashes: &str, text: &str, svg: &mut String) {
    // Writing to a String cannot fail.
    let _ = writeln!(
        svg,
        "<path d=\"M{x} {y}h28\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/><text x=\"{}\" y=\"{}\">{text}</text>",
        x + 34.0,
        y + 4.0
    );
}

/// A data set and where it is drawn.
struct Panel<'c> {
    corner: (f64, f64),
    convergence: &'c Convergence,
}

impl Panel<'_> {
    fn draw(&self, svg: &mut String) {
        self.axes(svg);
        let curve = &self.convergence.curve;
        let point = |reached: &Reached, threshold: f64| {
            format!("{:.1} {:.1}", self.x(reached.reports), self.y(threshold))
        };
        let upper = curve.iter().map(|reached| point(reached, reached.high));
        let lower = curve.iter().rev().map(|reached| point(reached, reached.low));
        let band: Vec<String> = upper.chain(lower).collect();
        let line: Vec<String> = curve.iter().map(|reached| point(reached, reached.mean)).collect();
        let best = self.y(self.convergence.best.value);
        let _ = writeln!(
            svg,
            "<path d=\"M{}Z\" fill=\"{LEARNED}\" fill-opacity=\"0.2\"/>\n\
             <path d=\"M{:.1} {best:.1}H{:.1}\" stroke=\"{BEST}\" stroke-width=\"2\"{DASHES}/>\n\
             <path d=\"M{}\" fill=\"none\" stroke=\"{LEARNED}\" stroke-width=\"2\"/>",
            band.join("L"),
            self.x(0),
            self.x(self.most()),
            line.join("L"),
        );
    }

    /// The number of reports at the right end.
    fn most(&self) -> usize {
        self.convergence.curve.last().map_or(1, |reached| reached.reports.max(1))
    }

    fn x(&self, reports: usize) -> f64 {
        let width = PANEL.0 - AROUND.0 - AROUND.2;
        self.corner.0 + AROUND.0 + float(reports) / float(self.most()) * width
    }

    fn y(&self, threshold: f64) -> f64 {
        self.corner.1 + PANEL.1 - AROUND.3 - threshold * (PANEL.1 - AROUND.1 - AROUND.3)
    }

    /// Title, grid and axis labels.
    fn axes(&self, svg: &mut String) {
        let Convergence { dataset, questions, .. } = self.convergence;
        let (left, right, bottom) = (self.x(0), self.x(self.most()), self.y(0.0));
        let mut text = |x: f64, y: f64, look: &str, text: &str| {
            let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\"{look}>{}</text>", escaped(text));
        };
        text(left, self.corner.1 + 18.0, " font-weight=\"bold\"", &format!("{dataset} (n = {questions})"));
        let quiet = format!(" fill=\"{QUIET}\" text-anchor=");
        for tenths in [0, 2, 4, 6, 8, 10] {
            let threshold = f64::from(tenths) / 10.0;
            text(left - 8.0, self.y(threshold) + 4.0, &format!("{quiet}\"end\""), &format!("{threshold:.1}"));
        }
        for quarter in 0..=4 {
            let reports = self.most() * quarter / 4;
            text(self.x(reports), bottom + 18.0, &format!("{quiet}\"middle\""), &reports.to_string());
        }
        text((left + right) / 2.0, bottom + 36.0, &format!("{quiet}\"middle\""), "reports");
        let (x, y) = (self.corner.0 + 10.0, (self.y(1.0) + bottom) / 2.0);
        let turned = format!("{quiet}\"middle\" transform=\"rotate(-90 {x:.1} {y:.1})\"");
        text(x, y, &turned, "threshold");
        let line = |tenths: i32| format!("M{left:.1} {:.1}H{right:.1}", self.y(f64::from(tenths) / 10.0));
        let _ = writeln!(svg, "<path d=\"{}\" stroke=\"{GRID}\"/>", [0, 2, 4, 6, 8, 10].map(line).concat());
    }
}
