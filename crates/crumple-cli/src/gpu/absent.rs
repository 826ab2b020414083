//! The command as it is built without a graphics stack: nothing here has a value, so nothing here runs.

use anyhow::Result;
use crumple::Body;
use crumple::volume::{ImageOptions, OverlapOptions};

use super::{Found, Path, Trouble};
use crate::out::hinted;

fn none<T>() -> Result<T> {
    let hint = "build it with `cargo run --release --features gpu -- …` in the folder of the project";
    Err(hinted("this command was built without the gpu", hint))
}

pub(crate) fn adapters() -> Result<Vec<[String; 5]>> {
    none()
}

#[derive(Clone, Debug)]
pub(crate) enum Device {}

impl Device {
    pub(crate) fn open(_: Option<&str>) -> Result<Self> {
        none()
    }

    pub(crate) fn name(&self) -> String {
        match *self {}
    }

    pub(crate) fn overlaps(&self, _: Path, _: &OverlapOptions) -> Result<Overlaps> {
        match *self {}
    }

    pub(crate) fn images(&self, _: Path, _: ImageOptions) -> Result<Images> {
        match *self {}
    }
}

#[derive(Debug)]
pub(crate) enum Overlaps {}

impl Overlaps {
    pub(crate) fn compute(&mut self, _: &Body, _: &Body) -> Result<Found, Trouble> {
        match *self {}
    }
}

#[derive(Debug)]
pub(crate) enum Images {}

impl Images {
    pub(crate) fn render(&mut self, _: &Body) -> Result<(), Trouble> {
        match *self {}
    }

    pub(crate) fn finish(&self) -> Result<(), Trouble> {
        match *self {}
    }

    pub(crate) fn depth_complexity(&self) -> u32 {
        match *self {}
    }

    pub(crate) fn contains_points(&mut self, _: &[[f32; 3]], _: &mut Vec<bool>) -> Result<(), Trouble> {
        match *self {}
    }
}
