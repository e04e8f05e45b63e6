//! Pieces of a picture. Places along it are percentages of its width and heights are pixels, so that it takes any width
//! while letters and dots keep their size.

/// Percent of the width from the left, and pixels from above.
pub(super) type Place = (f64, f64);

/// A picture of some height, and what it says to those who cannot see it. All is escaped already.
pub(super) fn picture(height: f64, title: &str, content: &str) -> String {
    format!(
        "<svg class=\"plot\" role=\"img\" width=\"100%\" height=\"{height}\"><title>{title}</title>{content}</svg>\n"
    )
}

pub(super) fn line(class: &str, (x1, y1): Place, (x2, y2): Place) -> String {
    format!(
        "<line class=\"{class}\" x1=\"{x1:.2}%\" y1=\"{y1:.1}\" x2=\"{x2:.2}%\" y2=\"{y2:.1}\"/>"
    )
}

pub(super) fn dot(class: &str, (x, y): Place, radius: f64) -> String {
    format!("<circle class=\"{class}\" cx=\"{x:.2}%\" cy=\"{y:.1}\" r=\"{radius}\"/>")
}

/// A rectangle between two corners.
pub(super) fn area(class: &str, (x1, y1): Place, (x2, y2): Place) -> String {
    let (width, height) = (x2 - x1, y2 - y1);
    format!(
        "<rect class=\"{class}\" x=\"{x1:.2}%\" y=\"{y1:.1}\" width=\"{width:.2}%\" height=\"{height:.1}\"/>"
    )
}

/// On which side of its place a text stands.
#[derive(Debug, Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A text that is escaped already.
pub(super) fn text(class: &str, (x, y): Place, anchor: Anchor, text: &str) -> String {
    let anchor = match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    format!(
        "<text class=\"{class}\" x=\"{x:.2}%\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
    )
}
