//! Plots value against budget as an SVG with its own background.

use std::fmt::Write as _;

use crate::Series;

/// The size of a panel, and its margins for titles and axes: left, top, right, bottom.
const PANEL: (f64, f64) = (370.0, 290.0);
const AROUND: (f64, f64, f64, f64) = (52.0, 34.0, 20.0, 52.0);
const COLOURS: [&str; 3] = ["#ff8f8f", "#79b8ff", "#7ee0a2"];
const QUIET: &str = "#93a1b3";

/// Draws the panels side by side, with a legend below.
pub(crate) fn plot(panels: &[(String, Vec<Series>)]) -> String {
    let (width, height) = (panels.len().max(1) as f64 * PANEL.0, PANEL.1 + 34.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\">\n<title>Value of the memories shown against budget, by way of choosing</title>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#1b222c\" stroke=\"#6b7685\"/>\n\
         <g font-family=\"system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif\" font-size=\"12\" fill=\"#d6dde6\">\n",
        width - 1.0,
        height - 1.0
    );
    for (n, (title, series)) in panels.iter().enumerate() {
        panel(n as f64 * PANEL.0, title, series, &mut svg);
    }
    let names = panels.first().map(|(_, series)| series.iter().map(|series| series.name).collect::<Vec<_>>());
    for (n, (name, colour)) in names.unwrap_or_default().into_iter().zip(COLOURS).enumerate() {
        let (x, y) = (AROUND.0 + n as f64 * 180.0, PANEL.1 + 10.0);
        let _ = writeln!(
            svg,
            "<path d=\"M{x} {y}h28\" stroke=\"{colour}\" stroke-width=\"2\"/><text x=\"{}\" y=\"{}\">{name}</text>",
            x + 34.0,
            y + 4.0
        );
    }
    svg + "</g>\n</svg>\n"
}

fn panel(left: f64, title: &str, series: &[Series], svg: &mut String) {
    let x = |share: f64| left + AROUND.0 + share * (PANEL.0 - AROUND.0 - AROUND.2);
    let y = |share: f64| PANEL.1 - AROUND.3 - share * (PANEL.1 - AROUND.1 - AROUND.3);
    // Writing to a `String` cannot fail.
    let _ = writeln!(svg, "<text x=\"{}\" y=\"20\" font-weight=\"bold\">{title}</text>", x(0.0));
    for percent in [0, 25, 50, 75, 100] {
        let at = f64::from(percent) / 100.0;
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {:.1}H{:.1}\" stroke=\"#39434f\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{QUIET}\" text-anchor=\"end\">{percent}</text>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{QUIET}\" text-anchor=\"middle\">{percent}</text>",
            x(0.0),
            y(at),
            x(1.0),
            x(0.0) - 8.0,
            y(at) + 4.0,
            x(at),
            y(0.0) + 18.0
        );
    }
    let (middle, side) = (y(0.5), left + 14.0);
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{QUIET}\" text-anchor=\"middle\">budget, % of all tokens</text>\
         <text x=\"{side:.1}\" y=\"{middle:.1}\" fill=\"{QUIET}\" text-anchor=\"middle\" \
         transform=\"rotate(-90 {side:.1} {middle:.1})\">value, % of everything whole</text>",
        x(0.5),
        y(0.0) + 38.0
    );
    for (series, colour) in series.iter().zip(COLOURS) {
        let points: Vec<String> = series
            .points
            .iter()
            .map(|&(budget, value)| format!("{:.1} {:.1}", x(budget), y(value)))
            .collect();
        let _ = writeln!(
            svg,
            "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.join("L")
        );
        for &(budget, value) in &series.points {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"><title>{}, {:.0} %: {:.2} %</title></circle>",
                x(budget),
                y(value),
                series.name,
                budget * 100.0,
                value * 100.0
            );
        }
    }
}
