//! Figures as SVG, by `plotters`.

use ndarray::Array2;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use smooth_clir::math::metrics::NAMES;

use super::table::Table;
use crate::error::Error;
use crate::statistics::bootstrap::Interval;

/// Okabe and Ito's colours, which people with any colour vision tell apart, and ten of Tol's muted ones.
const COLOURS: [RGBColor; 18] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(120, 120, 120),
    RGBColor(51, 34, 136),
    RGBColor(17, 119, 51),
    RGBColor(136, 34, 85),
    RGBColor(153, 153, 51),
    RGBColor(68, 170, 153),
    RGBColor(170, 68, 153),
    RGBColor(204, 102, 119),
    RGBColor(136, 204, 238),
    RGBColor(221, 204, 119),
    RGBColor(102, 51, 0),
];
const TITLE: (&str, i32) = ("sans-serif", 20);
const TEXT: (&str, i32) = ("sans-serif", 13);
const PANEL: (u32, u32) = (460, 340);
const SQUARE: (u32, u32) = (460, 380);
/// The shades and what they stand for, beside a map.
const KEY_WIDTH: u32 = 80;
/// Room for the half of the last label that stands beyond its axis.
const LAST_LABEL: u32 = 20;
const TITLE_HEIGHT: u32 = 40;
const LEGEND_HEIGHT: u32 = 24;
/// An upper estimate of the width of a letter of the legend.
const LETTER: u32 = 7;

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// A line: its name and its points.
pub struct Line {
    /// What the legend calls it.
    pub name: String,
    /// From left to right.
    pub points: Vec<(f64, f64)>,
    /// Each point's interval, or nothing.
    pub intervals: Vec<Interval>,
}

impl Line {
    /// A line of points, each with its interval.
    pub fn new(name: String, points: impl IntoIterator<Item = ((f64, f64), Interval)>) -> Self {
        let (points, intervals) = points.into_iter().unzip();
        Self { name, points, intervals }
    }
}

/// Lines over two axes.
pub struct Panel {
    /// Above it.
    pub title: String,
    /// Below it.
    pub x: String,
    /// Beside it.
    pub y: String,
    /// Where both axes begin and end.
    pub range: [(f64, f64); 2],
    /// What it shows.
    pub lines: Vec<Line>,
}

/// A square of numbers, shaded.
pub struct Map {
    /// Above it.
    pub title: String,
    /// Its axes go from minus this to this.
    pub extent: f64,
    /// Rows from the top.
    pub values: Array2<f32>,
    /// Shades stand for minus this to this; beyond, they stay the same.
    pub most: f32,
}

/// Panels of lines, side by side, `columns` in a row.
pub fn lines(title: &str, panels: &[Panel], columns: usize) -> Result<String, Error> {
    let mut legend: Vec<&str> = Vec::new();
    for line in panels.iter().flat_map(|panel| &panel.lines) {
        if !legend.contains(&line.name.as_str()) {
            legend.push(&line.name);
        }
    }
    figure(title, &legend, PANEL, panels.len(), columns, |number, area| {
        let panel = &panels[number];
        let [(left, right), (bottom, top)] = panel.range;
        let mut chart = ChartBuilder::on(area)
            .caption(&panel.title, TEXT)
            .margin(8)
            .margin_right(LAST_LABEL)
            .x_label_area_size(36)
            .y_label_area_size(48)
            .build_cartesian_2d(left..right, bottom..top)?;
        let counts = panel.lines.iter().flat_map(|line| &line.points).all(|at| at.0.fract() == 0.0);
        let x_label = |x: &f64| if counts { format!("{x:.0}") } else { format!("{x:.1}") };
        let mut mesh = chart.configure_mesh();
        mesh.x_desc(&panel.x).y_desc(&panel.y).light_line_style(WHITE).label_style(TEXT);
        mesh.x_label_formatter(&x_label).draw()?;
        for (number, line) in panel.lines.iter().enumerate() {
            // The first is wide: it shows where another lies upon it.
            let width = if number == 0 { 4 } else { 2 };
            draw_line(&mut chart, line, top, COLOURS[number % COLOURS.len()], width)?;
        }
        Ok(())
    })
}

