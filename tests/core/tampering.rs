//! Files that somebody changed.

use safetensors::tensor::{Dtype, SafeTensors, TensorView};

/// A file with the bytes of one of its tensors changed, and no digest.
pub fn with_tensor(file: &[u8], name: &str, change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let (_, header) = SafeTensors::read_metadata(file).unwrap();
    let mut metadata = header.metadata().clone().unwrap();
    metadata.remove("digest");
    let tensors = SafeTensors::deserialize(file).unwrap();
    let tensors: Vec<(String, Dtype, Vec<usize>, Vec<u8>)> = tensors
        .tensors()
        .into_iter()
        .map(|(own, view)| {
            let (mut bytes, mut shape) = (view.data().to_vec(), view.shape().to_vec());
            if own == name {
                change(&mut bytes);
                if bytes.len() != view.data().len() {
                    shape = vec![bytes.len() * 8 / view.dtype().bitsize()];
                }
            }
            (own, view.dtype(), shape, bytes)
        })
        .collect();
    let views = tensors.iter().map(|(name, dtype, shape, bytes)| {
        (name, TensorView::new(*dtype, shape.clone(), bytes).unwrap())
    });
    safetensors::serialize(views, Some(metadata)).unwrap()
}
