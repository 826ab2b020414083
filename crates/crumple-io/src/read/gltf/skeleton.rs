//! The bones of a file: the joints of its skins, what they are called, and how far they are apart.

use super::document::Document;
use super::pose::Player;

/// The nodes of a file as bones. Nodes between two joints that are no joints themselves are not counted.
#[derive(Debug)]
pub(crate) struct Skeleton {
    names: Vec<String>,
    /// The nearest joint above each node.
    parents: Vec<Option<u32>>,
    /// How many joints are above each node.
    depths: Vec<u32>,
}

impl Skeleton {
    /// The bones of a file; `None` if it has no skin.
    pub(super) fn of(document: &Document, player: &Player) -> Option<Self> {
        if document.skins.is_empty() {
            return None;
        }
        let mut is_joint = vec![false; document.nodes.len()];
        for &joint in document.skins.iter().flat_map(|skin| &skin.joints) {
            if let Some(is_joint) = is_joint.get_mut(joint) {
                *is_joint = true;
            }
        }
        let name = |(n, node): (usize, &super::document::Node)| match node.name.as_deref() {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("node {n}"),
        };
        let names = document.nodes.iter().enumerate().map(name).collect();
        let (mut parents, mut depths) = (vec![None; is_joint.len()], vec![0; is_joint.len()]);
        for (node, parent) in player.below_parents() {
            parents[node] = if is_joint[parent] { Some(parent as u32) } else { parents[parent] };
            depths[node] = depths[parent] + u32::from(is_joint[parent]);
        }
        Some(Self { names, parents, depths })
    }

    /// What a node is called.
    pub(crate) fn name(&self, node: u32) -> &str {
        &self.names[node as usize]
    }

    /// How many joints are above a node.
    pub(crate) fn depth(&self, node: u32) -> u32 {
        self.depths[node as usize]
    }

    /// How many bones two nodes are apart: 0 for the same, 1 for a bone and its parent; `None` if no joint is above both.
    pub(crate) fn distance(&self, mut one: u32, mut other: u32) -> Option<u32> {
        let mut steps = 0;
        while one != other {
            // The lower one goes up.
            let lower = if self.depths[one as usize] < self.depths[other as usize] { &mut other } else { &mut one };
            *lower = self.parents[*lower as usize]?;
            steps += 1;
        }
        Some(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::Skeleton;

    #[test]
    fn bones_are_apart_by_the_joints_between_them() {
        // 0 is the root, 1 and 2 are below it, 3 below 1, 4 below 3; 5 and 6 stand alone.
        let parents = vec![None, Some(0), Some(0), Some(1), Some(3), None, None];
        let skeleton = Skeleton { names: vec![String::new(); 7], depths: vec![0, 1, 1, 2, 3, 0, 0], parents };
        let distances = [(4, 4), (4, 3), (4, 1), (4, 0), (4, 2), (2, 4), (0, 4)].map(|(p, q)| skeleton.distance(p, q));
        assert_eq!(distances, [0, 1, 2, 3, 4, 4, 3].map(Some));
        assert_eq!([skeleton.distance(5, 6), skeleton.distance(4, 6)], [None, None]);
    }
}
