//! What `tamis check history` found, as JSON.

use serde::Serialize;
use tamis_check::HistoryResult;

/// The document that `tamis check history` prints as JSON, which is also the last line of its `--output`.
#[derive(Debug, Serialize)]
pub(crate) struct HistoryReport<'a> {
    format: &'static str,
    #[serde(flatten)]
    result: &'a HistoryResult,
}

impl<'a> HistoryReport<'a> {
    pub(crate) fn new(result: &'a HistoryResult) -> Self {
        Self {
            format: "tamis.check-history-result/1",
            result,
        }
    }
}
