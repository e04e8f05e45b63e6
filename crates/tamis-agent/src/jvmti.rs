//! The tool interface, as functions that cannot be misused.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::size_of;
use std::ptr::{self, NonNull};

use crate::jni::{Jni, Object};
use crate::raw::RawObject;
use crate::raw::jni::RawMember;
use crate::raw::jvmti::{
    Capabilities, ENABLE, EventCallbacks, FrameInfo, Functions, GetObjects, RawJvmti, RawVm,
    THREAD_STATE_IN_NATIVE, THREAD_STATE_RUNNABLE, VERSION,
};

/// The agent's own environment in the JVM; it lives as long as the JVM.
#[derive(Clone, Copy)]
pub(crate) struct Jvmti(NonNull<RawJvmti>);

/// Whether a package is in a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InBootModule {
    Yes,
    No,
    /// This JVM has no modules.
    NoModules,
}

/// What a method is called.
pub(crate) struct MethodNames {
    /// Written with slashes.
    pub(crate) class: String,
    /// Whether that class has a loader with an object: it is not one of the JDK's innermost.
    pub(crate) has_loader: bool,
    pub(crate) name: String,
    pub(crate) descriptor: String,
}

// SAFETY: JVMTI environments may be used by any thread (JVMTI specification, "Environments").
unsafe impl Send for Jvmti {}
// SAFETY: as above.
unsafe impl Sync for Jvmti {}

impl Jvmti {
    /// A new environment of the JVM.
    ///
    /// # Safety
    ///
    /// `vm` is the JVM's own pointer, as it gives it to an agent.
    pub(crate) unsafe fn new(vm: *mut RawVm) -> Option<Self> {
        let mut env: *mut c_void = ptr::null_mut();
        // SAFETY: `vm` points to a pointer to the table, whose positions the tests check.
        let status = unsafe { ((**vm).get_env)(vm, &raw mut env, VERSION) };
        let env = NonNull::new(env.cast::<RawJvmti>())?;
        (status == 0).then_some(Self(env))
    }

    fn functions(&self) -> &Functions {
        // SAFETY: an environment points to a table that lives as long as the JVM.
        unsafe { &**self.0.as_ptr() }
    }

    fn env(&self) -> *mut RawJvmti {
        self.0.as_ptr()
    }

    /// The value of a system property, in the encoding that the JVM has it in.
    pub(crate) fn system_property(&self, name: &CStr) -> Option<Vec<u8>> {
        let mut value: *mut c_char = ptr::null_mut();
        let get = self.functions().get_system_property;
        // SAFETY: the name ends with zero, and `value` can be written to.
        let error = unsafe { get(self.env(), name.as_ptr(), &raw mut value) };
        if error != 0 {
            return None;
        }
        // SAFETY: on success the value is a text of the JVM's that is ours to give back.
        unsafe { self.take_text(value) }
    }

    /// The number of the JDK, from 8 on.
    pub(crate) fn feature(self) -> Option<u32> {
        // Unlike `java.specification.version` it is the JVM's own, and there before any Java code has run.
        // (`java.vm.version` of JDK 8 begins with 25.)
        let version = self.system_property(c"java.vm.specification.version")?;
        let version = std::str::from_utf8(&version).ok()?;
        version.strip_prefix("1.").unwrap_or(version).parse().ok()
    }

    /// Asks for capabilities; whether they are there.
    pub(crate) fn add_capabilities(&self, wanted: &Capabilities) -> bool {
        let mut offered = Capabilities::default();
        let functions = self.functions();
        // SAFETY: both structures have the size that the headers say.
        unsafe {
            (functions.get_potential_capabilities)(self.env(), &raw mut offered) == 0
                && offered.contains(wanted)
                && (functions.add_capabilities)(self.env(), wanted) == 0
        }
    }

    /// Names the functions that events call.
    pub(crate) fn set_callbacks(&self, callbacks: &EventCallbacks) -> bool {
        const LENGTH: c_int = size_of::<EventCallbacks>().cast_signed() as c_int;
        // SAFETY: the JVM copies as many bytes as it is told, and no more than it knows.
        unsafe { (self.functions().set_event_callbacks)(self.env(), callbacks, LENGTH) == 0 }
    }

