//! The experiments: what each measures beyond the frames of a scene, and what its figures mean beside those of the paper.
//!
//! | paper | experiments | files |
//! |---|---|---|
//! | Larsson & Akenine-Möller 2001 | LE1 to LE3, FC1 | `larsson`, `first_contact` |
//! | Ganovelli, Dingliana & O'Sullivan 2000 | BE1 to BE3 | `buckets`, `bucket_bodies` |
//! | Hatab & Kheddar 2006 | GE1 to GE3 | `hatab`, `removal` |
//! | Heidelberger, Teschner & Gross 2003 | HE1 to HE5 | `depth_images`, `particles` |
//! | our own | CR1 to CR6, MR1, CD1 to CD4, DE1 to DE4, DP1, VE1 to VE3 | `wide`, `cutting`, `resolutions`, `motion`, `distance`, `doubles`, `exact_overlap` |

mod bucket_bodies;
pub(crate) mod buckets;
pub(crate) mod cutting;
pub(crate) mod depth_images;
pub(crate) mod distance;
pub(crate) mod doubles;
pub(crate) mod exact_overlap;
pub(crate) mod first_contact;
pub(crate) mod hatab;
pub(crate) mod larsson;
pub(crate) mod motion;
pub(crate) mod particles;
pub(crate) mod removal;
pub(crate) mod resolutions;
pub(crate) mod wide;
