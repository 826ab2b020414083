//! Keyframes: the value of a channel at a time, between keys as the file asks.
//!
//! After the glTF 2.0 specification, appendix C: steps, straight lines (on the sphere for rotations, the shorter way
//! round) and cubic splines with tangents per unit of time. In f64 throughout.

use crate::error::Fault;

use super::accessor::Buffers;
use super::document::{Animation, Interpolation, Sampler};

/// What a channel moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Property {
    Translation,
    Rotation,
    Scale,
    Weights,
}

/// One property of one node through time.
#[derive(Debug)]
pub(super) struct Channel {
    pub(super) node: usize,
    pub(super) property: Property,
    times: Vec<f32>,
    /// Key after key, `width` numbers each; for splines in-tangent, value and out-tangent of each key.
    values: Vec<f32>,
    width: usize,
    interpolation: Interpolation,
}

/// Reads the channels that move nodes. `morphs` returns how many morph targets a node's mesh has.
pub(super) fn channels(
    animation: &Animation,
    nodes: usize,
    morphs: impl Fn(usize) -> usize,
    buffers: &Buffers<'_>,
) -> Result<Vec<Channel>, Fault> {
    let mut channels = Vec::new();
    for (c, channel) in animation.channels.iter().enumerate() {
        let fault = |what: String| Fault::file(format!("animation channel {c}: {what}"));
        let property = match channel.target.path.as_str() {
            "translation" => Property::Translation,
            "rotation" => Property::Rotation,
            "scale" => Property::Scale,
            "weights" => Property::Weights,
            // Extensions animate other things, such as colours.
            _ => continue,
        };
        let Some(node) = channel.target.node else {
            continue;
        };
        if node >= nodes {
            return Err(fault(format!("there is no node {node}")));
        }
        let Some(sampler) = animation.samplers.get(channel.sampler) else {
            return Err(fault(format!("there is no sampler {}", channel.sampler)));
        };
        let width = match property {
            Property::Weights => morphs(node),
            Property::Rotation => 4,
            _ => 3,
        };
        if width == 0 {
            continue;
        }
        let times = times(sampler, buffers)?;
        let values = match property {
            Property::Weights => flat(buffers.given_floats::<1>(sampler.output, "SCALAR")?),
            Property::Rotation => flat(buffers.given_floats::<4>(sampler.output, "VEC4")?),
            _ => flat(buffers.given_floats::<3>(sampler.output, "VEC3")?),
        };
        let a_key = match sampler.interpolation {
            Interpolation::CubicSpline => 3 * width,
            _ => width,
        };
        if times.len().checked_mul(a_key) != Some(values.len()) {
            return Err(fault(format!(
                "{} keys need {} values each, but there are {} in all",
                times.len(),
                a_key,
                values.len()
            )));
        }
        if let Some(value) = values.iter().find(|value| !value.is_finite()) {
            return Err(fault(format!("one of its values is {value}")));
        }
        channels.push(Channel { node, property, times, values, width, interpolation: sampler.interpolation });
    }
    Ok(channels)
}

fn times(sampler: &Sampler, buffers: &Buffers<'_>) -> Result<Vec<f32>, Fault> {
    let times = flat(buffers.given_floats::<1>(sampler.input, "SCALAR")?);
    let fault = |what: String| Fault::file(format!("accessor {}: {what}", sampler.input));
    if times.is_empty() {
        return Err(fault("it has no times of keys".into()));
    }
    if let Some(time) = times.iter().find(|time| !(time.is_finite() && **time >= 0.0)) {
        return Err(fault(format!("{time} is not the time of a key")));
    }
    // Equal times occur in files in use and are harmless: the first of them is never reached.
    if let Some(pair) = times.windows(2).find(|pair| pair[0] > pair[1]) {
        return Err(fault(format!("the times of its keys go back from {} to {}", pair[0], pair[1])));
    }
    Ok(times)
}

fn flat<const N: usize>(elements: Vec<[f32; N]>) -> Vec<f32> {
    elements.as_flattened().to_vec()
}

impl Channel {
    /// The time of the last key.
    pub(super) fn end(&self) -> f32 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// Fills `values` with the numbers at a time; before the first key and after the last they stay.
    pub(super) fn sample(&self, time: f64, values: &mut Vec<f64>) {
        values.clear();
        let last = self.times.len() - 1;
        let after = self.times.partition_point(|&key| f64::from(key) <= time);
        if after == 0 || after > last {
            let key = if after == 0 { 0 } else { last };
            values.extend(self.key(key).iter().map(|&x| f64::from(x)));
        } else {
            self.between(after - 1, time, values);
        }
        if self.property == Property::Rotation {
            normalize(values);
        }
    }

    fn between(&self, key: usize, time: f64, values: &mut Vec<f64>) {
        let (t0, t1) = (f64::from(self.times[key]), f64::from(self.times[key + 1]));
        let s = (time - t0) / (t1 - t0);
        let pairs = self.key(key).iter().zip(self.key(key + 1));
        let pairs = pairs.map(|(&a, &b)| (f64::from(a), f64::from(b)));
        match self.interpolation {
            Interpolation::Step => values.extend(pairs.map(|(a, _)| a)),
            Interpolation::Linear if self.property == Property::Rotation => {
                let dot: f64 = pairs.clone().map(|(a, b)| a * b).sum();
                let sign = if dot < 0.0 { -1.0 } else { 1.0 };
                let angle = (dot * sign).min(1.0).acos();
                // Where sin(angle) vanishes the arc is as good as a line.
                let (from, to) = if angle < 1e-6 {
                    (1.0 - s, s)
                } else {
                    (((1.0 - s) * angle).sin() / angle.sin(), (s * angle).sin() / angle.sin())
                };
                values.extend(pairs.map(|(a, b)| a * from + b * to * sign));
            }
            Interpolation::Linear => values.extend(pairs.map(|(a, b)| a + (b - a) * s)),
            Interpolation::CubicSpline => {
                let length = t1 - t0;
                let (s2, s3) = (s * s, s * s * s);
                let out = self.tangent(key, 2);
                let into = self.tangent(key + 1, 0);
                values.extend(pairs.zip(out.iter().zip(into)).map(|((a, b), (&out, &into))| {
                    a * (2.0 * s3 - 3.0 * s2 + 1.0)
                        + f64::from(out) * length * (s3 - 2.0 * s2 + s)
                        + b * (3.0 * s2 - 2.0 * s3)
                        + f64::from(into) * length * (s3 - s2)
                }));
            }
        }
    }

    fn key(&self, key: usize) -> &[f32] {
        match self.interpolation {
            Interpolation::CubicSpline => self.tangent(key, 1),
            _ => &self.values[key * self.width..(key + 1) * self.width],
        }
    }

    /// The in-tangent (0), value (1) or out-tangent (2) of a key of a spline.
    fn tangent(&self, key: usize, which: usize) -> &[f32] {
        let start = (key * 3 + which) * self.width;
        &self.values[start..start + self.width]
    }
}

fn normalize(values: &mut [f64]) {
    let length = values.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 {
        values.iter_mut().for_each(|x| *x /= length);
    }
}
