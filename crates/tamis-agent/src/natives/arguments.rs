//! The arguments of native methods, and paths as the JDK passes them to the system.

use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::ptr::{self, NonNull};
use std::slice;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::table::Place;
use crate::jni::{Field, Jni, Object};
use crate::raw::RawObject;

/// What a native method is called with.
pub(crate) struct Arguments<'a> {
    /// The object whose method it is, or the class.
    this: RawObject,
    /// What is behind that.
    values: &'a [u64],
}

/// Why a path cannot be told.
pub(crate) type Unreadable = &'static str;

const NOT_ASCII: Unreadable = "a path that is not ASCII, in an encoding that is not UTF-8";
const NOT_READ: Unreadable = "a path that the JVM does not give";
const NO_DIRECTORY: Unreadable = "a path in a directory that is known by its descriptor only";

/// Stands for the working directory where a descriptor is asked for.
const AT_FDCWD: c_int = -100;

/// The field of `java.io.File` with its path. That class is never unloaded.
static FILE_PATH: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

unsafe extern "C" {
    fn nl_langinfo(item: c_int) -> *const c_char;
}

/// The item with the name of the encoding.
const CODESET: c_int = 14;

impl<'a> Arguments<'a> {
    /// # Safety
    ///
    /// A native method of the table is being called with these, and what is read of them is what its row
    /// says.
    pub(super) unsafe fn new(this: RawObject, values: &'a [u64]) -> Self {
        Self { this, values }
    }

    /// One of them; the wrapper has as many as the row says.
    fn value(&self, index: usize) -> u64 {
        self.values.get(index).copied().unwrap_or_default()
    }

    /// An `int`, of which the upper half of a register says nothing.
    pub(crate) fn int(&self, index: usize) -> c_int {
        (self.value(index) as u32).cast_signed()
    }

    /// A `boolean`, the lowest byte of a register.
    pub(crate) fn boolean(&self, index: usize) -> bool {
        self.value(index) & 0xff != 0
    }

    /// A path, absolute or not; nothing if there is none.
    pub(crate) fn path(&self, jni: &Jni<'_>, place: Place) -> Result<Option<Vec<u8>>, Unreadable> {
        match place {
            Place::Text(index) => match self.object(index) {
                None => Ok(None),
                Some(text) => path_of_text(jni, text).map(Some),
            },
            Place::File(index) => match self.object(index) {
                None => Ok(None),
                Some(file) => path_of_file(jni, file),
            },
            Place::Address(index) => Ok(self.c_text(index)),
            Place::Descriptor(index) => directory(self.int(index)).map(Some),
            Place::At(descriptor, text) => {
                let Some(text) = self.c_text(text) else {
                    return Ok(None);
                };
                let descriptor = self.int(descriptor);
                if text.starts_with(b"/") || descriptor == AT_FDCWD {
                    return Ok(Some(text));
                }
                Ok(Some([&directory(descriptor)?, &b"/"[..], &text].concat()))
            }
        }
    }

    /// The object whose method is called.
    pub(crate) fn this<'j>(&self) -> Option<Object<'j>> {
        // SAFETY: the JVM gives a reference that lives during the call.
        unsafe { Object::new(self.this) }
    }

    /// An object; nothing if it is null.
    pub(crate) fn object<'j>(&self, index: usize) -> Option<Object<'j>> {
        let reference = ptr::with_exposed_provenance_mut(self.value(index) as usize);
        // SAFETY: the row says that this argument is a reference, and it lives during the call.
        unsafe { Object::new(reference) }
    }

    /// As many bytes as lie at an address.
    pub(crate) fn memory(&self, index: usize, length: usize) -> Option<Vec<u8>> {
        let address: *mut u8 = ptr::with_exposed_provenance_mut(self.value(index) as usize);
        let address = NonNull::new(address)?;
        // SAFETY: the row says that this argument is the address of as many bytes.
        Some(unsafe { slice::from_raw_parts(address.as_ptr(), length) }.to_vec())
    }

    fn c_text(&self, index: usize) -> Option<Vec<u8>> {
        let address: *mut c_char = ptr::with_exposed_provenance_mut(self.value(index) as usize);
        let address = NonNull::new(address)?;
        // SAFETY: the row says that this argument is the address of a text that ends with zero.
        Some(
            unsafe { CStr::from_ptr(address.as_ptr()) }
                .to_bytes()
                .to_vec(),
        )
    }
}

