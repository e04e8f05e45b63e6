//! What `tamis check defects` found, as JSON.

use serde::Serialize;
use tamis_check::DefectsResult;

/// The document that `tamis check defects` prints as JSON, which is also the last line of its `--output`.
#[derive(Debug, Serialize)]
pub(crate) struct DefectsReport<'a> {
    format: &'static str,
    #[serde(flatten)]
    result: &'a DefectsResult,
}

impl<'a> DefectsReport<'a> {
    pub(crate) fn new(result: &'a DefectsResult) -> Self {
        Self {
            format: "tamis.check-defects-result/1",
            result,
        }
    }
}
