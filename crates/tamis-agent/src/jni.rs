//! The native interface, as functions that cannot be misused. A pending exception never leaves them.

use std::ffi::{CStr, c_char, c_int, c_uchar, c_void};
use std::marker::PhantomData;
use std::ptr::{self, NonNull};

use crate::raw::RawObject;
use crate::raw::jni::{Functions, RawJni, RawValue};

/// The interface of the current thread, during a call from the JVM.
pub(crate) struct Jni<'j> {
    env: NonNull<RawJni>,
    call: PhantomData<&'j ()>,
}

/// An object, during a call from the JVM.
#[derive(Clone, Copy)]
pub(crate) struct Object<'j> {
    reference: NonNull<c_void>,
    call: PhantomData<&'j ()>,
}

/// A field of a class; it can be used as long as the class is loaded.
#[derive(Clone, Copy)]
pub(crate) struct Field(pub(crate) NonNull<c_void>);

/// An object that the JVM keeps for ever.
pub(crate) struct Global(NonNull<c_void>);

// SAFETY: global references may be used by any thread (JNI specification, "Global and Local
// References").
unsafe impl Send for Global {}

/// An array while the garbage collector leaves it where it is.
pub(crate) struct Pinned {
    /// The first element.
    pub(crate) start: NonNull<u8>,
    /// Whether this is a copy, to be written back later: then what other threads write meanwhile is
    /// lost.
    pub(crate) is_copy: bool,
}

impl Object<'_> {
    /// Nothing if the reference is null.
    ///
    /// # Safety
    ///
    /// `reference` is null, or valid during the call that the lifetime stands for.
    pub(crate) unsafe fn new(reference: RawObject) -> Option<Self> {
        let reference = NonNull::new(reference)?;
        Some(Self {
            reference,
            call: PhantomData,
        })
    }

    pub(crate) fn raw(self) -> RawObject {
        self.reference.as_ptr()
    }
}

impl<'j> Jni<'j> {
    /// Nothing if the pointer is null.
    ///
    /// # Safety
    ///
    /// `env` is null, or what the JVM gave this thread for the call that the lifetime stands for.
    pub(crate) unsafe fn new(env: *mut RawJni) -> Option<Self> {
        let env = NonNull::new(env)?;
        Some(Self {
            env,
            call: PhantomData,
        })
    }

    fn functions(&self) -> &Functions {
        // SAFETY: an environment points to a table that lives as long as the JVM.
        unsafe { &**self.env.as_ptr() }
    }

    pub(crate) fn env(&self) -> *mut RawJni {
        self.env.as_ptr()
    }

