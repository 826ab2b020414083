//! The methods by name.

use std::fmt;
use std::str::FromStr;

use crumple::Scene;
use crumple::narrow::brute::BruteForce;
use crumple::narrow::wide_tree::{WideTree, WideTreeOptions};

use crate::{BucketTree, GjkCut, HybridTree, HybridTreeOptions, LocalTree, LocalTreeOptions};

/// Which method finds the pairs; all find the same ones.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Every triangle against every triangle: slow, and obviously right.
    BruteForce,
    /// Larsson & Akenine-Möller 2001: box trees refitted where a query needs them.
    HybridTree(HybridTreeOptions),
    /// Ganovelli, Dingliana & O'Sullivan 2000: octrees of buckets laid anew each frame. Its options are checked when it
    /// is made.
    BucketTree(BucketTree),
    /// Hatab & Kheddar 2006: lists cut and split by GJK's directions, nothing kept between frames. Its options are
    /// checked when it is made.
    GjkCut(GjkCut),
    /// van den Bergen 1997: box trees in body coordinates, refitted whole; the papers' baseline.
    LocalTree(LocalTreeOptions),
    /// Clusters of triangles in wide lanes: the fastest.
    WideTree(WideTreeOptions),
}

impl Method {
    /// Every method with its default options.
    pub fn all() -> Vec<Self> {
        vec![
            Self::BruteForce,
            Self::HybridTree(HybridTreeOptions::default()),
            Self::BucketTree(BucketTree::default()),
            Self::GjkCut(GjkCut::default()),
            Self::LocalTree(LocalTreeOptions::default()),
            Self::WideTree(WideTreeOptions::default()),
        ]
    }

    /// A scene without bodies that finds its pairs by this method.
    pub fn scene(self) -> Scene {
        match self {
            Self::BruteForce => Scene::with_method(BruteForce),
            Self::HybridTree(options) => Scene::with_method(HybridTree { options }),
            Self::BucketTree(method) => Scene::with_method(method),
            Self::GjkCut(method) => Scene::with_method(method),
            Self::LocalTree(options) => Scene::with_method(LocalTree { options }),
            Self::WideTree(options) => Scene::with_method(WideTree { options }),
        }
    }

    /// The bodies of a scene, with the same ids, under this method.
    pub fn of(self, scene: &Scene) -> Scene {
        match self {
            Self::BruteForce => scene.under(BruteForce),
            Self::HybridTree(options) => scene.under(HybridTree { options }),
            Self::BucketTree(method) => scene.under(method),
            Self::GjkCut(method) => scene.under(method),
            Self::LocalTree(options) => scene.under(LocalTree { options }),
            Self::WideTree(options) => scene.under(WideTree { options }),
        }
    }

    /// The name the command line and reports know it by.
    pub fn name(&self) -> &'static str {
        match self {
            Self::BruteForce => "brute-force",
            Self::HybridTree(_) => "hybrid-tree",
            Self::BucketTree(_) => "bucket-tree",
            Self::GjkCut(_) => "gjk-cut",
            Self::LocalTree(_) => "local-tree",
            Self::WideTree(_) => "wide-tree",
        }
    }
}

impl Default for Method {
    fn default() -> Self {
        Self::WideTree(WideTreeOptions::default())
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// There is no method of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no method \"{name}\"; try one of {}", names())]
pub struct UnknownMethod {
    /// The name that was asked for.
    pub name: String,
}

fn names() -> String {
    Method::all().iter().map(Method::name).collect::<Vec<_>>().join(", ")
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        let known = Self::all().into_iter().find(|method| method.name() == name);
        known.ok_or_else(|| UnknownMethod { name: name.to_owned() })
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;

    #[test]
    fn methods_are_read_back_with_their_options_and_bad_ones_are_refused() {
        for method in Method::all() {
            let text = serde_json::to_string(&method).unwrap();
            assert!(text.contains(method.name()), "{text}");
            assert_eq!(serde_json::from_str::<Method>(&text).unwrap(), method);
        }
        let mut value = serde_json::to_value(GjkCut::default()).unwrap();
        value["cut_threshold"] = 1000.into();
        assert!(serde_json::from_value::<GjkCut>(value).is_err());
    }
}
