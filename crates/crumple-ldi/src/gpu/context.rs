//! The device everything runs on: opened here without a window, or the caller's own.
//!
//! Errors of the graphics stack arrive late and from anywhere. Handlers note them in the context, and every call that
//! waits for the device looks there: a lost device and a refused command are errors of that call, never a panic.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::gpu::GpuError;
use crate::gpu::counters::{Counters, Running};
use crate::gpu::kernels::Kernels;
use crate::gpu::stencil::Pipelines;

/// Which adapter to open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum AdapterChoice {
    /// A card of its own before one built in, and either before software.
    #[default]
    Fastest,
    /// One built in before a card of its own, and either before software.
    LowPower,
    /// The first whose name, driver or backend contains this, upper and lower case alike.
    Named(String),
}

/// An adapter that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AdapterSummary {
    /// The name its driver gives it.
    pub name: String,
    /// "discrete", "integrated", "virtual", "software" or "other".
    pub kind: &'static str,
    /// "vulkan", "gl", …
    pub backend: String,
    /// The driver and its version.
    pub driver: String,
    /// What it lacks for the questions asked here; `None` if nothing.
    pub lacks: Option<String>,
}

impl AdapterSummary {
    /// Whether a processor does the work: right answers, but no speed.
    pub fn is_software(&self) -> bool {
        self.kind == "software"
    }

    fn of(info: &wgpu::AdapterInfo, lacks: Option<String>) -> Self {
        let kind = match info.device_type {
            wgpu::DeviceType::DiscreteGpu => "discrete",
            wgpu::DeviceType::IntegratedGpu => "integrated",
            wgpu::DeviceType::VirtualGpu => "virtual",
            wgpu::DeviceType::Cpu => "software",
            wgpu::DeviceType::Other => "other",
        };
        let driver = [&*info.driver, &*info.driver_info].join(" ").trim().to_owned();
        Self { name: info.name.clone(), kind, backend: info.backend.to_str().to_owned(), driver, lacks }
    }
}

/// What the shaders need of a device; texture sizes are asked for when an image is.
fn lacking(limits: &wgpu::Limits, compute: bool) -> Option<String> {
    if !compute {
        return Some("compute shaders".to_owned());
    }
    let needs = [
        ("storage buffers a shader", u64::from(limits.max_storage_buffers_per_shader_stage), 8),
        ("threads a group", u64::from(limits.max_compute_invocations_per_workgroup), 256),
        ("threads a group along x", u64::from(limits.max_compute_workgroup_size_x), 256),
        ("groups a dispatch along x", u64::from(limits.max_compute_workgroups_per_dimension), 32_768),
        ("bytes a storage buffer", limits.max_storage_buffer_binding_size, 1 << 27),
    ];
    let lack = needs.into_iter().find(|&(_, has, needed)| has < needed)?;
    Some(format!("{}: it has {}, of which {} are needed", lack.0, lack.1, lack.2))
}

/// A device with what is compiled for it, shared by everything made from it; clones are the same context.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) limits: wgpu::Limits,
    pub(crate) counters: Arc<Running>,
    adapter: AdapterSummary,
    trouble: Arc<Trouble>,
    kernels: OnceLock<Kernels>,
    pipelines: OnceLock<Pipelines>,
}

/// What handlers noted.
#[derive(Debug, Default)]
struct Trouble {
    lost: Mutex<Option<String>>,
    refused: Mutex<Option<String>>,
}

fn note(noted: &Mutex<Option<String>>, message: String) {
    noted.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(message);
}

fn instance(backends: wgpu::Backends) -> wgpu::Instance {
    wgpu::Instance::new(wgpu::InstanceDescriptor { backends, ..wgpu::InstanceDescriptor::new_without_display_handle() })
}

fn found_adapters(backends: wgpu::Backends) -> Vec<wgpu::Adapter> {
    pollster::block_on(instance(backends).enumerate_adapters(backends))
}

/// Everything but OpenGL, which is a way round old drivers, slow to look for, and talks on stderr without a display.
fn modern() -> wgpu::Backends {
    wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12
}

