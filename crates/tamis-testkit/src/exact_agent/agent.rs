//! A slow and exact agent: it notes every method that is entered, by the JVM's own events, which of
//! them ever returned, on objects of which classes, and the bytes of every class as they come by. No code of the real agent is in it.
//!
//! Options: the file to write when the JVM ends, and `,returns` for the methods that returned, or `,receivers` for the
//! classes of the objects. A record
//! is a letter, a length of four bytes and as many bytes: `m` a method entered, `r` one that returned, `c` a
//! class file, `p` a class of an object and the method that was entered on it. A method is told by the class of its loader, its
//! own class, its name, its descriptor and its flags, a line each; before it stands the class of the object. Classes of the
//! bootstrap loader are left out, but for methods of `java/lang/Object` that are entered on an object of another class.
//!
//! It is compiled when it is first asked for, with `rustc` alone. Every `unsafe` in it rests on the same two things: the JVM
//! calls with pointers that live during the call, and its tables have the layout that its headers number.

#![allow(non_snake_case)]

use std::collections::HashSet;
use std::ffi::{CStr, c_char, c_int, c_uchar, c_void};
use std::fs;
use std::mem::{size_of, size_of_val, transmute_copy};
use std::ptr;
use std::sync::atomic::{AtomicI64, AtomicUsize};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, OnceLock};

type Object = *mut c_void;
type Method = *mut c_void;
/// A pointer to a table of functions; which function is where, `jvmti.h` and `jni.h` number.
type Environment = *mut *const Function;
type Function = *const c_void;

/// Numbers of events.
const VM_INIT: c_int = 50;
const VM_DEATH: c_int = 51;
const CLASS_FILE_LOAD_HOOK: c_int = 54;
const METHOD_ENTRY: c_int = 65;
const METHOD_EXIT: c_int = 66;

/// Slots for methods: far more than a JVM under test enters.
const N_SLOTS: usize = 1 << 20;

struct Agent {
    jvmti: usize,
    file: String,
    wants_returns: bool,
    wants_receivers: bool,
    entered: MethodSet,
    returned: MethodSet,
    /// Those of which it is told on what they are entered. To look at an object stops the thread, so they are few.
    watched: MethodSet,
    received: Mutex<HashSet<(usize, i64)>>,
    next_tag: AtomicI64,
    records: Mutex<Vec<u8>>,
}

/// Methods that were seen, without a lock: most events are of methods that were.
struct MethodSet(Vec<AtomicUsize>);

static AGENT: OnceLock<Agent> = OnceLock::new();

#[unsafe(no_mangle)]
pub unsafe extern "C" fn Agent_OnLoad(
    vm: Environment,
    options: *const c_char,
    _reserved: *mut c_void,
) -> c_int {
    let options = unsafe { CStr::from_ptr(options) }.to_str().expect("a file name");
    let mut jvmti: Environment = ptr::null_mut();
    let get_env: unsafe extern "C" fn(Environment, *mut Environment, c_int) -> c_int =
        unsafe { function(vm, 6) };
    assert_eq!(unsafe { get_env(vm, &raw mut jvmti, 0x3001_0200) }, 0);
    let agent = AGENT.get_or_init(|| Agent {
        jvmti: jvmti as usize,
        file: options.split(',').next().unwrap_or_default().to_owned(),
        wants_returns: options.ends_with(",returns"),
        wants_receivers: options.ends_with(",receivers"),
        entered: MethodSet::new(),
        returned: MethodSet::new(),
        watched: MethodSet::new(),
        received: Mutex::default(),
        next_tag: AtomicI64::new(BORING + 1),
        records: Mutex::new(Vec::new()),
    });
    agent.add_capabilities();
    agent.set_callbacks();
    agent.enable(VM_INIT);
    agent.enable(VM_DEATH);
    0
}

unsafe extern "C" fn vm_init(_: Environment, _: Environment, _: Object) {
    let agent = agent();
    agent.enable(CLASS_FILE_LOAD_HOOK);
    agent.enable(METHOD_ENTRY);
    if agent.wants_returns {
        agent.enable(METHOD_EXIT);
    }
}

