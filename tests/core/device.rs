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
