//! The tables against the headers of the JDKs found: a C compiler is asked for every position.

use std::fmt::Write as _;
use std::fs;
use std::mem::{offset_of, size_of};
use std::process::Command;

use tamis_build::Jdk;
use tamis_testkit::jdks::jdks;

use super::jni::{Functions as Jni, RawValue};
use super::jvmti::{
    CLASS_FILE_LOAD_HOOK, Capabilities, ENABLE, EventCallbacks, FrameInfo, Functions as Jvmti,
    NATIVE_METHOD_BIND, THREAD_STATE_IN_NATIVE, THREAD_STATE_RUNNABLE, VERSION, VM_DEATH, VM_INIT,
    VmFunctions,
};

/// A C expression and the value it has here.
fn claims() -> Vec<(String, usize)> {
    let mut claims = Vec::new();
    macro_rules! offsets {
        ($c_type:literal, $type:ty, $($c_name:literal $name:ident),*) => {
            $(claims.push((format!("offsetof({}, {})", $c_type, $c_name), offset_of!($type, $name)));)*
        };
    }
    offsets!("struct jvmtiInterface_1_", Jvmti,
        "SetEventNotificationMode" set_event_notification_mode,
        "GetAllThreads" get_all_threads, "GetThreadState" get_thread_state,
        "GetCurrentThread" get_current_thread, "GetMethodName" get_method_name,
        "GetMethodDeclaringClass" get_method_declaring_class, "GetStackTrace" get_stack_trace,
        "Allocate" allocate, "Deallocate" deallocate,
        "GetClassSignature" get_class_signature, "GetClassLoader" get_class_loader,
        "GetLoadedClasses" get_loaded_classes, "GetTag" get_tag, "SetTag" set_tag,
        "SetEventCallbacks" set_event_callbacks, "GetSystemProperty" get_system_property,
        "GetThreadCpuTime" get_thread_cpu_time,
        "GetPotentialCapabilities" get_potential_capabilities,
        "AddCapabilities" add_capabilities, "RetransformClasses" retransform_classes);
    offsets!("jvmtiEventCallbacks", EventCallbacks,
        "VMInit" vm_init, "VMDeath" vm_death, "ClassFileLoadHook" class_file_load_hook,
        "NativeMethodBind" native_method_bind);
    offsets!("struct JNIInvokeInterface_", VmFunctions, "GetEnv" get_env);
    offsets!("struct JNINativeInterface_", Jni,
        "DefineClass" define_class, "FindClass" find_class, "GetSuperclass" get_superclass,
        "ExceptionClear" exception_clear,
        "PushLocalFrame" push_local_frame, "PopLocalFrame" pop_local_frame,
        "NewGlobalRef" new_global_ref, "DeleteLocalRef" delete_local_ref,
        "EnsureLocalCapacity" ensure_local_capacity,
        "GetObjectClass" get_object_class, "GetMethodID" get_method_id,
        "CallObjectMethodA" call_object_method_a, "GetStaticFieldID" get_static_field_id,
        "GetStaticObjectField" get_static_object_field,
        "GetStringUTFChars" get_string_utf_chars,
        "ReleaseStringUTFChars" release_string_utf_chars,
        "GetStaticMethodID" get_static_method_id,
        "CallStaticVoidMethodA" call_static_void_method_a,
        "NewByteArray" new_byte_array,
        "GetByteArrayRegion" get_byte_array_region,
        "SetByteArrayRegion" set_byte_array_region,
        "GetPrimitiveArrayCritical" get_primitive_array_critical,
        "ReleasePrimitiveArrayCritical" release_primitive_array_critical,
        "IsSameObject" is_same_object, "CallBooleanMethodA" call_boolean_method_a,
        "CallVoidMethodA" call_void_method_a, "GetFieldID" get_field_id,
        "GetObjectField" get_object_field, "GetIntField" get_int_field,
        "GetArrayLength" get_array_length,
        "GetObjectArrayElement" get_object_array_element,
        "ExceptionCheck" exception_check);
    offsets!("jvmtiFrameInfo", FrameInfo, "method" method, "location" location);
    for (expression, value) in [
        ("JVMTI_VERSION_1_2", VERSION),
        ("JVMTI_ENABLE", ENABLE),
        ("JVMTI_THREAD_STATE_RUNNABLE", THREAD_STATE_RUNNABLE),
        ("JVMTI_THREAD_STATE_IN_NATIVE", THREAD_STATE_IN_NATIVE),
        ("JVMTI_EVENT_VM_INIT", VM_INIT),
        ("JVMTI_EVENT_VM_DEATH", VM_DEATH),
        ("JVMTI_EVENT_CLASS_FILE_LOAD_HOOK", CLASS_FILE_LOAD_HOOK),
        ("JVMTI_EVENT_NATIVE_METHOD_BIND", NATIVE_METHOD_BIND),
    ] {
        claims.push((expression.to_owned(), usize::try_from(value).unwrap()));
    }
    claims.push((
        "sizeof(jvmtiCapabilities)".to_owned(),
        size_of::<Capabilities>(),
    ));
    claims.push(("sizeof(jvalue)".to_owned(), size_of::<RawValue>()));
    claims
}

