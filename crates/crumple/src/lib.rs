//! Collision detection for bodies that deform.