    /// Switches an event on, in all threads.
    pub(crate) fn enable(&self, event: c_int) -> bool {
        let set = self.functions().set_event_notification_mode;
        // SAFETY: no thread means all of them.
        unsafe { set(self.env(), ENABLE, event, ptr::null_mut()) == 0 }
    }

    /// A copy of `bytes` in memory that the JVM will free.
    pub(crate) fn copy(&self, bytes: &[u8]) -> Option<NonNull<u8>> {
        let mut memory: *mut u8 = ptr::null_mut();
        let length = i64::try_from(bytes.len()).ok()?;
        // SAFETY: `memory` can be written to.
        let error = unsafe { (self.functions().allocate)(self.env(), length, &raw mut memory) };
        let memory = NonNull::new(memory).filter(|_| error == 0)?;
        // SAFETY: the JVM has just allocated that many bytes.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), memory.as_ptr(), bytes.len()) };
        Some(memory)
    }

    /// The signature of a class: `Ljava/lang/Object;`.
    pub(crate) fn signature(&self, class: Object<'_>) -> Option<Vec<u8>> {
        let mut text: *mut c_char = ptr::null_mut();
        let get = self.functions().get_class_signature;
        // SAFETY: the object is a class; no generic signature is asked for.
        let error = unsafe { get(self.env(), class.raw(), &raw mut text, ptr::null_mut()) };
        if error != 0 {
            return None;
        }
        // SAFETY: on success the text is the JVM's, and ours to give back.
        unsafe { self.take_text(text) }
    }

    /// The loader of a class; no loader is the JDK's own, which has no object.
    pub(crate) fn loader<'j>(&self, _jni: &Jni<'j>, class: Object<'j>) -> Option<Object<'j>> {
        let mut loader: RawObject = ptr::null_mut();
        let get = self.functions().get_class_loader;
        // SAFETY: the object is a class; the reference made is local to the frame of `_jni`.
        unsafe {
            get(self.env(), class.raw(), &raw mut loader);
            Object::new(loader)
        }
    }

