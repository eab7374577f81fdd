//! The GPU device that runs the shaders, and its failures.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use wgpu::{Buffer, BufferUsages};

use super::not_for_gpu;
use crate::Error;

/// A GPU device. Clones are cheap and share the device.
///
/// After a loss or a failure every call returns [`Error::GpuFailed`]: request another device.
#[derive(Debug, Clone)]
pub struct Gpu {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    name: String,
    software: bool,
    limits: Limits,
    state: Arc<Mutex<State>>,
}

/// The limits of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The largest binding in bytes; larger tables are split.
    pub binding: u64,
    /// The largest buffer in bytes.
    pub buffer: u64,
    /// The largest number of workgroups along one axis of a dispatch.
    pub workgroups: u32,
}

#[derive(Debug, Default)]
struct State {
    lost: Option<String>,
    failed: Option<String>,
}

/// Limits a count to 32 bits, because shaders count in 32 bits.
const MOST_BYTES: u64 = 1 << 31;

impl Gpu {
    /// Requests the fastest GPU, or a software implementation.
    ///
    /// # Errors
    /// [`Error::NoGpu`], with the reason.
    pub async fn request() -> Result<Self, Error> {
        #[cfg(target_arch = "wasm32")]
        look_for_webgpu()?;
        let no_gpu = |reason: String| Error::NoGpu { reason };
        let descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let adapter = wgpu::Instance::new(descriptor).request_adapter(&options).await;
        let adapter = adapter.map_err(|error| {
            // wgpu's message lists backends that no browser has.
            let in_browser = cfg!(target_arch = "wasm32");
            no_gpu(if in_browser {
                "the browser offers no adapter".into()
            } else {
                format!("no adapter: {error}")
            })
        })?;
        let (info, most) = (adapter.get_info(), adapter.limits());
        let required_limits = wgpu::Limits {
            max_storage_buffer_binding_size: most.max_storage_buffer_binding_size.min(MOST_BYTES),
            max_buffer_size: most.max_buffer_size,
            ..wgpu::Limits::default()
        };
        let limits = Limits {
            binding: required_limits.max_storage_buffer_binding_size,
            buffer: required_limits.max_buffer_size,
            workgroups: required_limits.max_compute_workgroups_per_dimension,
        };
        let descriptor = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
        let device = adapter.request_device(&descriptor).await;
        let (device, queue) = device.map_err(|error| no_gpu(format!("{}: {error}", info.name)))?;

        let state = Arc::new(Mutex::new(State::default()));
        let lost = state.clone();
        device.set_device_lost_callback(move |reason, message| {
            lock(&lost).lost = Some(format!("{reason:?}: {message}"));
        });
        let failed = state.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            lock(&failed).failed.get_or_insert(error.to_string());
        }));
        let software = info.device_type == wgpu::DeviceType::Cpu
            || ["llvmpipe", "swiftshader"].iter().any(|x| info.name.to_lowercase().contains(x));
        Ok(Self { device, queue, name: info.name, software, limits, state })
    }

    /// The device's name; empty if a browser does not reveal it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the GPU is emulated by the processor, as far as its name shows.
    pub fn is_software(&self) -> bool {
        self.software
    }

    /// The limits of the device.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The reason for the loss or failure of the device, if any.
    pub fn lost(&self) -> Option<String> {
        lock(&self.state).lost.clone()
    }

    /// Destroys the device, as if it were lost.
    pub fn destroy(&self) {
        self.device.destroy();
        lock(&self.state).lost.get_or_insert("it was given up".into());
    }

    /// Returns [`Error::GpuFailed`] if the device was lost or has failed.
    pub(super) fn check(&self) -> Result<(), Error> {
        let state = lock(&self.state);
        match (&state.lost, &state.failed) {
            (Some(reason), _) => Err(Error::GpuFailed { reason: format!("lost, {reason}") }),
            (_, Some(reason)) => Err(Error::GpuFailed { reason: reason.clone() }),
            _ => Ok(()),
        }
    }

    /// Creates a buffer of zeros, for shaders and copies.
    pub(super) fn buffer(&self, bytes: u64, more: BufferUsages) -> Buffer {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST | more;
        // A binding cannot be empty.
        let size = bytes.max(16);
        let descriptor =
            wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        self.device.create_buffer(&descriptor)
    }

    /// Creates a buffer with these values.
    pub(super) fn upload<T: bytemuck::NoUninit>(&self, values: &[T]) -> Buffer {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        let buffer = self.buffer(bytes.len() as u64, BufferUsages::empty());
        self.queue.write_buffer(&buffer, 0, bytes);
        buffer
    }

    /// Replaces a buffer by a larger one if it has fewer bytes than requested.
    pub(super) fn make_room(&self, buffer: &mut Buffer, bytes: u64) -> Result<(), Error> {
        if buffer.size() < bytes {
            let most = self.limits.binding.min(self.limits.buffer);
            if bytes > most {
                let (found, expected) = (format!("{bytes} bytes"), format!("at most {most}"));
                return Err(not_for_gpu("a batch's numbers", found, expected));
            }
            let bytes = bytes.next_power_of_two().min(most);
            *buffer = self.buffer(bytes, buffer.usage());
        }
        Ok(())
    }

    /// Compiles a shader and returns its entry points.
    pub(super) fn kernels<const N: usize>(
        &self,
        source: &str,
        kernels: [(&str, &'static [u32]); N],
    ) -> [Kernel; N] {
        let source = wgpu::ShaderSource::Wgsl(source.into());
        let descriptor = wgpu::ShaderModuleDescriptor { label: None, source };
        let module = self.device.create_shader_module(descriptor);
        kernels.map(|(entry_point, bindings)| {
            let descriptor = wgpu::ComputePipelineDescriptor {
                label: Some(entry_point),
                layout: None,
                module: &module,
                entry_point: Some(entry_point),
                compilation_options: Default::default(),
                cache: None,
            };
            let pipeline = self.device.create_compute_pipeline(&descriptor);
            Kernel { layout: pipeline.get_bind_group_layout(0), pipeline, bindings }
        })
    }

    /// Runs a kernel with the given number of workgroups, which may exceed one axis.
    pub(super) fn dispatch(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        kernel: &Kernel,
        resources: &[(u32, wgpu::BindingResource<'_>)],
        workgroups: usize,
    ) {
        if workgroups == 0 {
            return;
        }
        let wanted = resources.iter().filter(|(number, _)| kernel.bindings.contains(number));
        let entries: Vec<_> = wanted
            .map(|(binding, resource)| wgpu::BindGroupEntry {
                binding: *binding,
                resource: resource.clone(),
            })
            .collect();
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &kernel.layout,
            entries: &entries,
        });
        let x = workgroups.min(self.limits.workgroups as usize);
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(x as u32, workgroups.div_ceil(x) as u32, 1);
    }

    /// Records commands and submits them.
    pub(super) fn submit(&self, record: impl FnOnce(&mut wgpu::CommandEncoder)) {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        record(&mut encoder);
        self.queue.submit([encoder.finish()]);
    }

    /// Reads the first values of some buffers, one buffer after the other, after all submitted work
    /// is done.
    pub(super) async fn read<T: bytemuck::AnyBitPattern>(
        &self,
        parts: &[(&Buffer, usize)],
    ) -> Result<Vec<T>, Error> {
        self.check()?;
        let bytes = |count: usize| (count * size_of::<T>()) as u64;
        let total = bytes(parts.iter().map(|(_, count)| count).sum());
        if total == 0 {
            return Ok(Vec::new());
        }
        let staging = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: total,
            usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.submit(|encoder| {
            let mut at = 0;
            for &(buffer, count) in parts {
                encoder.copy_buffer_to_buffer(buffer, 0, &staging, at, bytes(count));
                at += bytes(count);
            }
        });
        self.check()?;
        let answer = Answer::default();
        let teller = answer.clone();
        staging.map_async(wgpu::MapMode::Read, .., move |result| teller.give(result));
        self.wait()?;
        // Natively the data has arrived, or another waiting thread is about to deliver it.
        let mapped = answer.await;
        self.check()?;
        let failed = |reason: String| Error::GpuFailed { reason };
        mapped.map_err(|error| failed(error.to_string()))?;
        let view = staging.get_mapped_range(..).map_err(|error| failed(error.to_string()))?;
        Ok(view.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect())
    }

    /// Waits, natively, until all submitted work is done; a browser polls by itself.
    fn wait(&self) -> Result<(), Error> {
        let poll = || self.device.poll(wgpu::PollType::wait_indefinitely());
        // `poll` panics if the device is lost meanwhile.
        let done = catch_unwind(AssertUnwindSafe(poll)).map(|done| done.is_ok());
        match done {
            Ok(true) => Ok(()),
            _ => Err(Error::GpuFailed { reason: "it was lost while at work".into() }),
        }
    }
}

/// An entry point of a shader with the numbers of its bindings.
#[derive(Debug)]
pub(super) struct Kernel {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    bindings: &'static [u32],
}

/// A future of the value that a callback receives.
#[derive(Debug)]
struct Answer<T>(Arc<Mutex<(Option<T>, Option<Waker>)>>);

impl<T> Answer<T> {
    fn give(&self, answer: T) {
        let mut slot = lock(&self.0);
        slot.0 = Some(answer);
        if let Some(waker) = slot.1.take() {
            waker.wake();
        }
    }
}

impl<T> Default for Answer<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Clone for Answer<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Future for Answer<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let mut slot = lock(&self.0);
        match slot.0.take() {
            Some(answer) => Poll::Ready(answer),
            None => {
                slot.1 = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Fails if there is no WebGPU, where `wgpu` would panic.
#[cfg(target_arch = "wasm32")]
fn look_for_webgpu() -> Result<(), Error> {
    use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
    use web_sys::{Window, WorkerGlobalScope};

    #[wasm_bindgen]
    extern "C" {
        /// The navigator of a window or a worker; `web_sys` lists its `gpu` among unstable
        /// interfaces.
        type AnyNavigator;
        #[wasm_bindgen(method, getter)]
        fn gpu(this: &AnyNavigator) -> JsValue;
    }

    let global = js_sys::global();
    let navigator: Option<JsValue> = match global.dyn_ref::<Window>() {
        Some(window) => Some(window.navigator().into()),
        None => global.dyn_ref::<WorkerGlobalScope>().map(|worker| worker.navigator().into()),
    };
    if navigator
        .is_some_and(|navigator| navigator.unchecked_ref::<AnyNavigator>().gpu().is_object())
    {
        Ok(())
    } else {
        Err(Error::NoGpu { reason: "there is no WebGPU here (navigator.gpu)".into() })
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use pollster::block_on;

    #[test]
    fn a_loss_that_nobody_noticed_yet_ends_in_an_error_wherever_it_meets_the_work() {
        let gpu = || block_on(Gpu::request()).unwrap();
        let failed = |result: Result<Vec<f32>, Error>| {
            assert_eq!(result.unwrap_err().code(), "gpu-failed");
        };
        // The device is lost before the buffer is created, before it is read, and during a copy.
        let lost = gpu();
        lost.device.destroy();
        let buffer = lost.upload(&[1.0f32]);
        failed(block_on(lost.read(&[(&buffer, 1)])));

        let lost = gpu();
        let buffer = lost.upload(&[1.0f32]);
        assert_eq!(block_on(lost.read::<f32>(&[(&buffer, 1)])), Ok(vec![1.0]));
        lost.submit(|encoder| encoder.clear_buffer(&buffer, 0, None));
        lost.device.destroy();
        failed(block_on(lost.read(&[(&buffer, 1)])));
        assert!(lost.lost().is_some(), "and by now it is known");
    }

    #[test]
    fn what_the_device_refuses_is_an_error_from_then_on() {
        let gpu = block_on(Gpu::request()).unwrap();
        assert_eq!(gpu.check(), Ok(()));
        let _ = gpu.buffer(u64::MAX / 2, BufferUsages::empty());
        assert_eq!(gpu.check().unwrap_err().code(), "gpu-failed");
        let gpu = block_on(Gpu::request()).unwrap();
        let _: [Kernel; 1] = gpu.kernels("fn nonsense(", [("nonsense", &[])]);
        assert_eq!(gpu.check().unwrap_err().code(), "gpu-failed");
    }
}
