//! An SVG picture: rectangles, lines, dots and labels, coloured by class and never by value, so
//! that light, dark and print are the page's style alone.
//!
//! Coordinates are in units of a box that is as wide as a text column; labels are at most so long
//! that they keep their place, and every text is escaped here.

use std::fmt::Write as _;

use crate::report::markup::escaped;
use crate::words::shortened;

/// Width of every picture.
pub(in crate::report) const WIDTH: f64 = 720.0;
/// Height of one row of a picture.
pub(in crate::report) const ROW: f64 = 26.0;
/// Widest that a letter of a label is taken to be.
const LETTER: f64 = 7.4;

/// Where a label's given point lies in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) enum Anchor {
    /// At its first letter.
    Start,
    /// In its middle.
    Middle,
    /// At its last letter.
    End,
}

/// A mark of one of several things that stand side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// A disc.
    First,
    /// A square.
    Second,
    /// A triangle.
    Third,
    /// A diamond.
    Fourth,
}

impl Mark {
    /// All of them, in order.
    pub(super) const ALL: [Self; 4] = [Self::First, Self::Second, Self::Third, Self::Fourth];

    /// Its class, and its outline about a point.
    fn drawn(self) -> (&'static str, &'static str) {
        match self {
            Self::First => ("first", "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z"),
            Self::Second => ("second", "M-4.5 -4.5h9v9h-9z"),
            Self::Third => ("third", "M0 -6l6 10.5h-12z"),
            Self::Fourth => ("fourth", "M0 -6.5l6.5 6.5l-6.5 6.5l-6.5 -6.5z"),
        }
    }
}

/// A picture while it is drawn.
pub(in crate::report) struct Picture {
    height: f64,
    body: String,
}

impl Picture {
    /// An empty picture.
    pub(in crate::report) fn new(height: f64) -> Self {
        Self { height, body: String::new() }
    }

    /// A filled bar with a title that a pointer shows.
    pub(in crate::report) fn bar(
        &mut self,
        class: &str,
        x: f64,
        y: f64,
        width: f64,
        height: f64,
        title: &str,
    ) {
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" \
             height=\"{height:.1}\"><title>{}</title></rect>",
            width.max(0.0),
            escaped(title)
        );
    }

    /// A line with a title that a pointer shows.
    pub(in crate::report) fn titled_line(
        &mut self,
        class: &str,
        from: (f64, f64),
        to: (f64, f64),
        title: &str,
    ) {
        let _ = write!(
            self.body,
            "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" \
             y2=\"{:.1}\"><title>{}</title></line>",
            from.0,
            from.1,
            to.0,
            to.1,
            escaped(title)
        );
    }

    /// A line.
    pub(in crate::report) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let _ = write!(
            self.body,
            "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
            from.0, from.1, to.0, to.1
        );
    }

    /// A dot.
    pub(in crate::report) fn dot(&mut self, class: &str, x: f64, y: f64) {
        let _ =
            write!(self.body, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"/>");
    }

    /// A dot with a title that a pointer shows.
    pub(super) fn titled_dot(&mut self, class: &str, x: f64, y: f64, title: &str) {
        let _ = write!(
            self.body,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"><title>{}</title></circle>",
            escaped(title)
        );
    }

    /// A mark with a title that a pointer shows.
    pub(super) fn mark(&mut self, mark: Mark, x: f64, y: f64, title: &str) {
        let (class, outline) = mark.drawn();
        let _ = write!(
            self.body,
            "<path class=\"mark {class}\" transform=\"translate({x:.1} {y:.1})\" d=\"{outline}\">\
             <title>{}</title></path>",
            escaped(title)
        );
    }

    /// A label, cut where `room` ends.
    pub(in crate::report) fn label(
        &mut self,
        anchor: Anchor,
        x: f64,
        y: f64,
        room: f64,
        text: &str,
    ) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = shortened(text, (room / LETTER) as usize);
        let _ = write!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(&text)
        );
    }

    /// The picture, with what it shows in words.
    pub(in crate::report) fn finish(self, description: &str) -> String {
        format!(
            "<svg viewBox=\"0 0 {WIDTH} {:.0}\" role=\"img\" aria-label=\"{}\">{}</svg>",
            self.height,
            escaped(description),
            self.body
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Anchor, Picture};

    #[test]
    fn what_comes_from_outside_stays_text_and_keeps_its_room() {
        let mut picture = Picture::new(10.0);
        picture.label(Anchor::Start, 0.0, 9.0, 90.0, "<script>alert(1)</script>");
        picture.bar("c", 0.0, 0.0, -1.0, 5.0, "\"><b>\u{7}");
        let svg = picture.finish("a \"quoted\" text");
        assert!(
            !svg.contains("<script") && !svg.contains("<b>") && !svg.contains('\u{7}'),
            "{svg}"
        );
        assert!(svg.contains("&lt;script&gt;aler…</text>"), "{svg}");
        assert!(svg.contains("width=\"0.0\"") && svg.contains("a &quot;quoted&quot;"), "{svg}");
    }
}
