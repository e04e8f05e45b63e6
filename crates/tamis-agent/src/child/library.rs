//! The file that the agent was loaded from, to be named to children.

use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::ptr;

use crate::options::Options;

/// `Dl_info` of `dlfcn.h`.
#[repr(C)]
struct LoadedFrom {
    file: *const c_char,
    base: *mut c_void,
    symbol: *const c_char,
    address: *mut c_void,
}

unsafe extern "C" {
    fn dladdr(address: *const c_void, info: *mut LoadedFrom) -> c_int;
}

/// The JVM option that loads the agent; none if a JVM would not find it: that would not start.
pub(super) fn option(options: &Options) -> Option<Vec<u8>> {
    let file = file()?;
    let path = Path::new(OsStr::from_bytes(&file));
    if !path.is_absolute() || !path.is_file() {
        return None;
    }
    Some([b"-agentpath:", &file[..], b"=", options.encode().as_bytes()].concat())
}

/// The path under which the JVM loaded the agent.
fn file() -> Option<Vec<u8>> {
    let mut info = LoadedFrom {
        file: ptr::null(),
        base: ptr::null_mut(),
        symbol: ptr::null(),
        address: ptr::null_mut(),
    };
    let own = option as fn(&Options) -> Option<Vec<u8>>;
    // SAFETY: `info` can be written to, and any address may be asked for.
    if unsafe { dladdr(own as *const c_void, &raw mut info) } == 0 || info.file.is_null() {
        return None;
    }
    // SAFETY: on success the name is a text of the system's that lives as long as the library.
    Some(unsafe { CStr::from_ptr(info.file) }.to_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;
    use tamis_wire::Parent;

    #[test]
    fn the_option_names_the_file_that_this_code_is_in() {
        let options = Options {
            socket: "/tmp/s".into(),
            token: [1; 16],
            label: Vec::new(),
            parent: Some(Parent { jvm: 2, fork: 3 }),
        };
        let option = String::from_utf8(option(&options).unwrap()).unwrap();
        let program = env::current_exe().unwrap();
        let expected = format!("-agentpath:{}=socket=", program.display());
        assert!(option.starts_with(&expected), "{option}");
        assert!(option.ends_with(",parent=2.3"), "{option}");
    }
}