/// Maps side by side, shaded from blue through white to orange.
pub fn maps(title: &str, maps: &[Map]) -> Result<String, Error> {
    figure(title, &[], SQUARE, maps.len(), 2, |number, area| {
        let map = &maps[number];
        let (from, to) = (-map.extent, map.extent);
        let (square, key) = area.split_horizontally(SQUARE.0 - KEY_WIDTH);
        let mut chart = ChartBuilder::on(&square)
            .caption(&map.title, TEXT)
            .margin(8)
            .x_label_area_size(36)
            .y_label_area_size(48)
            .build_cartesian_2d(from..to, from..to)?;
        let mut mesh = chart.configure_mesh();
        mesh.disable_mesh().x_desc("x1").y_desc("x2").label_style(TEXT).draw()?;
        let cell = 2.0 * map.extent / map.values.nrows() as f64;
        for (row, values) in map.values.rows().into_iter().enumerate() {
            let top = to - row as f64 * cell;
            let shades: Vec<i32> = values.iter().map(|&x| shade(x / map.most)).collect();
            let mut start = 0;
            // Neighbours of one shade are one rectangle.
            for run in shades.chunk_by(|a, b| a == b) {
                let corners = [
                    (from + start as f64 * cell, top - cell),
                    (from + (start + run.len()) as f64 * cell, top),
                ];
                chart.draw_series([Rectangle::new(corners, colour(run[0]).filled())])?;
                start += run.len();
            }
        }
        draw_key(&key, map.most)
    })
}

/// Every metric of several tables as lines over what is varied.
pub fn lines_of_metrics(
    title: &str,
    x: &str,
    at: &[f64],
    tables: &[Table],
) -> Result<String, Error> {
    let panel = |table: &Table| {
        let line = |(metric, name): (usize, &&str)| {
            let cells = || table.cells.iter().map(|cells| &cells[metric]);
            Line {
                name: (*name).to_owned(),
                points: at.iter().copied().zip(cells().map(|cell| cell.mean)).collect(),
                intervals: cells().map(|cell| cell.interval).collect(),
            }
        };
        let (first, last) = (at.first().copied().unwrap_or(0.0), at.last().copied().unwrap_or(1.0));
        let right = last.max(first + 1e-6);
        Panel {
            title: table.ranked.name().into(),
            x: x.into(),
            y: "mean over queries".into(),
            range: [(first, right), (0.0, 1.0)],
            lines: NAMES.iter().enumerate().map(line).collect(),
        }
    };
    let panels: Vec<Panel> = tables.iter().map(panel).collect();
    lines(title, &panels, 2)
}

/// The metrics of each table's rows, as points with their intervals: a panel for each table.
pub fn points(title: &str, tables: &[(String, Table)]) -> Result<String, Error> {
    let names = tables.first().map(|(_, table)| &table.names[..]).unwrap_or_default();
    let legend: Vec<&str> = names.iter().map(String::as_str).collect();
    figure(title, &legend, (640, 340), tables.len(), 2, |number, area| {
        let (caption, table) = &tables[number];
        let (metrics, rows) = (NAMES.len() as f64, table.names.len());
        let mut chart = ChartBuilder::on(area)
            .caption(caption, TEXT)
            .margin(8)
            .x_label_area_size(36)
            .y_label_area_size(48)
            .build_cartesian_2d(0.0..metrics, 0.0..1.0)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(NAMES.len() + 1)
            .x_label_offset(40)
            .x_label_formatter(&|x| NAMES.get(*x as usize).map_or("", |name| name).to_owned())
            .light_line_style(WHITE)
            .label_style(TEXT)
            .draw()?;
        for (row, cells) in table.cells.iter().enumerate() {
            let colour = COLOURS[row % COLOURS.len()];
            let shift = 0.1 + 0.8 * (row as f64 + 0.5) / rows as f64;
            let bars = cells.iter().enumerate().map(|(metric, cell)| {
                let Interval { low, high } = cell.interval;
                let x = metric as f64 + shift;
                PathElement::new(vec![(x, low), (x, high)], colour.stroke_width(1))
            });
            chart.draw_series(bars)?;
            let dots = cells.iter().enumerate().map(|(metric, cell)| {
                Circle::new((metric as f64 + shift, cell.mean), 3, colour.filled())
            });
            chart.draw_series(dots)?;
        }
        Ok(())
    })
}

type Failure = Box<dyn std::error::Error>;