unsafe extern "C" fn vm_death(_: Environment, _: Environment) {
    let agent = agent();
    let records = agent.records.lock().expect("no thread panics");
    fs::write(&agent.file, &*records).expect("the file can be written");
}

unsafe extern "C" fn method_entry(_: Environment, jni: Environment, _: Object, method: Method) {
    let agent = agent();
    if agent.wants_receivers && !agent.entered.contains(method) {
        unsafe { agent.watch(jni, method) };
    }
    if agent.entered.insert(method) {
        unsafe { agent.note(jni, b'm', method) };
    }
    if agent.wants_receivers && agent.watched.contains(method) {
        unsafe { agent.note_receiver(jni, method) };
    }
}

/// The tag of classes of the bootstrap loader; others have greater ones.
const BORING: i64 = 1;

unsafe extern "C" fn method_exit(
    _: Environment,
    jni: Environment,
    _: Object,
    method: Method,
    is_thrown: c_uchar,
    _value: i64,
) {
    if is_thrown == 0 && agent().returned.insert(method) {
        unsafe { agent().note(jni, b'r', method) };
    }
}

unsafe extern "C" fn class_file_load_hook(
    _: Environment,
    _: Environment,
    _redefined: Object,
    loader: Object,
    _name: *const c_char,
    _domain: Object,
    length: c_int,
    bytes: *const c_uchar,
    _new_length: *mut c_int,
    _new_bytes: *mut *mut c_uchar,
) {
    if !loader.is_null() {
        let length = usize::try_from(length).expect("a length");
        agent().record(b'c', unsafe { std::slice::from_raw_parts(bytes, length) });
    }
}

fn agent() -> &'static Agent {
    AGENT.get().expect("events come after the start")
}

/// The entry of a table, as what the caller knows it to be.
unsafe fn function<F: Copy>(environment: Environment, index: usize) -> F {
    assert_eq!(size_of::<F>(), size_of::<Function>());
    let entry: Function = unsafe { *(*environment).add(index) };
    unsafe { transmute_copy(&entry) }
}

impl MethodSet {
    fn new() -> Self {
        Self((0..N_SLOTS).map(|_| 0.into()).collect())
    }

    fn contains(&self, method: Method) -> bool {
        let slots = (0..N_SLOTS).map(|step| &self.0[(start(method) + step) % N_SLOTS]);
        let mut known = slots.map(|slot| slot.load(Relaxed));
        known.find(|known| [0, method as usize].contains(known)) == Some(method as usize)
    }

    /// Whether the method is a new one.
    fn insert(&self, method: Method) -> bool {
        let start = start(method);
        let method = method as usize;
        for step in 0..N_SLOTS {
            let slot = &self.0[(start + step) % N_SLOTS];
            match slot.load(Relaxed) {
                known if known == method => return false,
                0 => match slot.compare_exchange(0, method, Relaxed, Relaxed) {
                    Ok(_) => return true,
                    Err(known) if known == method => return false,
                    Err(_) => {}
                },
                _ => {}
            }
        }
        panic!("more methods than slots");
    }
}