    /// Defines a class in the loader that every other one asks first.
    pub(crate) fn define_class(&self, name: &CStr, bytes: &[u8]) -> Option<Object<'j>> {
        let length = c_int::try_from(bytes.len()).ok()?;
        // SAFETY: name and bytes live during the call; no loader means the JDK's own.
        let class = unsafe {
            (self.functions().define_class)(
                self.env(),
                name.as_ptr(),
                ptr::null_mut(),
                bytes.as_ptr(),
                length,
            )
        };
        self.checked(class)
    }

    /// A class of the JDK's, as the method that is being called finds it; the JVM loads and initialises it.
    pub(crate) fn find_class(&self, name: &CStr) -> Option<Object<'j>> {
        // SAFETY: the name ends with zero.
        let class = unsafe { (self.functions().find_class)(self.env(), name.as_ptr()) };
        self.checked(class)
    }

    /// The value of a static field that is an object; the class is initialised for that.
    pub(crate) fn static_field(
        &self,
        class: Object<'j>,
        name: &CStr,
        descriptor: &CStr,
    ) -> Option<Object<'j>> {
        let functions = self.functions();
        // SAFETY: the object is a class, and the texts end with zero.
        let field = unsafe {
            (functions.get_static_field_id)(
                self.env(),
                class.raw(),
                name.as_ptr(),
                descriptor.as_ptr(),
            )
        };
        if self.clear_exception() || field.is_null() {
            return None;
        }
        // SAFETY: the field is one of the class.
        let value = unsafe { (functions.get_static_object_field)(self.env(), class.raw(), field) };
        self.checked(value)
    }

    /// Calls a method without parameters that gives an object.
    pub(crate) fn call(
        &self,
        object: Object<'j>,
        name: &CStr,
        descriptor: &CStr,
    ) -> Option<Object<'j>> {
        let method = self.method(object, name, descriptor)?;
        // SAFETY: the method is one of the object's class, and takes no arguments.
        let result = unsafe {
            (self.functions().call_object_method_a)(
                self.env(),
                object.raw(),
                method.as_ptr(),
                ptr::null(),
            )
        };
        self.checked(result)
    }

    /// Calls a method without parameters that gives a boolean.
    pub(crate) fn call_boolean(&self, object: Object<'j>, name: &CStr) -> Option<bool> {
        let method = self.method(object, name, c"()Z")?;
        // SAFETY: the method is one of the object's class, takes no arguments and gives a boolean.
        let result = unsafe {
            (self.functions().call_boolean_method_a)(
                self.env(),
                object.raw(),
                method.as_ptr(),
                ptr::null(),
            )
        };
        (!self.clear_exception()).then_some(result != 0)
    }

    /// Calls a method without parameters that gives nothing; whether it was found and threw nothing.
    pub(crate) fn call_void(&self, object: Object<'j>, name: &CStr) -> bool {
        let Some(method) = self.method(object, name, c"()V") else {
            return false;
        };
        // SAFETY: the method is one of the object's class, takes no arguments and gives nothing.
        unsafe {
            (self.functions().call_void_method_a)(
                self.env(),
                object.raw(),
                method.as_ptr(),
                ptr::null(),
            );
        };
        !self.clear_exception()
    }

    /// A text that a method without parameters gives.
    pub(crate) fn call_text(&self, object: Object<'j>, name: &CStr) -> Option<Vec<u8>> {
        let text = self.call(object, name, c"()Ljava/lang/String;")?;
        let bytes = self.text(text);
        self.delete(text);
        bytes
    }

    fn method(
        &self,
        object: Object<'j>,
        name: &CStr,
        descriptor: &CStr,
    ) -> Option<NonNull<c_void>> {
        let class = self.class_of(object)?;
        // SAFETY: the object is a class, and the texts end with zero.
        let method = unsafe {
            (self.functions().get_method_id)(
                self.env(),
                class.raw(),
                name.as_ptr(),
                descriptor.as_ptr(),
            )
        };
        self.delete(class);
        let has_failed = self.clear_exception();
        NonNull::new(method).filter(|_| !has_failed)
    }

    /// The value of a field that is an object.
    pub(crate) fn field(
        &self,
        object: Object<'j>,
        name: &CStr,
        descriptor: &CStr,
    ) -> Option<Object<'j>> {
        let field = self.field_id(object, name, descriptor)?;
        self.value(object, field)
    }

    /// A field of an object's class.
    pub(crate) fn field_id(
        &self,
        object: Object<'j>,
        name: &CStr,
        descriptor: &CStr,
    ) -> Option<Field> {
        let class = self.class_of(object)?;
        let field = self.declared_field(class, name, descriptor);
        self.delete(class);
        field
    }

    /// A field that a class declares or inherits.
    pub(crate) fn declared_field(
        &self,
        class: Object<'j>,
        name: &CStr,
        descriptor: &CStr,
    ) -> Option<Field> {
        // SAFETY: the object is a class, and the texts end with zero.
        let field = unsafe {
            (self.functions().get_field_id)(
                self.env(),
                class.raw(),
                name.as_ptr(),
                descriptor.as_ptr(),
            )
        };
        let has_failed = self.clear_exception();
        NonNull::new(field).filter(|_| !has_failed).map(Field)
    }

    /// The value of a field, of the object's class and an object itself.
    pub(crate) fn value(&self, object: Object<'j>, field: Field) -> Option<Object<'j>> {
        let get = self.functions().get_object_field;
        // SAFETY: the field is one of the object's class.
        let value = unsafe { get(self.env(), object.raw(), field.0.as_ptr()) };
        self.checked(value)
    }

    /// The value of a field that is an `int`.
    pub(crate) fn int(&self, object: Object<'j>, name: &CStr) -> Option<c_int> {
        let field = self.field_id(object, name, c"I")?;
        let get = self.functions().get_int_field;
        // SAFETY: the field is one of the object's class, and an `int`.
        Some(unsafe { get(self.env(), object.raw(), field.0.as_ptr()) })
    }

    /// The elements of an array of objects, those that are not null.
    pub(crate) fn elements(&self, array: Object<'j>) -> impl Iterator<Item = Object<'j>> {
        // SAFETY: the object is an array.
        let length = unsafe { (self.functions().get_array_length)(self.env(), array.raw()) };
        (0..length).filter_map(move |index| {
            // SAFETY: the index is one of the array's.
            let element = unsafe {
                (self.functions().get_object_array_element)(self.env(), array.raw(), index)
            };
            self.checked(element)
        })
    }

    /// Whether two references are to one object.
    pub(crate) fn is_same(&self, one: Object<'_>, other: Object<'_>) -> bool {
        // SAFETY: both are references.
        unsafe { (self.functions().is_same_object)(self.env(), one.raw(), other.raw()) != 0 }
    }

    pub(crate) fn class_of(&self, object: Object<'j>) -> Option<Object<'j>> {
        // SAFETY: the reference is valid and not null.
        let class = unsafe { (self.functions().get_object_class)(self.env(), object.raw()) };
        self.checked(class)
    }

    /// The superclass of a class; nothing for interfaces and `Object`.
    pub(crate) fn superclass(&self, class: Object<'j>) -> Option<Object<'j>> {
        // SAFETY: the object is a class.
        let superclass = unsafe { (self.functions().get_superclass)(self.env(), class.raw()) };
        self.checked(superclass)
    }

    /// The characters of a string, in modified UTF-8.
    pub(crate) fn text(&self, string: Object<'j>) -> Option<Vec<u8>> {
        let functions = self.functions();
        // SAFETY: the object is a string; whether this is a copy does not matter.
        let text: *const c_char =
            unsafe { (functions.get_string_utf_chars)(self.env(), string.raw(), ptr::null_mut()) };
        if self.clear_exception() || text.is_null() {
            return None;
        }
        // SAFETY: the JVM gives a text that ends with zero and lives until it is released.
        let bytes = unsafe { CStr::from_ptr(text) }.to_bytes().to_vec();
        // SAFETY: it is released once.
        unsafe { (functions.release_string_utf_chars)(self.env(), string.raw(), text) };
        Some(bytes)
    }

    /// Runs `body`, whose local references end with it.
    pub(crate) fn in_frame<R>(&self, body: impl FnOnce() -> Option<R>) -> Option<R> {
        const N_REFERENCES: c_int = 16;
        let functions = self.functions();
        // SAFETY: pushed and popped in pairs.
        if unsafe { (functions.push_local_frame)(self.env(), N_REFERENCES) } != 0 {
            self.clear_exception();
            return None;
        }
        let result = body();
        // SAFETY: pops what was pushed above; no reference is to outlive it.
        unsafe { (functions.pop_local_frame)(self.env(), ptr::null_mut()) };
        result
    }

    /// Whether an exception is pending that is none of ours.
    pub(crate) fn has_exception(&self) -> bool {
        // SAFETY: may be called at any time.
        unsafe { (self.functions().exception_check)(self.env()) != 0 }
    }

    /// Says that the JVM has just made this many local references, which a JVM that checks its natives
    /// would complain about.
    pub(crate) fn announce_references(&self, n_references: c_int) {
        // What this crate uses beside them at any time.
        const N_MORE: c_int = 16;
        let n_references = n_references.saturating_add(N_MORE);
        // SAFETY: may be called at any time; without success there is an exception.
        unsafe { (self.functions().ensure_local_capacity)(self.env(), n_references) };
        self.clear_exception();
    }

    /// Ends a local reference early, where there may be many.
    pub(crate) fn delete(&self, object: Object<'j>) {
        // SAFETY: the caller gives the object away; nothing keeps it in this crate.
        unsafe { (self.functions().delete_local_ref)(self.env(), object.raw()) };
    }

    /// Keeps an object for ever.
    pub(crate) fn keep(&self, object: Object<'j>) -> Option<Global> {
        // SAFETY: the reference is valid.
        let global = unsafe { (self.functions().new_global_ref)(self.env(), object.raw()) };
        NonNull::new(global).map(Global)
    }

    /// Calls a static method with one parameter, an `int`, that gives nothing; whether it was found and
    /// threw nothing.
    pub(crate) fn call_static(&self, class: Object<'j>, name: &CStr, argument: c_int) -> bool {
        let functions = self.functions();
        // SAFETY: the object is a class, and the texts end with zero.
        let method = unsafe {
            (functions.get_static_method_id)(
                self.env(),
                class.raw(),
                name.as_ptr(),
                c"(I)V".as_ptr(),
            )
        };
        if self.clear_exception() || method.is_null() {
            return false;
        }
        let argument = RawValue { int: argument };
        // SAFETY: the method is one of the class, and takes one `int`.
        unsafe {
            (functions.call_static_void_method_a)(
                self.env(),
                class.raw(),
                method,
                &raw const argument,
            );
        };
        !self.clear_exception()
    }

    /// The content of a byte array.
    pub(crate) fn bytes(&self, array: Object<'j>) -> Option<Vec<u8>> {
        let functions = self.functions();
        // SAFETY: the object is an array.
        let length = unsafe { (functions.get_array_length)(self.env(), array.raw()) };
        let mut bytes = vec![0; usize::try_from(length).ok()?];
        // SAFETY: as many bytes are read as the array has, and there is room for them.
        unsafe {
            (functions.get_byte_array_region)(
                self.env(),
                array.raw(),
                0,
                length,
                bytes.as_mut_ptr(),
            );
        };
        (!self.clear_exception()).then_some(bytes)
    }

    /// A new byte array.
    pub(crate) fn new_bytes(&self, bytes: &[u8]) -> Option<Object<'j>> {
        let functions = self.functions();
        let length = c_int::try_from(bytes.len()).ok()?;
        // SAFETY: may be called at any time; without memory it gives null and an exception.
        let array = unsafe { (functions.new_byte_array)(self.env(), length) };
        let array = self.checked(array)?;
        // SAFETY: the array has just been made with that length.
        unsafe {
            (functions.set_byte_array_region)(self.env(), array.raw(), 0, length, bytes.as_ptr());
        };
        (!self.clear_exception()).then_some(array)
    }

    /// Runs `body` on the elements of a byte array. It must be short and call nothing of the JVM's.
    pub(crate) fn pinned<R>(&self, array: &Global, body: impl FnOnce(&Pinned) -> R) -> Option<R> {
        let functions = self.functions();
        let mut is_copy: c_uchar = 0;
        // SAFETY: the object is an array, for it was the value of a field of that type.
        let start = unsafe {
            (functions.get_primitive_array_critical)(self.env(), array.0.as_ptr(), &raw mut is_copy)
        };
        let pinned = Pinned {
            start: NonNull::new(start.cast())?,
            is_copy: is_copy != 0,
        };
        let result = body(&pinned);
        // SAFETY: releases what was taken above; zero means to write a copy back.
        unsafe {
            (functions.release_primitive_array_critical)(self.env(), array.0.as_ptr(), start, 0);
        };
        Some(result)
    }

    /// What code of the JDK's has just given; nothing if it threw.
    ///
    /// # Safety
    ///
    /// `object` is null, or a reference that was made for the call that the lifetime stands for.
    pub(crate) unsafe fn taken(&self, object: RawObject) -> Option<Object<'j>> {
        self.checked(object)
    }

    fn checked(&self, object: RawObject) -> Option<Object<'j>> {
        if self.clear_exception() {
            return None;
        }
        // SAFETY: a reference that the JVM has just made for this call.
        unsafe { Object::new(object) }
    }

    /// Whether there was one.
    fn clear_exception(&self) -> bool {
        let had_exception = self.has_exception();
        if had_exception {
            // SAFETY: may be called at any time.
            unsafe { (self.functions().exception_clear)(self.env()) };
        }
        had_exception
    }
}