/// Compiles a program that prints the value of each expression, and runs it.
fn values(jdk: &Jdk, expressions: &[String]) -> Vec<usize> {
    let dir = tempfile::tempdir().unwrap();
    let mut source = String::from(
        "#include <stddef.h>\n#include <stdio.h>\n#include <string.h>\n#include <jvmti.h>\n\
         static unsigned first_word(const jvmtiCapabilities *c) {\n\
         unsigned w; memcpy(&w, c, sizeof w); return w; }\n\
         static inline unsigned second_word(const jvmtiCapabilities *c) {\n\
         unsigned w; memcpy(&w, (const char *) c + sizeof w, sizeof w); return w; }\n\
         int main(void) {\njvmtiCapabilities needed = {0};\n\
         needed.can_tag_objects = 1; needed.can_generate_native_method_bind_events = 1;\n\
         jvmtiCapabilities time = {0}; time.can_get_thread_cpu_time = 1;\n\
         jvmtiCapabilities change = {0}; change.can_retransform_classes = 1;\n",
    );
    for expression in expressions {
        writeln!(source, "printf(\"%zu\\n\", (size_t) ({expression}));").unwrap();
    }
    source += "return 0;\n}\n";
    let (file, program) = (dir.path().join("a.c"), dir.path().join("a"));
    fs::write(&file, source).unwrap();
    let include = jdk.home.join("include");
    let status = Command::new("cc")
        .arg("-I")
        .arg(&include)
        .arg("-I")
        .arg(include.join("linux"))
        .arg(&file)
        .arg("-o")
        .arg(&program)
        .status()
        .expect("a C compiler, `cc`, reads the JDK's headers");
    assert!(status.success(), "JDK {}", jdk.feature);
    let output = Command::new(&program).output().unwrap().stdout;
    let text = String::from_utf8(output).unwrap();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn the_tables_are_those_of_every_jdk() {
    let mut claims = claims();
    let [needed, ..] = Capabilities::NEEDED.0;
    claims.push(("first_word(&needed)".to_owned(), needed as usize));
    let [time, ..] = Capabilities::CAN_GET_THREAD_CPU_TIME.0;
    claims.push(("first_word(&time)".to_owned(), time as usize));
    let [_, change, ..] = Capabilities::CAN_RETRANSFORM_CLASSES.0;
    claims.push(("second_word(&change)".to_owned(), change as usize));
    // Their names were reserved before.
    let [_, early, ..] = Capabilities::CAN_GENERATE_EARLY_VMSTART.0;
    let module = offset_of!(Jvmti, get_named_module);
    let (expressions, ours): (Vec<_>, Vec<_>) = claims.into_iter().unzip();
    let mut n_checked = 0;
    for jdk in jdks().unwrap() {
        // Debian's packages of a JDK come with the headers; a run-time image may lack them.
        if !jdk.home.join("include/jvmti.h").is_file() {
            continue;
        }
        let theirs = values(&jdk, &expressions);
        if jdk.feature >= 9 {
            let expressions = [
                "offsetof(struct jvmtiInterface_1_, GetNamedModule)",
                "second_word(&(jvmtiCapabilities) {.can_generate_early_vmstart = 1})",
            ];
            let theirs = values(&jdk, &expressions.map(str::to_owned));
            assert_eq!(theirs, [module, early as usize]);
        }
        for ((expression, ours), theirs) in expressions.iter().zip(&ours).zip(&theirs) {
            assert_eq!(ours, theirs, "{expression} of JDK {}", jdk.feature);
        }
        n_checked += 1;
    }
    assert!(n_checked > 0, "no JDK found has include/jvmti.h");
}