/// Where a method is looked for first.
fn start(method: Method) -> usize {
    (method as usize >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44
}

impl Agent {
    fn jvmti(&self) -> Environment {
        self.jvmti as Environment
    }

    /// `can_generate_method_entry_events` and `can_generate_method_exit_events`; for objects and their classes,
    /// `can_access_local_variables` and `can_tag_objects`.
    fn add_capabilities(&self) {
        let receivers: u32 = if self.wants_receivers { 1 << 14 | 1 } else { 0 };
        let wanted: [u32; 4] = [1 << 24 | 1 << 25 | receivers, 0, 0, 0];
        let add: unsafe extern "C" fn(Environment, *const [u32; 4]) -> c_int =
            unsafe { function(self.jvmti(), 141) };
        assert_eq!(unsafe { add(self.jvmti(), &wanted) }, 0);
    }

    fn set_callbacks(&self) {
        let mut callbacks = [ptr::null::<c_void>(); 17];
        let mut set = |event: c_int, callback| callbacks[(event - VM_INIT) as usize] = callback;
        set(VM_INIT, vm_init as *const c_void);
        set(VM_DEATH, vm_death as *const c_void);
        set(CLASS_FILE_LOAD_HOOK, class_file_load_hook as *const c_void);
        set(METHOD_ENTRY, method_entry as *const c_void);
        set(METHOD_EXIT, method_exit as *const c_void);
        let set: unsafe extern "C" fn(Environment, *const Function, c_int) -> c_int =
            unsafe { function(self.jvmti(), 121) };
        let length = size_of_val(&callbacks) as c_int;
        assert_eq!(unsafe { set(self.jvmti(), callbacks.as_ptr(), length) }, 0);
    }

    fn enable(&self, event: c_int) {
        type Enable = unsafe extern "C" fn(Environment, c_int, c_int, Object, ...) -> c_int;
        let enable: Enable = unsafe { function(self.jvmti(), 1) };
        assert_eq!(unsafe { enable(self.jvmti(), 1, event, ptr::null_mut()) }, 0);
    }

    unsafe fn note(&self, jni: Environment, kind: u8, method: Method) {
        let class = unsafe { self.object(64, method) };
        let loader = unsafe { self.object(56, class) };
        if !loader.is_null() {
            let loader_class = unsafe { class_of(jni, loader) };
            let mut text = unsafe { self.signature(loader_class) };
            text.push(b'\n');
            text.extend(unsafe { self.method_text(class, method) });
            self.record(kind, &text);
            unsafe { delete(jni, loader_class) };
        }
        unsafe { delete(jni, loader) };
        unsafe { delete(jni, class) };
    }

    /// Watches a method if it is not of the bootstrap loader, or one that all objects have.
    unsafe fn watch(&self, jni: Environment, method: Method) {
        let class = unsafe { self.object(64, method) };
        let loader = unsafe { self.object(56, class) };
        if !loader.is_null() || unsafe { self.signature(class) } == b"Ljava/lang/Object;" {
            self.watched.insert(method);
        }
        unsafe { delete(jni, loader) };
        unsafe { delete(jni, class) };
    }

    /// Notes the class of the object on which the method was entered that has just been; nothing for a static one.
    unsafe fn note_receiver(&self, jni: Environment, method: Method) {
        type Get = unsafe extern "C" fn(Environment, Object, c_int, *mut Object) -> c_int;
        let get: Get = unsafe { function(self.jvmti(), 154) };
        let (mut object, current) = (ptr::null_mut(), ptr::null_mut());
        let error = unsafe { get(self.jvmti(), current, 0, &raw mut object) };
        if error != 0 || object.is_null() {
            return;
        }
        let class = unsafe { class_of(jni, object) };
        let tag = unsafe { self.tag(jni, class) };
        let pair = (method as usize, tag);
        if tag != BORING && self.received.lock().expect("no thread panics").insert(pair) {
            let declaring = unsafe { self.object(64, method) };
            let mut text = unsafe { self.signature(class) };
            text.push(b'\n');
            // Of the loader nobody asks here.
            text.push(b'\n');
            text.extend(unsafe { self.method_text(declaring, method) });
            self.record(b'p', &text);
            unsafe { delete(jni, declaring) };
        }
        unsafe { delete(jni, class) };
        unsafe { delete(jni, object) };
    }

    /// A number that stands for a class, as long as it is there.
    unsafe fn tag(&self, jni: Environment, class: Object) -> i64 {
        let get: unsafe extern "C" fn(Environment, Object, *mut i64) -> c_int =
            unsafe { function(self.jvmti(), 105) };
        let set: unsafe extern "C" fn(Environment, Object, i64) -> c_int =
            unsafe { function(self.jvmti(), 106) };
        let mut tag = 0;
        assert_eq!(unsafe { get(self.jvmti(), class, &raw mut tag) }, 0);
        if tag == 0 {
            let loader = unsafe { self.object(56, class) };
            tag = if loader.is_null() {
                BORING
            } else {
                self.next_tag.fetch_add(1, Relaxed)
            };
            assert_eq!(unsafe { set(self.jvmti(), class, tag) }, 0);
            unsafe { delete(jni, loader) };
        }
        tag
    }

    /// The class, the name, the descriptor and the flags of a method.
    unsafe fn method_text(&self, class: Object, method: Method) -> Vec<u8> {
        let mut text = unsafe { self.signature(class) };
        text.push(b'\n');
        let (name, descriptor) = unsafe { self.name(method) };
        text.extend(name);
        text.push(b'\n');
        text.extend(descriptor);
        text.push(b'\n');
        text.extend(unsafe { self.modifiers(method) }.to_string().bytes());
        text
    }

    fn record(&self, kind: u8, bytes: &[u8]) {
        let mut records = self.records.lock().expect("no thread panics");
        records.push(kind);
        records.extend((bytes.len() as u32).to_le_bytes());
        records.extend(bytes);
    }

    /// `GetMethodDeclaringClass` or `GetClassLoader`.
    unsafe fn object(&self, index: usize, of: *mut c_void) -> Object {
        let get: unsafe extern "C" fn(Environment, *mut c_void, *mut Object) -> c_int =
            unsafe { function(self.jvmti(), index) };
        let mut object = ptr::null_mut();
        assert_eq!(unsafe { get(self.jvmti(), of, &raw mut object) }, 0);
        object
    }

    unsafe fn signature(&self, class: Object) -> Vec<u8> {
        type Get = unsafe extern "C" fn(
            Environment,
            Object,
            *mut *mut c_char,
            *mut *mut c_char,
        ) -> c_int;
        let get: Get = unsafe { function(self.jvmti(), 47) };
        let mut text = ptr::null_mut();
        let error = unsafe { get(self.jvmti(), class, &raw mut text, ptr::null_mut()) };
        assert_eq!(error, 0);
        unsafe { self.take_text(text) }
    }

    unsafe fn name(&self, method: Method) -> (Vec<u8>, Vec<u8>) {
        type Get = unsafe extern "C" fn(
            Environment,
            Method,
            *mut *mut c_char,
            *mut *mut c_char,
            *mut *mut c_char,
        ) -> c_int;
        let get: Get = unsafe { function(self.jvmti(), 63) };
        let (mut name, mut descriptor) = (ptr::null_mut(), ptr::null_mut());
        let (jvmti, no) = (self.jvmti(), ptr::null_mut());
        let error = unsafe { get(jvmti, method, &raw mut name, &raw mut descriptor, no) };
        assert_eq!(error, 0);
        unsafe { (self.take_text(name), self.take_text(descriptor)) }
    }

    unsafe fn modifiers(&self, method: Method) -> c_int {
        let get: unsafe extern "C" fn(Environment, Method, *mut c_int) -> c_int =
            unsafe { function(self.jvmti(), 65) };
        let mut modifiers = 0;
        assert_eq!(unsafe { get(self.jvmti(), method, &raw mut modifiers) }, 0);
        modifiers
    }

    /// Copies a text and gives it back to the JVM.
    unsafe fn take_text(&self, text: *mut c_char) -> Vec<u8> {
        let bytes = unsafe { CStr::from_ptr(text) }.to_bytes().to_vec();
        let free: unsafe extern "C" fn(Environment, *mut c_char) -> c_int =
            unsafe { function(self.jvmti(), 46) };
        unsafe { free(self.jvmti(), text) };
        bytes
    }
}

unsafe fn class_of(jni: Environment, object: Object) -> Object {
    let get: unsafe extern "C" fn(Environment, Object) -> Object = unsafe { function(jni, 31) };
    unsafe { get(jni, object) }
}

unsafe fn delete(jni: Environment, object: Object) {
    let delete: unsafe extern "C" fn(Environment, Object) = unsafe { function(jni, 23) };
    unsafe { delete(jni, object) };
}
