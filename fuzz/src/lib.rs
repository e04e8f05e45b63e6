//! What the fuzz targets call: the properties of `tamis-classfile`, which its tests call too.

#[path = "../../crates/tamis-classfile/tests/properties/exercise.rs"]
pub mod exercise;
