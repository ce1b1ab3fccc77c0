//! How near vectors are to each other.

/// The cosine of each of `vectors` but the first to the first, from -1 to 1; 0 where one of the two has no length.
pub(crate) fn cosines_to_first(vectors: &[Vec<f32>]) -> Vec<f64> {
    let Some((asked, rest)) = vectors.split_first() else { return Vec::new() };
    rest.iter().map(|vector| cosine(asked, vector)).collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum::<f64>();
    let length = (dot(a, a) * dot(b, b)).sqrt();
    if length > 0.0 { dot(a, b) / length } else { 0.0 }
}
