//! Stand-in until the real one is merged.
pub struct Grades(Vec<Vec<u64>>);
impl Grades {
    pub fn of_confusion(c: Vec<Vec<u64>>) -> Self {
        Self(c)
    }
    pub fn macro_accuracy(&self) -> f64 {
        let r: Vec<f64> = self
            .0
            .iter()
            .enumerate()
            .map(|(i, r)| r[i] as f64 / r.iter().sum::<u64>().max(1) as f64)
            .collect();
        r.iter().fold(0.0, |s, x| s + x) / r.len() as f64
    }
    pub fn kappa(&self) -> f64 {
        0.0
    }
    pub fn confusion(&self) -> &[Vec<u64>] {
        &self.0
    }
}