/// A figure of several panels under a legend; `draw` draws one.
fn figure(
    title: &str,
    legend: &[&str],
    panel: (u32, u32),
    panels: usize,
    columns: usize,
    draw: impl Fn(usize, &Area<'_>) -> Result<(), Failure>,
) -> Result<String, Error> {
    let columns = columns.min(panels.max(1));
    let rows = panels.div_ceil(columns).max(1);
    let width = panel.0 * columns as u32;
    let entries = placed(legend, width);
    let lines = entries.last().map_or(0, |last| last.1 / LEGEND_HEIGHT + 1);
    let top = TITLE_HEIGHT + lines * LEGEND_HEIGHT;
    let mut svg = String::new();
    let mut all = || -> Result<(), Failure> {
        let size = (width, top + panel.1 * rows as u32);
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        root.fill(&WHITE)?;
        root.titled(title, TITLE)?;
        for (number, (name, &(x, y))) in legend.iter().zip(&entries).enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let (x, y) = (x as i32, (TITLE_HEIGHT + y) as i32);
            root.draw(&Rectangle::new([(x, y + 4), (x + 14, y + 10)], colour.filled()))?;
            root.draw(&Text::new((*name).to_owned(), (x + 20, y), TEXT))?;
        }
        let (_, below) = root.split_vertically(top);
        for (number, area) in below.split_evenly((rows, columns)).iter().enumerate().take(panels) {
            draw(number, area)?;
        }
        root.present()?;
        Ok(())
    };
    all().map_err(|error| Error::Figure { problem: error.to_string() })?;
    Ok(svg)
}

/// Where the entries of a legend stand, line by line.
fn placed(legend: &[&str], width: u32) -> Vec<(u32, u32)> {
    let mut places = Vec::new();
    let (mut x, mut y) = (48, 0);
    for name in legend {
        let needed = 44 + LETTER * name.chars().count() as u32;
        if x + needed > width && x > 48 {
            (x, y) = (48, y + LEGEND_HEIGHT);
        }
        places.push((x, y));
        x += needed;
    }
    places
}

fn draw_line(
    chart: &mut Chart<'_, '_>,
    line: &Line,
    top: f64,
    colour: RGBColor,
    width: u32,
) -> Result<(), Failure> {
    let bars = line.points.iter().zip(&line.intervals).map(|(&(x, _), interval)| {
        PathElement::new(vec![(x, interval.low), (x, interval.high)], colour.stroke_width(1))
    });
    chart.draw_series(bars)?;
    // Beyond the top there is nothing to see: a line along it would say otherwise.
    for part in line.points.split(|point| point.1 > top) {
        chart.draw_series(LineSeries::new(part.to_vec(), colour.stroke_width(width)))?;
    }
    Ok(())
}

fn draw_key(area: &Area<'_>, most: f32) -> Result<(), Failure> {
    let most = f64::from(most);
    let mut chart = ChartBuilder::on(area)
        .caption(" ", TEXT)
        .margin(8)
        .x_label_area_size(36)
        .right_y_label_area_size(44)
        .build_cartesian_2d(0.0..1.0, -most..most)?
        .set_secondary_coord(0.0..1.0, -most..most);
    let label = |x: &f64| format!("{:.1}", (10.0 * x).round() * 0.1 + 0.0);
    chart.configure_secondary_axes().label_style(TEXT).y_label_formatter(&label).draw()?;
    let height = most / (f64::from(SHADES) + 0.5);
    chart.draw_series((-SHADES..=SHADES).map(|shade| {
        let middle = f64::from(shade) * height;
        let corners = [(0.0, middle - 0.5 * height), (1.0, middle + 0.5 * height)];
        Rectangle::new(corners, colour(shade).filled())
    }))?;
    Ok(())
}

const SHADES: i32 = 16;

/// Which of the shades stands for a number from -1 to 1.
fn shade(x: f32) -> i32 {
    if x.is_nan() { i32::MAX } else { (x.clamp(-1.0, 1.0) * SHADES as f32).round() as i32 }
}

