//! A file of settings: TOML, each entry with its line.

use std::fs;
use std::io;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::Settings;
use super::ekstazi::EkstaziName;
use super::key::{Key, Value};
use super::settings_error::{Origin, SettingsError, SettingsErrorKind};

/// An entry of a file, by its whole name with dots.
struct Entry<'t> {
    name: String,
    position: usize,
    value: &'t DeValue<'t>,
}

/// Adds what a file says, if there is one; whether there is.
pub(super) fn add_file(settings: &mut Settings, path: &Path) -> Result<bool, SettingsError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(cause) => {
            return Err(SettingsError {
                place: place(path, None),
                kind: SettingsErrorKind::Read(cause),
            });
        }
    };
    add_text(settings, path, &text)?;
    Ok(true)
}

/// Adds what the text of a file says.
pub(super) fn add_text(
    settings: &mut Settings,
    path: &Path,
    text: &str,
) -> Result<(), SettingsError> {
    let at = |position: usize| place(path, Some(line_of(text, position)));
    let table = DeTable::parse(text).map_err(|error| SettingsError {
        place: at(error.span().map_or(0, |span| span.start)),
        kind: SettingsErrorKind::Syntax(error.message().to_owned()),
    })?;
    let mut entries = Vec::new();
    collect_entries(table.get_ref(), "", &mut entries);
    // So that the first mistake of the file is told first.
    entries.sort_by_key(|entry| entry.position);
    for entry in entries {
        let place = at(entry.position);
        add_entry(settings, &entry, &place).map_err(|kind| SettingsError { place, kind })?;
    }
    Ok(())
}

/// Names with dots are tables in tables.
fn collect_entries<'t>(table: &'t DeTable<'t>, prefix: &str, entries: &mut Vec<Entry<'t>>) {
    for (key, value) in table {
        let name = format!("{prefix}{}", key.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) if !inner.is_empty() && Key::of(&name).is_none() => {
                collect_entries(inner, &format!("{name}."), entries);
            }
            value => entries.push(Entry {
                name,
                position: key.span().start,
                value,
            }),
        }
    }
}

fn add_entry(
    settings: &mut Settings,
    entry: &Entry<'_>,
    origin: &Origin,
) -> Result<(), SettingsErrorKind> {
    let name = || entry.name.clone();
    if let Some(key) = Key::of(&entry.name) {
        let value = value_of(entry.value).ok_or(SettingsErrorKind::WrongShape { key })?;
        return settings.set(key, &value, origin.clone());
    }
    let Some(ekstazi) = EkstaziName::of(&entry.name) else {
        return Err(SettingsErrorKind::UnknownKey { name: name() });
    };
    // What is no value at all is wrong for each of them.
    let value = value_of(entry.value).unwrap_or(Value::List(Vec::new()));
    match ekstazi.translate(&value)? {
        Some((key, value)) => settings.set(key, &value, origin.clone()),
        None => Ok(()),
    }
}

fn value_of(value: &DeValue<'_>) -> Option<Value> {
    Some(match value {
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Integer(number) => Value::Number(number_of(number)?),
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Array(items) => {
            let items = items.iter().map(text_of);
            Value::List(items.collect::<Option<_>>()?)
        }
        DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Table(_) => return None,
    })
}

fn number_of(number: &DeInteger<'_>) -> Option<u64> {
    u64::from_str_radix(number.as_str(), number.radix()).ok()
}

fn text_of(value: &Spanned<DeValue<'_>>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        _ => None,
    }
}

fn place(path: &Path, line: Option<usize>) -> Origin {
    Origin::File {
        path: path.to_path_buf(),
        line,
    }
}

/// The number of the line that a position is in.
fn line_of(text: &str, position: usize) -> usize {
    let before = text.as_bytes().iter().take(position);
    before.filter(|byte| **byte == b'\n').count() + 1
}
