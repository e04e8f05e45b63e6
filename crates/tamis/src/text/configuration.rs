//! What is set, as a file of settings would say it, each line with where it was set.

use super::columns::{Cell, Columns};
use super::palette::Palette;
use crate::escape::printable;
use crate::view::{ConfigReport, OriginView, SettingView};

/// Each key with its value and where that comes from.
pub(crate) fn configuration(report: &ConfigReport, palette: &Palette) -> String {
    let mut columns = Columns::default();
    for setting in &report.values {
        columns.push(row(setting, palette));
    }
    columns.lines().join("\n") + "\n"
}

fn row(setting: &SettingView, palette: &Palette) -> [Cell; 2] {
    let origin = match &setting.origin {
        OriginView::BuiltIn => "built in".to_owned(),
        OriginView::File {
            path,
            line: Some(line),
        } => format!("{path}, line {line}"),
        OriginView::File { path, line: None } => path.clone(),
        OriginView::Variable { name } => name.clone(),
        OriginView::CommandLine => "command line".to_owned(),
    };
    let assignment = format!("{} = {}", setting.key, setting.value);
    [
        Cell::text(printable(&assignment)).styled(palette.name),
        Cell::text(format!("# {}", printable(&origin))).styled(palette.aside),
    ]
}