fn summary(adapter: &wgpu::Adapter) -> AdapterSummary {
    let compute = adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS);
    AdapterSummary::of(&adapter.get_info(), lacking(&adapter.limits(), compute))
}

impl Gpu {
    /// The adapters of this machine, as drivers list them.
    pub fn adapters() -> Vec<AdapterSummary> {
        found_adapters(modern() | wgpu::Backends::GL).iter().map(summary).collect()
    }

    /// Opens a device without a window.
    ///
    /// # Errors
    /// If there is no such adapter, it lacks something, or its driver refuses.
    pub fn open(choice: &AdapterChoice) -> Result<Self, GpuError> {
        let mut adapters = found_adapters(modern());
        let mut summaries: Vec<AdapterSummary> = adapters.iter().map(summary).collect();
        let number = match choose(choice, &summaries) {
            Ok(number) if summaries[number].lacks.is_none() => number,
            _ => {
                adapters = found_adapters(modern() | wgpu::Backends::GL);
                summaries = adapters.iter().map(summary).collect();
                choose(choice, &summaries)?
            }
        };
        let (adapter, summary) = (&adapters[number], &summaries[number]);
        if let Some(what) = &summary.lacks {
            return Err(GpuError::Lacking { adapter: summary.name.clone(), what: what.clone() });
        }
        let asked = adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("crumple"),
            required_limits: adapter.limits(),
            ..Default::default()
        });
        let refused = |error: wgpu::RequestDeviceError| GpuError::Refused {
            adapter: summary.name.clone(),
            message: error.to_string(),
        };
        let (device, queue) = pollster::block_on(asked).map_err(refused)?;
        Self::from_device(device, queue)
    }

    /// Uses a device of the caller's, so that vertices can stay in the buffers they are simulated in.
    ///
    /// Handlers for lost devices and uncaptured errors are set on it: this context turns both into errors of its calls.
    ///
    /// # Errors
    /// If the device was opened with limits that are too low.
    pub fn from_device(device: wgpu::Device, queue: wgpu::Queue) -> Result<Self, GpuError> {
        let (limits, info) = (device.limits(), device.adapter_info());
        // A device without compute shaders has a limit of 0 threads.
        let adapter = AdapterSummary::of(&info, lacking(&limits, true));
        if let Some(what) = adapter.lacks {
            return Err(GpuError::Lacking { adapter: adapter.name, what });
        }
        let (trouble, counters) = (Arc::new(Trouble::default()), Arc::new(Running::default()));
        let lost = Arc::clone(&trouble);
        device.set_device_lost_callback(move |reason, message| {
            note(&lost.lost, format!("{reason:?}: {}", message.trim()));
        });
        let (refused, counted) = (Arc::clone(&trouble), Arc::clone(&counters));
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            counted.refused.add(1);
            note(&refused.refused, error.to_string());
        }));
        let (kernels, pipelines) = (OnceLock::new(), OnceLock::new());
        Ok(Self { inner: Arc::new(Inner { device, queue, limits, counters, adapter, trouble, kernels, pipelines }) })
    }

    /// The adapter the device belongs to.
    pub fn adapter(&self) -> &AdapterSummary {
        &self.inner.adapter
    }

    /// The device, to create buffers that bodies can be made of.
    pub fn device(&self) -> &wgpu::Device {
        &self.inner.device
    }

    /// The queue of the device.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.inner.queue
    }

    /// What was done in this context so far.
    pub fn counters(&self) -> Counters {
        self.inner.counters.now()
    }

    /// What is wrong with the device, if anything was noted. A refused command is reported once, a lost device every
    /// time.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        let read = |noted: &Mutex<Option<String>>| noted.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(message) = read(&self.inner.trouble.lost) {
            return Err(GpuError::Lost { message });
        }
        let refused = self.inner.trouble.refused.lock().unwrap_or_else(PoisonError::into_inner).take();
        refused.map_or(Ok(()), |message| Err(GpuError::Validation { message }))
    }

    /// The compute shaders, compiled at the first call.
    pub(crate) fn kernels(&self) -> &Kernels {
        self.inner.kernels.get_or_init(|| Kernels::new(self))
    }

    /// The render pipelines, compiled at the first call.
    pub(crate) fn pipelines(&self) -> &Pipelines {
        self.inner.pipelines.get_or_init(|| Pipelines::new(self))
    }

    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

