//! Reads a figure as a person does: what is drawn where, beside the ticks of its axes.

use std::collections::BTreeMap;

/// A point of the picture, in pixels from its upper left corner.
pub type Pixel = (f64, f64);

/// What a file shows.
pub struct Figure {
    /// The colour of each name.
    pub legend: BTreeMap<String, String>,
    /// In reading order; beside a map the key of its shades, which has no title.
    pub panels: Vec<Panel>,
}

/// A diagram.
#[derive(Default)]
pub struct Panel {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub lines: Vec<Line>,
    /// Dots with their colours.
    pub dots: Vec<(String, Pixel)>,
    /// Filled rectangles, a later one over those before it.
    pub cells: Vec<Cell>,
}

/// The ticks of an axis: what each says, and its pixel.
#[derive(Default)]
pub struct Axis {
    pub ticks: Vec<(String, f64)>,
}

pub struct Line {
    pub colour: String,
    pub width: u32,
    pub points: Vec<Pixel>,
}

pub struct Cell {
    pub colour: String,
    /// The upper left corner.
    pub from: Pixel,
    /// The lower right corner.
    pub to: Pixel,
}

impl Axis {
    /// The first and the last tick: their values and their pixels.
    fn ends(&self) -> [(f64, f64); 2] {
        let tick = |(label, pixel): &(String, f64)| (label.parse().unwrap(), *pixel);
        [tick(self.ticks.first().unwrap()), tick(self.ticks.last().unwrap())]
    }

    /// The largest value that has a tick.
    pub fn largest(&self) -> f64 {
        let [first, last] = self.ends();
        first.0.max(last.0)
    }

    /// Where the ticks say that a value lies.
    pub fn pixel(&self, value: f64) -> f64 {
        let [first, last] = self.ends();
        first.1 + (value - first.0) / (last.0 - first.0) * (last.1 - first.1)
    }

    /// The value that the ticks give a pixel.
    pub fn value(&self, pixel: f64) -> f64 {
        let [first, last] = self.ends();
        first.0 + (pixel - first.1) / (last.1 - first.1) * (last.0 - first.0)
    }
}

impl Panel {
    /// Where the ticks say that a point lies.
    pub fn pixel(&self, (x, y): (f64, f64)) -> Pixel {
        (self.x.pixel(x), self.y.pixel(y))
    }

    /// The colour that is seen at a pixel.
    pub fn colour_at(&self, (x, y): Pixel) -> &str {
        let over = |cell: &&Cell| {
            (cell.from.0..cell.to.0).contains(&x) && (cell.from.1..cell.to.1).contains(&y)
        };
        &self.cells.iter().rfind(over).unwrap().colour
    }
}

/// An element, with the text that follows its tag.
struct Element<'a> {
    name: &'a str,
    attributes: BTreeMap<&'a str, &'a str>,
    text: &'a str,
}

impl<'a> Element<'a> {
    fn read(markup: &'a str) -> Option<Self> {
        let (tag, text) = markup.split_once('>')?;
        let (name, rest) = tag.split_once(' ')?;
        let mut parts = rest.split('"');
        let mut attributes = BTreeMap::new();
        while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
            attributes.insert(name.trim().trim_end_matches('='), value);
        }
        Some(Self { name, attributes, text: text.trim() })
    }

    fn number(&self, name: &str) -> f64 {
        self.attributes[name].parse().unwrap()
    }

    fn at(&self) -> Pixel {
        (self.number("x"), self.number("y"))
    }

    fn points(&self) -> Vec<Pixel> {
        let point = |point: &str| {
            let (x, y) = point.split_once(',').unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        };
        self.attributes["points"].split_whitespace().map(point).collect()
    }
}

/// What a text is: a label of a tick stands before the tick.
#[derive(PartialEq)]
enum Label {
    TickOfX,
    TickOfY,
    None,
}

/// The longest tick, in pixels.
const TICK: f64 = 5.0;

fn label(elements: &[Element<'_>], number: usize) -> Label {
    let [text, tick] = &elements[number..elements.len().min(number + 2)] else {
        return Label::None;
    };
    if text.name != "text" || tick.name != "polyline" {
        return Label::None;
    }
    match tick.points()[..] {
        [a, b] if a.0 == b.0 && (a.1 - b.1).abs() <= TICK => Label::TickOfX,
        [a, b] if a.1 == b.1 && (a.0 - b.0).abs() <= TICK => Label::TickOfY,
        _ => Label::None,
    }
}

/// Reads a figure of `plotters`.
pub fn read(svg: &str) -> Figure {
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    let elements: Vec<Element<'_>> = svg.split('<').filter_map(Element::read).collect();
    let mut figure = Figure { legend: BTreeMap::new(), panels: Vec::new() };
    let mut titles = 0;
    for (number, element) in elements.iter().enumerate() {
        let is_title = element.name == "text"
            && label(&elements, number) == Label::None
            && element.attributes["dy"] == "0.76em"
            && element.attributes["text-anchor"] == "middle"
            && !element.attributes.contains_key("transform");
        if is_title {
            // The first is that of the whole.
            if titles > 0 {
                figure.panels.push(Panel { title: element.text.into(), ..Panel::default() });
            }
            titles += 1;
            continue;
        }
        let before = number.checked_sub(1).map(|number| &elements[number]);
        let Some(panel) = figure.panels.last_mut() else {
            if let ("text", Some(before)) = (element.name, before) {
                figure.legend.insert(element.text.into(), before.attributes["fill"].into());
            }
            continue;
        };
        let colour = |name: &str| element.attributes[name].to_owned();
        match (element.name, label(&elements, number)) {
            ("text", Label::TickOfX) => {
                panel.x.ticks.push((element.text.into(), element.number("x")));
            }
            ("text", Label::TickOfY) => {
                panel.y.ticks.push((element.text.into(), element.number("y")));
            }
            // A tick follows its label, and an axis stands before its first.
            ("polyline", _)
                if label(&elements, number - 1) == Label::None
                    && label(&elements, number + 1) == Label::None =>
            {
                let width = element.number("stroke-width") as u32;
                let points = element.points();
                panel.lines.push(Line { colour: colour("stroke"), width, points });
            }
            ("circle", _) => {
                panel.dots.push((colour("fill"), (element.number("cx"), element.number("cy"))));
            }
            ("rect", _) => {
                let (x, y) = element.at();
                let to = (x + element.number("width"), y + element.number("height"));
                panel.cells.push(Cell { colour: colour("fill"), from: (x, y), to });
            }
            _ => {}
        }
    }
    figure
}
