//! What the fuzz targets call: properties of `tamis-classfile` and `tamis-wire`, which their tests call too.

#[path = "../../crates/tamis-classfile/tests/properties/exercise.rs"]
pub mod exercise;
#[path = "../../crates/tamis-wire/tests/properties/exercise.rs"]
pub mod wire;