/// The number of the adapter that fits a choice best.
fn choose(choice: &AdapterChoice, adapters: &[AdapterSummary]) -> Result<usize, GpuError> {
    let rank = |kind: &str| {
        let order: [&str; 4] = match choice {
            AdapterChoice::LowPower => ["integrated", "discrete", "virtual", "other"],
            _ => ["discrete", "integrated", "virtual", "other"],
        };
        order.iter().position(|&other| other == kind).unwrap_or(order.len())
    };
    // What can do the work before what cannot, then by kind; Vulkan and its like before GL.
    let key = |adapter: &AdapterSummary| (adapter.lacks.is_some(), rank(adapter.kind), adapter.backend == "gl");
    let fits = |adapter: &AdapterSummary| match choice {
        AdapterChoice::Named(part) => {
            let part = part.to_lowercase();
            [&adapter.name, &adapter.driver, &adapter.backend].iter().any(|text| text.to_lowercase().contains(&part))
        }
        _ => true,
    };
    let numbered = adapters.iter().enumerate().filter(|(_, adapter)| fits(adapter));
    let best = numbered.min_by_key(|(_, adapter)| key(adapter)).map(|(number, _)| number);
    best.ok_or_else(|| {
        let names: Vec<&str> = adapters.iter().map(|adapter| adapter.name.as_str()).collect();
        let found =
            if names.is_empty() { "none was found".to_owned() } else { format!("there is {}", names.join(", ")) };
        let wanted = match choice {
            AdapterChoice::Named(part) => format!(" named {part:?}"),
            _ => String::new(),
        };
        GpuError::NoAdapter { wanted, found }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(name: &str, kind: &'static str, backend: &str, lacks: Option<&str>) -> AdapterSummary {
        let lacks = lacks.map(str::to_owned);
        AdapterSummary { name: name.to_owned(), kind, backend: backend.to_owned(), driver: String::new(), lacks }
    }

    #[test]
    fn a_card_comes_before_software_and_what_lacks_something_comes_last() {
        let adapters = [
            adapter("soft", "software", "vulkan", None),
            adapter("old", "discrete", "gl", Some("compute shaders")),
            adapter("built-in", "integrated", "gl", None),
            adapter("built-in", "integrated", "vulkan", None),
            adapter("card", "discrete", "vulkan", None),
        ];
        assert_eq!(choose(&AdapterChoice::Fastest, &adapters), Ok(4));
        assert_eq!(choose(&AdapterChoice::LowPower, &adapters), Ok(3));
        assert_eq!(choose(&AdapterChoice::Named("SOFT".to_owned()), &adapters), Ok(0));
    }

    #[test]
    fn no_adapter_says_what_was_found_and_what_to_install() {
        let error = choose(&AdapterChoice::default(), &[]).unwrap_err().to_string();
        assert!(error.contains("none was found") && error.contains("mesa-vulkan-drivers"), "{error}");
        let named = AdapterChoice::Named("voodoo".to_owned());
        let error = choose(&named, &[adapter("soft", "software", "vulkan", None)]).unwrap_err().to_string();
        assert!(error.contains("\"voodoo\"") && error.contains("soft"), "{error}");
    }

    #[test]
    fn low_limits_are_named_with_what_is_needed() {
        let low = wgpu::Limits { max_storage_buffers_per_shader_stage: 4, ..wgpu::Limits::default() };
        assert_eq!(lacking(&wgpu::Limits::default(), true), None);
        assert_eq!(lacking(&low, true).unwrap(), "storage buffers a shader: it has 4, of which 8 are needed");
        assert_eq!(lacking(&low, false).unwrap(), "compute shaders");
    }
}
