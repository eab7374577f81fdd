//! Speed of the scans.
use smooth_clir::kernels;
use std::time::Instant;
fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let p = 64;
    let x: Vec<f32> =
        (0..n * p).map(|i| ((i * 2654435761usize) as u32 as f32 / 4e9) - 0.5).collect();
    let x8: Vec<i8> = (0..n * p).map(|i| ((i * 2654435761usize) >> 24) as i8).collect();
    let q: Vec<f32> = x[..p].to_vec();
    let q16: Vec<i16> = (0..p).map(|i| (i * 7919 % 65536) as i16).collect();
    let mut out = vec![0f32; 256];
    let mut out32 = vec![0i32; 256];
    for _ in 0..5 {
        let t = Instant::now();
        let mut s = [0u32; 64];
        for c in x.chunks_exact(64) {
            for i in 0..64 {
                s[i] ^= c[i].to_bits();
            }
        }
        let a = t.elapsed().as_secs_f64();
        let t = Instant::now();
        let mut m = 0f32;
        for c in x.chunks(256 * p) {
            kernels::dots(&q, c, &mut out[..c.len() / p]);
            m = out.iter().fold(m, |m, &x| if x > m { x } else { m });
        }
        let b = t.elapsed().as_secs_f64();
        let t = Instant::now();
        let mut m8 = 0i32;
        for c in x8.chunks(256 * p) {
            kernels::dots_of_integers(&q16, c, &mut out32[..c.len() / p]);
            m8 = out32.iter().fold(m8, |m, &x| m.max(x));
        }
        let d = t.elapsed().as_secs_f64();
        println!(
            "stream {:.2} GB/s  f32 {:.2} GB/s ({:.2} of stream)  i8 {:.2} of f32   {} {} {}",
            4e-9 * (n * p) as f64 / a,
            4e-9 * (n * p) as f64 / b,
            a / b,
            d / b,
            s[0],
            m,
            m8
        );
    }
}
