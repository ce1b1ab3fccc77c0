//! Draws terminal lines as SVG: a panel with its own background, readable on light and dark pages.

use std::fmt::Write as _;

use super::scene::{Line, Style};
use crate::float::float;

/// The font size and the line height, in pixels.
const FONT: f64 = 12.5;
const LINE: f64 = 18.0;
/// The width of a letter in common fixed-width fonts, to size the panel.
const LETTER: f64 = FONT * 0.61;
const MARGIN: f64 = 18.0;

/// Draws the picture.
pub(crate) fn draw(lines: &[Line]) -> String {
    let longest = lines.iter().map(|line| line.text.chars().count()).max().unwrap_or_default();
    let width = (float(longest) * LETTER + 2.0 * MARGIN).ceil();
    let height = (float(lines.len()) * LINE + 2.0 * MARGIN).ceil();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>A run of contextfit: the outcome for each file, the summary, and a part of the context</title>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#1b222c\" stroke=\"#6b7685\"/>\n\
         <g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"{FONT}\" xml:space=\"preserve\">\n",
        width - 1.0,
        height - 1.0
    );
    for (n, line) in lines.iter().enumerate().filter(|(_, line)| !line.text.is_empty()) {
        let y = MARGIN + float(n) * LINE + FONT;
        let (fill, weight) = look(line.style);
        // Writing to a String cannot fail.
        let _ = writeln!(
            svg,
            "<text x=\"{MARGIN}\" y=\"{y}\" fill=\"{fill}\"{weight} xml:space=\"preserve\">{}</text>",
            escaped(&line.text)
        );
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// The colour of a style, and its other attributes.
const fn look(style: Style) -> (&'static str, &'static str) {
    match style {
        Style::Command => ("#7ee0a2", " font-weight=\"bold\""),
        Style::Heading => ("#93a1b3", ""),
        Style::Plain => ("#d6dde6", ""),
        Style::Header => ("#79b8ff", " font-weight=\"bold\""),
        Style::Marker => ("#f0b866", ""),
        Style::Summary => ("#ffffff", " font-weight=\"bold\""),
        Style::Note => ("#93a1b3", " font-style=\"italic\""),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_with_text_is_drawn() {
        let line = |style, text: &str| Line { style, text: text.into() };
        let svg = draw(&[
            line(Style::Command, "$ x"),
            line(Style::Note, ""),
            line(Style::Plain, "fn a<T>(x: &T) -> T"),
        ]);
        assert_eq!(svg.matches("<text ").count(), 2);
        assert!(svg.contains(">fn a&lt;T&gt;(x: &amp;T) -&gt; T</text>"), "{svg}");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }
}
