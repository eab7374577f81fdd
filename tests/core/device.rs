//! The GPU that tests run on. Without one, Mesa's lavapipe stands in.

use std::sync::OnceLock;

use pollster::block_on;
use smooth_clir::gpu::Gpu;

/// The device that all tests share but those that lose theirs.
pub fn gpu() -> Gpu {
    static SHARED: OnceLock<Gpu> = OnceLock::new();
    SHARED.get_or_init(own_gpu).clone()
}

/// A device of its own.
pub fn own_gpu() -> Gpu {
    block_on(Gpu::request()).unwrap_or_else(|error| {
        panic!("{error}. Install a Vulkan driver (Debian: apt-get install mesa-vulkan-drivers)")
    })
}

/// The larger of two numbers, and NaN where one of them is: `max` would drop it.
pub fn largest_or_nan<T: PartialOrd + Copy>(most: T, x: T) -> T {
    if most.partial_cmp(&most).is_none() || x <= most { most } else { x }
}
