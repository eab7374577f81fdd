//! The device that runs the shaders, and what can go wrong with it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use wgpu::{Buffer, BufferUsages};

use super::not_for_gpu;
use crate::Error;

/// A GPU that was asked for: cheap to clone, every clone is the same device.
///
/// Once it was lost or has failed, everything asked of it is [`Error::GpuFailed`]: ask for another.
#[derive(Debug, Clone)]
pub struct Gpu {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    name: String,
    software: bool,
    limits: Limits,
    state: Arc<Mutex<State>>,
}

/// What a device can do at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a buffer that a shader sees; what is larger is split.
    pub binding: u64,
    /// Bytes of a buffer.
    pub buffer: u64,
    /// Workgroups along one axis of a dispatch.
    pub workgroups: u32,
}

#[derive(Debug, Default)]
struct State {
    lost: Option<String>,
    failed: Option<String>,
}

/// Shaders count in 32 bits.
const MOST_BYTES: u64 = 1 << 31;

impl Gpu {
    /// Asks for the fastest GPU, or for what stands in for one in software.
    ///
    /// # Errors
    /// [`Error::NoGpu`] says why there is none.
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

    /// What it calls itself; empty where a browser does not say.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether a processor stands in for the GPU, as far as that can be told.
    pub fn is_software(&self) -> bool {
        self.software
    }

    /// What it can do at most.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Why the device is no more, if it is not.
    pub fn lost(&self) -> Option<String> {
        lock(&self.state).lost.clone()
    }

    /// Gives the device up, as if it were lost.
    pub fn destroy(&self) {
        self.device.destroy();
        lock(&self.state).lost.get_or_insert("it was given up".into());
    }

    /// Whether it was lost or has failed by now.
    pub(super) fn check(&self) -> Result<(), Error> {
        let state = lock(&self.state);
        match (&state.lost, &state.failed) {
            (Some(reason), _) => Err(Error::GpuFailed { reason: format!("lost, {reason}") }),
            (_, Some(reason)) => Err(Error::GpuFailed { reason: reason.clone() }),
            _ => Ok(()),
        }
    }

    /// A buffer of so many bytes, zeros, for shaders and copies.
    pub(super) fn buffer(&self, bytes: u64, more: BufferUsages) -> Buffer {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST | more;
        // Nothing can be bound that is empty.
        let size = bytes.max(16);
        let descriptor =
            wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        self.device.create_buffer(&descriptor)
    }

    /// A buffer of these numbers.
    pub(super) fn upload<T: bytemuck::NoUninit>(&self, values: &[T]) -> Buffer {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        let buffer = self.buffer(bytes.len() as u64, BufferUsages::empty());
        self.queue.write_buffer(&buffer, 0, bytes);
        buffer
    }

    /// Replaces a buffer by one of at least so many bytes, if it is smaller.
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

    /// The entry points of a shader.
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

    /// Runs a kernel with so many workgroups, which may be more than one axis has.
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

    /// Records what is to be done and hands it over.
    pub(super) fn submit(&self, record: impl FnOnce(&mut wgpu::CommandEncoder)) {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        record(&mut encoder);
        self.queue.submit([encoder.finish()]);
    }

    /// The first numbers of some buffers, one buffer's after the other's, when all that was handed
    /// over before is done.
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
        // Natively it is there by now, or another thread that waited is about to give it.
        let mapped = answer.await;
        self.check()?;
        let failed = |reason: String| Error::GpuFailed { reason };
        mapped.map_err(|error| failed(error.to_string()))?;
        let view = staging.get_mapped_range(..).map_err(|error| failed(error.to_string()))?;
        Ok(view.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect())
    }

    /// Natively, waits until all that was handed over is done; a browser does so by itself.
    fn wait(&self) -> Result<(), Error> {
        let poll = || self.device.poll(wgpu::PollType::wait_indefinitely());
        // It panics where the device is lost meanwhile.
        let done = catch_unwind(AssertUnwindSafe(poll)).map(|done| done.is_ok());
        match done {
            Ok(true) => Ok(()),
            _ => Err(Error::GpuFailed { reason: "it was lost while at work".into() }),
        }
    }
}

/// An entry point of a shader, and the numbers of the bindings that it uses.
#[derive(Debug)]
pub(super) struct Kernel {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    bindings: &'static [u32],
}

/// What a callback will be given, to be waited for.
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

/// Where there is no WebGPU, `wgpu` would panic.
#[cfg(target_arch = "wasm32")]
fn look_for_webgpu() -> Result<(), Error> {
    use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
    use web_sys::{Window, WorkerGlobalScope};

    #[wasm_bindgen]
    extern "C" {
        /// A navigator of a window or of a worker; `web_sys` keeps its `gpu` among what is not stable.
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
        // Before the buffer is made, before it is read, and while a copy is on its way.
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