    /// Every class that is loaded now.
    pub(crate) fn loaded_classes<'j>(self, jni: &Jni<'j>) -> Option<Vec<Object<'j>>> {
        self.list(jni, self.functions().get_loaded_classes)
    }

    /// Every thread that is alive, virtual ones excepted.
    pub(crate) fn all_threads<'j>(self, jni: &Jni<'j>) -> Option<Vec<Object<'j>>> {
        self.list(jni, self.functions().get_all_threads)
    }

    /// What a function of the table lists as new local references.
    fn list<'j>(&self, jni: &Jni<'j>, get: GetObjects) -> Option<Vec<Object<'j>>> {
        let mut n_objects: c_int = 0;
        let mut list: *mut RawObject = ptr::null_mut();
        // SAFETY: both can be written to.
        let error = unsafe { get(self.env(), &raw mut n_objects, &raw mut list) };
        jni.announce_references(n_objects);
        let list = NonNull::new(list).filter(|_| error == 0)?;
        let length = usize::try_from(n_objects).ok()?;
        // SAFETY: on success the JVM has made that many local references, of the frame of `jni`.
        let objects = unsafe { std::slice::from_raw_parts(list.as_ptr(), length) };
        // SAFETY: each is a reference.
        let objects = objects
            .iter()
            .filter_map(|object| unsafe { Object::new(*object) });
        let objects = objects.collect();
        self.free(list.cast());
        Some(objects)
    }

    /// The thread that calls.
    pub(crate) fn current_thread<'j>(&self, _jni: &Jni<'j>) -> Option<Object<'j>> {
        let mut thread: RawObject = ptr::null_mut();
        // SAFETY: the reference made is local to the frame of `_jni`.
        unsafe {
            (self.functions().get_current_thread)(self.env(), &raw mut thread);
            Object::new(thread)
        }
    }

    /// Whether the thread that calls is a virtual one.
    pub(crate) fn is_in_virtual_thread(self, jni: &Jni<'_>) -> bool {
        let signature = jni.in_frame(|| {
            let class = jni.class_of(self.current_thread(jni)?)?;
            self.signature(class)
        });
        // There are bound ones too, which only look virtual.
        signature.is_none_or(|signature| signature == b"Ljava/lang/VirtualThread;")
    }

    /// Whether a thread runs code of the JVM's: it does not wait, and is not in native code.
    pub(crate) fn is_running(&self, thread: Object<'_>) -> bool {
        let mut state: c_int = 0;
        // SAFETY: the object is a thread; without success the state stays zero.
        unsafe { (self.functions().get_thread_state)(self.env(), thread.raw(), &raw mut state) };
        state & THREAD_STATE_RUNNABLE != 0 && state & THREAD_STATE_IN_NATIVE == 0
    }

    /// For how many nanoseconds a thread has run so far, if the JVM tells.
    pub(crate) fn cpu_time(&self, thread: Object<'_>) -> Option<i64> {
        let mut time = 0;
        let get = self.functions().get_thread_cpu_time;
        // SAFETY: the object is a thread, and the time can be written to.
        let error = unsafe { get(self.env(), thread.raw(), &raw mut time) };
        (error == 0).then_some(time)
    }

    /// The methods that a thread is in, the innermost first, no more than `max`.
    pub(crate) fn stack(&self, thread: Object<'_>, max: usize) -> Option<Vec<*mut c_void>> {
        let mut frames = vec![FrameInfo::EMPTY; max];
        let mut n_frames: c_int = 0;
        let get = self.functions().get_stack_trace;
        let length = c_int::try_from(max).ok()?;
        // SAFETY: there is room for as many frames as are asked for.
        let error = unsafe {
            get(
                self.env(),
                thread.raw(),
                0,
                length,
                frames.as_mut_ptr(),
                &raw mut n_frames,
            )
        };
        let n_frames = usize::try_from(n_frames).ok().filter(|_| error == 0)?;
        Some(
            frames
                .iter()
                .take(n_frames)
                .map(|frame| frame.method)
                .collect(),
        )
    }

    /// The methods that the thread that calls is in, from this depth on: the innermost first, no more than `N`.
    pub(crate) fn own_stack<const N: usize>(
        &self,
        depth: c_int,
    ) -> impl Iterator<Item = RawMember> {
        let mut frames = [FrameInfo::EMPTY; N];
        let n_frames = self.fill(depth, &mut frames);
        frames.into_iter().take(n_frames).map(|frame| frame.method)
    }

    /// The same, as many as there is room for.
    pub(crate) fn own_frames<'r>(
        &self,
        depth: usize,
        room: &'r mut [FrameInfo],
    ) -> impl Iterator<Item = RawMember> + use<'r> {
        let depth = c_int::try_from(depth).unwrap_or(c_int::MAX);
        let n_frames = self.fill(depth, room);
        room.iter().take(n_frames).map(|frame| frame.method)
    }

    /// Looks at the stack of the thread that calls; how many frames were found.
    fn fill(&self, depth: c_int, frames: &mut [FrameInfo]) -> usize {
        let mut n_frames: c_int = 0;
        let get = self.functions().get_stack_trace;
        let length = c_int::try_from(frames.len()).unwrap_or(c_int::MAX);
        // SAFETY: no thread means the one that calls, and there is room for as many frames as are asked for.
        let error = unsafe {
            get(
                self.env(),
                ptr::null_mut(),
                depth,
                length,
                frames.as_mut_ptr(),
                &raw mut n_frames,
            )
        };
        let n_frames = if error == 0 { n_frames } else { 0 };
        usize::try_from(n_frames).unwrap_or(0)
    }

    /// Has classes go through the load hooks again; whether the JVM took what came of it.
    pub(crate) fn retransform(&self, classes: &[Object<'_>]) -> bool {
        let classes: Vec<RawObject> = classes.iter().map(|class| class.raw()).collect();
        let Ok(n_classes) = c_int::try_from(classes.len()) else {
            return false;
        };
        let retransform = self.functions().retransform_classes;
        // SAFETY: as many classes are given as the list has.
        unsafe { retransform(self.env(), n_classes, classes.as_ptr()) == 0 }
    }

    /// The class of a method that [`stack`](Self::stack) gave.
    pub(crate) fn declaring_class<'j>(
        &self,
        _jni: &Jni<'j>,
        method: *mut c_void,
    ) -> Option<Object<'j>> {
        let mut class: RawObject = ptr::null_mut();
        // SAFETY: the JVM checks the method; the reference made is local to the frame of `_jni`.
        unsafe {
            (self.functions().get_method_declaring_class)(self.env(), method, &raw mut class);
            Object::new(class)
        }
    }

    /// The name of a method that [`stack`](Self::stack) gave.
    pub(crate) fn method_name(&self, method: *mut c_void) -> Option<Vec<u8>> {
        let mut name: *mut c_char = ptr::null_mut();
        let get = self.functions().get_method_name;
        // SAFETY: the JVM checks the method; neither descriptor nor signature is asked for.
        let error = unsafe {
            get(
                self.env(),
                method,
                &raw mut name,
                ptr::null_mut(),
                ptr::null_mut(),
            )
        };
        if error != 0 {
            return None;
        }
        // SAFETY: on success the text is the JVM's, and ours to give back.
        unsafe { self.take_text(name) }
    }

    /// Whether a package, written with slashes, is in a module of the loader that has no object.
    pub(crate) fn in_boot_module(&self, jni: &Jni<'_>, package: &CStr) -> InBootModule {
        let Some(get) = self.functions().get_named_module else {
            return InBootModule::NoModules;
        };
        let mut module: RawObject = ptr::null_mut();
        // SAFETY: no loader means the JDK's own, the name ends with zero, and the reference made is local
        // to the frame of `jni`.
        let module = unsafe {
            get(
                self.env(),
                ptr::null_mut(),
                package.as_ptr(),
                &raw mut module,
            );
            Object::new(module)
        };
        match module {
            None => InBootModule::No,
            Some(module) => {
                jni.delete(module);
                InBootModule::Yes
            }
        }
    }

    /// What a method is called, and its class.
    pub(crate) fn method_names(&self, jni: &Jni<'_>, method: *mut c_void) -> Option<MethodNames> {
        let (name, descriptor) = self.method_id(method)?;
        let class = self.declaring_class(jni, method)?;
        let signature = self.signature(class);
        let loader = self.loader(jni, class);
        if let Some(loader) = loader {
            jni.delete(loader);
        }
        jni.delete(class);
        let signature = String::from_utf8(signature?).ok()?;
        let class = signature.strip_prefix('L')?.strip_suffix(';')?;
        Some(MethodNames {
            class: class.to_owned(),
            has_loader: loader.is_some(),
            name: String::from_utf8(name).ok()?,
            descriptor: String::from_utf8(descriptor).ok()?,
        })
    }

    /// The name and the descriptor of a method.
    fn method_id(&self, method: *mut c_void) -> Option<(Vec<u8>, Vec<u8>)> {
        let mut name: *mut c_char = ptr::null_mut();
        let mut descriptor: *mut c_char = ptr::null_mut();
        let get = self.functions().get_method_name;
        // SAFETY: the JVM checks the method; no generic signature is asked for.
        let error = unsafe {
            get(
                self.env(),
                method,
                &raw mut name,
                &raw mut descriptor,
                ptr::null_mut(),
            )
        };
        if error != 0 {
            return None;
        }
        // SAFETY: on success the texts are the JVM's, and ours to give back.
        unsafe { Some((self.take_text(name)?, self.take_text(descriptor)?)) }
    }

    /// The number that was put on an object; zero if none was.
    pub(crate) fn tag(&self, object: Object<'_>) -> i64 {
        let mut tag = 0;
        // SAFETY: the object is a reference; without success the tag stays zero.
        unsafe { (self.functions().get_tag)(self.env(), object.raw(), &raw mut tag) };
        tag
    }

    /// Puts a number on an object.
    pub(crate) fn set_tag(&self, object: Object<'_>, tag: i64) -> bool {
        // SAFETY: the object is a reference.
        unsafe { (self.functions().set_tag)(self.env(), object.raw(), tag) == 0 }
    }

    /// The text as bytes of our own.
    ///
    /// # Safety
    ///
    /// `text` is null, or memory of the JVM's that ends with zero and is not used any more.
    unsafe fn take_text(&self, text: *mut c_char) -> Option<Vec<u8>> {
        let text = NonNull::new(text)?;
        // SAFETY: the caller promises a text that ends with zero.
        let bytes = unsafe { CStr::from_ptr(text.as_ptr()) }.to_bytes().to_vec();
        self.free(text.cast());
        Some(bytes)
    }

    fn free(&self, memory: NonNull<u8>) {
        // SAFETY: private, and called once for each piece of memory that the JVM gave us.
        unsafe { (self.functions().deallocate)(self.env(), memory.as_ptr()) };
    }
}