fn colour(shade: i32) -> RGBColor {
    if shade == i32::MAX {
        return BLACK;
    }
    let (end, part) = match shade < 0 {
        true => ((0.0, 90.0, 170.0), f64::from(-shade)),
        false => ((215.0, 90.0, 0.0), f64::from(shade)),
    };
    let part = part / f64::from(SHADES);
    let mix = |end: f64| (245.0 + (end - 245.0) * part) as u8;
    RGBColor(mix(end.0), mix(end.1), mix(end.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of an attribute of all elements that contain `mark`.
    fn values<'a>(svg: &'a str, mark: &str, attribute: &str) -> Vec<&'a str> {
        let elements = svg.split('<').filter(|element| element.contains(mark));
        let value = |element: &'a str| {
            let (_, from) = element.split_once(&format!(" {attribute}=\""))?;
            from.split('"').next()
        };
        elements.filter_map(value).collect()
    }

    fn numbers(svg: &str, mark: &str, attribute: &str) -> Vec<f64> {
        values(svg, mark, attribute).iter().filter_map(|value| value.parse().ok()).collect()
    }

    fn panel(xs: &[f64]) -> Panel {
        let line = |name: &str| Line {
            name: name.into(),
            points: xs.iter().map(|&x| (x, 0.5)).collect(),
            intervals: Vec::new(),
        };
        Panel {
            title: "panel".into(),
            x: "x".into(),
            y: "y".into(),
            range: [(xs[0], xs[xs.len() - 1]), (0.0, 1.0)],
            lines: ["first", "second", "third"].map(line).into(),
        }
    }

    #[test]
    fn counts_are_labelled_without_decimals_and_other_numbers_with_one() {
        let counts = lines("", &[panel(&[20.0, 40.0, 60.0])], 1).unwrap();
        assert!(counts.contains("\n40\n") && !counts.contains("\n40.0\n"), "{counts}");
        let shares = lines("", &[panel(&[0.0, 0.25, 2.0])], 1).unwrap();
        assert!(shares.contains("\n1.0\n") && !shares.contains("\n1\n"), "{shares}");
    }

    #[test]
    fn the_first_line_is_wider_than_those_that_may_lie_upon_it() {
        let svg = lines("", &[panel(&[1.0, 2.0])], 1).unwrap();
        let widths = numbers(&svg, "polyline", "stroke-width");
        let wide: Vec<f64> = widths.into_iter().filter(|&width| width > 1.0).collect();
        assert_eq!(wide, [4.0, 2.0, 2.0]);
    }

    #[test]
    fn the_cells_of_a_map_are_equal_and_leave_no_gap() {
        let values = ndarray::arr2(&[[1.0, -1.0], [-1.0, 1.0]]);
        let svg =
            maps("", &[Map { title: String::new(), extent: 3.0, values, most: 1.0 }]).unwrap();
        let ends = ["#D75A00", "#005AAA"];
        let of = |attribute: &str| -> Vec<f64> {
            let cells = ends.iter().flat_map(|colour| numbers(&svg, colour, attribute));
            // The key has two rectangles of the same colours, beside the map.
            cells.collect()
        };
        let [x, y, width, height] = ["x", "y", "width", "height"].map(of);
        let mut cells: Vec<[f64; 4]> =
            (0..x.len()).map(|at| [y[at], x[at], width[at], height[at]]).collect();
        cells.retain(|cell| cell[1] < 300.0);
        cells.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(cells.len(), 4, "{cells:?}");
        let close = |a: f64, b: f64| (a - b).abs() <= 1.0;
        for cell in &cells {
            assert!(close(cell[2], cells[0][2]) && close(cell[3], cells[0][3]), "{cells:?}");
        }
        // Upper left, upper right, lower left, lower right.
        assert!(close(cells[0][1] + cells[0][2], cells[1][1]), "{cells:?}");
        assert!(close(cells[0][0] + cells[0][3], cells[2][0]), "{cells:?}");
        assert!(close(cells[0][1], cells[2][1]), "{cells:?}");
    }

    #[test]
    fn a_legend_goes_on_in_the_next_line_where_the_next_name_would_not_fit() {
        // A name of four letters takes 44 + 4 * 7; lines begin at 48 and are 24 apart.
        let four = ["abcd"; 5];
        let two_in_a_line = [(48, 0), (120, 0), (48, 24), (120, 24), (48, 48)];
        assert_eq!(placed(&four, 192), two_in_a_line);
        assert_eq!(placed(&four[..2], 191), [(48, 0), (48, 24)]);
        // What fits nowhere stays in a line of its own, the first too.
        let long = "a".repeat(40);
        assert_eq!(placed(&[&long[..], "abcd"], 100), [(48, 0), (48, 24)]);
    }

    #[test]
    fn a_figure_has_room_for_its_title_its_legend_and_every_row_of_panels() {
        let panels = [panel(&[1.0, 2.0]), panel(&[1.0, 2.0]), panel(&[1.0, 2.0])];
        let size = |columns: usize| {
            let svg = lines("", &panels, columns).unwrap();
            [numbers(&svg, "svg ", "width")[0], numbers(&svg, "svg ", "height")[0]]
        };
        assert_eq!(size(2), [2.0 * 460.0, 40.0 + 24.0 + 2.0 * 340.0]);
        assert_eq!(size(1), [460.0, 40.0 + 24.0 + 3.0 * 340.0]);
        // No more columns than panels.
        assert_eq!(size(5), [3.0 * 460.0, 40.0 + 24.0 + 340.0]);
    }

    #[test]
    fn a_legend_has_each_lines_colour_in_the_order_of_the_lines() {
        let svg = lines("", &[panel(&[1.0, 2.0])], 1).unwrap();
        let expected = ["#0072B2", "#D55E00", "#009E73"];
        let colours = |mark: &str, attribute: &str| -> Vec<&str> {
            let all = values(&svg, mark, attribute);
            all.into_iter().filter(|colour| expected.contains(colour)).collect()
        };
        assert_eq!(colours("rect", "fill"), expected);
        assert_eq!(colours("polyline", "stroke"), expected);
    }
}