fn path_of_file(jni: &Jni<'_>, file: Object<'_>) -> Result<Option<Vec<u8>>, Unreadable> {
    let field = NonNull::new(FILE_PATH.load(Ordering::Acquire)).map(Field);
    let field = field.or_else(|| jni.field_id(file, c"path", c"Ljava/lang/String;"));
    let field = field.ok_or(NOT_READ)?;
    FILE_PATH.store(field.0.as_ptr(), Ordering::Release);
    let Some(text) = jni.value(file, field) else {
        return Ok(None);
    };
    let path = path_of_text(jni, text);
    jni.delete(text);
    path.map(Some)
}

/// A path as the JDK passes it to the system.
pub(crate) fn path_of_text(jni: &Jni<'_>, text: Object<'_>) -> Result<Vec<u8>, Unreadable> {
    let text = jni.text(text).ok_or(NOT_READ)?;
    if text.is_ascii() {
        return Ok(text);
    }
    let path = from_modified_utf8(&text);
    path.filter(|_| is_system_utf8()).ok_or(NOT_ASCII)
}

/// Whether the JDK, which asks the system in the same way, writes paths in UTF-8.
fn is_system_utf8() -> bool {
    // SAFETY: any item may be asked for; the text is the system's and ends with zero.
    let name = NonNull::new(unsafe { nl_langinfo(CODESET) }.cast_mut());
    // SAFETY: as above.
    name.is_some_and(|name| unsafe { CStr::from_ptr(name.as_ptr()) } == c"UTF-8")
}

/// The text in UTF-8; nothing if it has half a character.
pub(crate) fn from_modified_utf8(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, ..] = rest {
        rest = match rest {
            // Zero has two bytes, so that it ends no text.
            [0xc0, 0x80, rest @ ..] => {
                bytes.push(0);
                rest
            }
            // A character beyond the first 65,536 is two halves of three bytes each (JVMS 4.4.7).
            [
                0xed,
                a @ 0xa0..=0xaf,
                b,
                0xed,
                c @ 0xb0..=0xbf,
                d,
                rest @ ..,
            ] => {
                let high = u32::from(a & 0xf) << 6 | u32::from(b & 0x3f);
                let low = u32::from(c & 0xf) << 6 | u32::from(d & 0x3f);
                let character = char::from_u32(0x1_0000 + (high << 10 | low))?;
                bytes.extend(character.encode_utf8(&mut [0; 4]).bytes());
                rest
            }
            [0xed, 0xa0..=0xbf, ..] => return None,
            [_, rest @ ..] => {
                bytes.push(*first);
                rest
            }
            [] => rest,
        };
    }
    Some(bytes)
}

/// The path of an open directory.
fn directory(descriptor: c_int) -> Result<Vec<u8>, Unreadable> {
    let link = format!("/proc/self/fd/{descriptor}");
    let path = fs::read_link(OsStr::from_bytes(link.as_bytes())).map_err(|_| NO_DIRECTORY)?;
    Ok(path.into_os_string().into_vec())
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd as _;

    use super::*;

    #[test]
    fn paths_become_utf8() {
        for (text, expected) in [
            (&b"/a"[..], Some("/a")),
            (b"/\xc3\xa4/\xe2\x82\xac", Some("/\u{e4}/\u{20ac}")),
            (b"/\xed\xa0\xbd\xed\xb8\x80x", Some("/\u{1f600}x")),
            (b"\xc0\x80", Some("\0")),
            (b"/\xed\xa0\xbd", None),
            (b"/\xed\xb8\x80\xed\xa0\xbd", None),
        ] {
            let path = from_modified_utf8(text);
            assert_eq!(path.as_deref(), expected.map(str::as_bytes));
        }
    }

    #[test]
    fn numbers_are_the_lower_part_of_a_register() {
        let values = [0xffff_ffff_ffff_ff9c, 0x1_0000_0001, 0x100, 1];
        // SAFETY: only numbers are read.
        let arguments = unsafe { Arguments::new(ptr::null_mut(), &values) };
        assert_eq!(arguments.int(0), AT_FDCWD);
        assert_eq!(arguments.int(1), 1);
        assert!(!arguments.boolean(2) && arguments.boolean(3));
    }

    #[test]
    fn a_descriptor_has_a_path() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().canonicalize().unwrap();
        let open = fs::File::open(&path).unwrap();
        let found = directory(open.as_raw_fd());
        assert_eq!(found, Ok(path.into_os_string().into_vec()));
        assert_eq!(directory(-1), Err(NO_DIRECTORY));
    }
}
