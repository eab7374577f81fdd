//! The colours of maps: a scale that is symmetric about 0, and logarithmic on both sides of it.

use ndarray::{Array2, ArrayView2};

/// Red, green, blue.
pub type Colour = [u8; 3];

/// Red, green, blue, opacity.
pub type Pixel = [u8; 4];

/// Values far below it lie on the scale in proportion to themselves, those far above it in
/// proportion to their logarithms.
const LINEAR: f64 = 0.01;

const CLEAR: Pixel = [0; 4];
const OPAQUE: u8 = 255;

/// The place of a value on a scale from -`limit` to `limit`: from -1 to 1, values beyond the limit
/// at the end. Not-a-number has none.
pub fn place(value: f64, limit: f64) -> f64 {
    let share = logarithm(value.abs()) / logarithm(limit);
    // A comparison: `min` would make 1 of not-a-number.
    (if share > 1.0 { 1.0 } else { share }).copysign(value)
}

fn logarithm(value: f64) -> f64 {
    libm::log1p(value / LINEAR)
}

/// The colours of a scale at its ends and in its middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    /// At the limit below 0.
    pub low: Colour,
    /// At 0.
    pub middle: Colour,
    /// At the limit above 0.
    pub high: Colour,
}

/// A colour for each value: the shade that is nearest to its [`place`].
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// The absolute values, ascending, from which the next shade is the nearest. A search among them
    /// is faster than the logarithm of each pixel's value.
    edges: Vec<f64>,
    /// From the lowest value's to the highest's.
    shades: Vec<Pixel>,
}

impl Scale {
    /// A scale from -`limit` to `limit` in `steps` shades on each side of the middle one.
    pub fn new(palette: Palette, limit: f64, steps: usize) -> Self {
        let Palette { low, middle, high } = palette;
        let shade = |end: Colour, step: usize| {
            let share = step as f64 / steps as f64;
            let channel = |at: usize| {
                let (from, to) = (f64::from(middle[at]), f64::from(end[at]));
                (from + (to - from) * share).round() as u8
            };
            [channel(0), channel(1), channel(2), OPAQUE]
        };
        let [red, green, blue] = middle;
        let mut shades: Vec<Pixel> = (1..=steps).rev().map(|step| shade(low, step)).collect();
        shades.push([red, green, blue, OPAQUE]);
        shades.extend((1..=steps).map(|step| shade(high, step)));
        let edge = |step: usize| {
            let place = (step as f64 + 0.5) / steps as f64;
            LINEAR * libm::expm1(place * logarithm(limit))
        };
        Self { edges: (0..steps).map(edge).collect(), shades }
    }

    /// The shades from -`limit` to `limit`, `2 * steps + 1` of them.
    pub fn shades(&self) -> &[Pixel] {
        &self.shades
    }

    /// The pixel of a value: clear for not-a-number.
    pub fn pixel(&self, value: f32) -> Pixel {
        if value.is_nan() {
            return CLEAR;
        }
        let distance = f64::from(value.abs());
        let step = self.edges.partition_point(|&edge| edge <= distance);
        let middle = self.edges.len();
        self.shades[if value < 0.0 { middle - step } else { middle + step }]
    }

    /// The pixels of values.
    pub fn paint(&self, values: ArrayView2<f32>) -> Array2<Pixel> {
        values.map(|&value| self.pixel(value))
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    const LOW: Colour = [255, 0, 10];
    const MIDDLE: Colour = [0, 100, 10];
    const HIGH: Colour = [0, 200, 255];

    /// Steps end where 1 + value / 0.01 is 10, 100 and 1000.
    fn scale() -> Scale {
        Scale::new(Palette { low: LOW, middle: MIDDLE, high: HIGH }, 9.99, 3)
    }

    #[test]
    fn places_are_logarithmic_and_end_at_the_limit() {
        let thirds = [0.0, 0.09, 0.99, 9.99].map(|value| place(value, 9.99));
        for (third, found) in thirds.into_iter().enumerate() {
            assert!((found - third as f64 / 3.0).abs() < 1e-15, "{third}: {found}");
        }
        // log 2 / log 1001.
        assert!((place(0.01, 10.0) - 0.100_328_815).abs() < 1e-9);
        assert_eq!(place(-0.99, 9.99), -thirds[2]);
        assert_eq!([10.0, f64::INFINITY].map(|value| place(value, 9.99)), [1.0; 2]);
        assert_eq!(place(f64::NEG_INFINITY, 9.99), -1.0);
        assert!(place(f64::NAN, 9.99).is_nan());
    }

    #[test]
    fn shades_lie_in_even_steps_between_three_colours() {
        let palette = Palette { low: LOW, middle: MIDDLE, high: HIGH };
        let expected = [
            [255, 0, 10, 255],
            // 127.5 and 132.5 are rounded up.
            [128, 50, 10, 255],
            [0, 100, 10, 255],
            [0, 150, 133, 255],
            [0, 200, 255, 255],
        ];
        assert_eq!(Scale::new(palette, 1.0, 2).shades(), expected);
    }

    #[test]
    fn a_value_has_the_nearest_shade() {
        let scale = scale();
        let shades = scale.shades().to_vec();
        // Halfway between steps 1 + value / 0.01 is the square root of 10: 3.1623.
        for (value, shade) in [
            (0.0, 3),
            (0.0216, 3),
            (0.0217, 4),
            (0.09, 4),
            (-0.0217, 2),
            (0.99, 5),
            (-0.99, 1),
            (9.99, 6),
            (1e30, 6),
            (f32::INFINITY, 6),
            (f32::MIN, 0),
            (f32::NEG_INFINITY, 0),
        ] {
            assert_eq!(scale.pixel(value), shades[shade], "{value}");
        }
        assert_eq!(scale.pixel(f32::NAN), [0, 0, 0, 0]);
    }

    #[test]
    fn a_values_shade_is_the_one_at_its_place() {
        let palette = Palette { low: [0, 0, 127], middle: [0; 3], high: [127, 0, 0] };
        for limit in [1.0, 10.0, 1000.0] {
            let scale = Scale::new(palette, limit, 127);
            for at in -4000..=4000 {
                let value = (f64::from(at) / 4000.0).powi(5) * 1.5 * limit;
                let steps = (127.0 * place(value, limit)).round();
                let [above, below] = [steps.max(0.0), (-steps).max(0.0)].map(|steps| steps as u8);
                assert_eq!(scale.pixel(value as f32), [above, 0, below, 255], "{value} of {limit}");
            }
        }
    }

    #[test]
    fn pixels_stand_where_their_values_do() {
        let [low, middle, high] = [LOW, MIDDLE, HIGH].map(|[r, g, b]| [r, g, b, 255]);
        let values = array![[-50.0, 0.0], [f32::NAN, 10.0], [1e-9, -1e-9]];
        let expected = array![[low, middle], [[0; 4], high], [middle, middle]];
        assert_eq!(scale().paint(values.view()), expected);
        let transposed = scale().paint(values.t());
        assert_eq!(transposed, expected.t());
    }
}
