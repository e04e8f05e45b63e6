//! Classes made to hurt: little input that asks for much memory or work. Each comes in any size.

use crate::builder::{Builder, numbers};

/// A hostile class of size `n`, which is at most 60,000.
pub(crate) type Input = fn(usize) -> Vec<u8>;

pub(crate) const ALL: &[(&str, Input)] = &[
    ("a count of constants without constants", constant_count),
    ("counts of members without members", member_count),
    ("values of annotations", annotation_values),
    ("arrays nested in annotations", nested_arrays),
    ("annotations without values", empty_annotations),
    ("lists of no annotations", parameter_annotations),
    ("annotations of types", type_annotations),
    ("frames of one byte", short_frames),
    ("types in frames", full_frames),
    ("handlers over blocks", handlers_over_blocks),
    ("handlers over one block", handlers_over_one_block),
    ("dynamic constants that name each other twice", dynamic_web),
    ("arguments of one bootstrap method", bootstrap_arguments),
    ("one long name in many references", long_name_in_references),
    ("one long name in many instructions", long_name_in_code),
    ("one long name of many methods", long_name_of_methods),
    (
        "one long name of many numbered methods",
        long_name_of_numbered_methods,
    ),
    ("numbered methods that nobody names", numbered_methods),
    ("numbered methods that name each other", numbered_chain),
    ("rows of inner classes with a long name", inner_classes),
    ("switches", switches),
    ("branches that a probe moves out of reach", far_branches),
    ("attributes without content", empty_attributes),
    ("components of a record", record_components),
    (
        "one long descriptor in many calls",
        long_descriptor_in_calls,
    ),
];

fn constant_count(n: usize) -> Vec<u8> {
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61, 0xff, 0xff];
    bytes.extend([3, 0, 0, 0, 0].repeat(n / 100));
    bytes
}

fn member_count(n: usize) -> Vec<u8> {
    let mut bytes = Builder::default().finish();
    let end = bytes.len();
    // The number of methods, and then nothing but attributes without end.
    bytes[end - 4..end - 2].copy_from_slice(&[0xff, 0xff]);
    bytes.extend([0, 1, 0, 1, 0, 1, 0xff, 0xff].repeat(n / 100));
    bytes
}

fn with_annotations(content: &[u8]) -> Vec<u8> {
    let mut builder = Builder::default();
    builder.utf8(b"LX;");
    builder.class_attribute("RuntimeVisibleAnnotations", content);
    builder.finish()
}

fn annotation_values(n: usize) -> Vec<u8> {
    let mut content = numbers(&[1, 1, 1, 1]);
    content.push(b'[');
    content.extend((n as u16).to_be_bytes());
    content.extend([b's', 0, 1].repeat(n));
    with_annotations(&content)
}

fn nested_arrays(n: usize) -> Vec<u8> {
    let depth = 60;
    let mut one = numbers(&[1, 1, 1]);
    one.extend([b'[', 0, 1].repeat(depth));
    one.extend([b's', 0, 1]);
    let count = n / depth;
    let content = [numbers(&[count as u16]), one.repeat(count)].concat();
    with_annotations(&content)
}

fn empty_annotations(n: usize) -> Vec<u8> {
    with_annotations(&[numbers(&[n as u16]), [0, 1, 0, 0].repeat(n)].concat())
}

fn parameter_annotations(n: usize) -> Vec<u8> {
    let mut builder = Builder::default();
    for position in 0..n / 255 {
        let content = [vec![255], [0, 0].repeat(255)].concat();
        let attribute = builder.attribute("RuntimeVisibleParameterAnnotations", &content);
        builder.method(
            0x401,
            format!("m{position}").as_bytes(),
            b"()V",
            &[attribute],
        );
    }
    builder.finish()
}

fn type_annotations(n: usize) -> Vec<u8> {
    let mut builder = Builder::default();
    builder.utf8(b"LX;");
    let content = [numbers(&[n as u16]), [0x13, 0, 0, 1, 0, 0].repeat(n)].concat();
    builder.class_attribute("RuntimeVisibleTypeAnnotations", &content);
    builder.finish()
}

fn with_frames(frames: &[u8], n_nops: usize) -> Vec<u8> {
    let mut builder = Builder::default();
    let frames = builder.attribute("StackMapTable", frames);
    let code = [vec![0; n_nops], vec![177]].concat();
    let code = builder.code(&code, &[], &[frames]);
    builder.method(0x9, b"m", b"()V", &[code]);
    builder.finish()
}

fn short_frames(n: usize) -> Vec<u8> {
    with_frames(&[numbers(&[n as u16]), vec![0; n]].concat(), n)
}

fn full_frames(n: usize) -> Vec<u8> {
    let mut content = numbers(&[1]);
    content.push(255);
    content.extend(numbers(&[0, n as u16]));
    content.extend(vec![0; n]);
    content.extend(numbers(&[0]));
    with_frames(&content, 3)
}

fn handlers_over_blocks(n: usize) -> Vec<u8> {
    let n = n / 8;
    let mut builder = Builder::default();
    let class = builder.class(b"E");
    let code = [vec![0; n], vec![177, 191]].concat();
    let end = n as u16 + 1;
    let handlers: Vec<_> = (0..n as u16).map(|at| [at, end, end, class]).collect();
    let code = builder.code(&code, &handlers, &[]);
    builder.method(0x9, b"m", b"()V", &[code]);
    builder.finish()
}

fn handlers_over_one_block(n: usize) -> Vec<u8> {
    let mut builder = Builder::default();
    let class = builder.class(b"E");
    let code = builder.code(&[177, 191], &vec![[0, 1, 1, class]; n], &[]);
    builder.method(0x8, b"<clinit>", b"()V", &[code]);
    builder.finish()
}

/// Written out, the first would be a text of two to the power of its depth.
fn dynamic_web(n: usize) -> Vec<u8> {
    let depth = 4 + n / 4000;
    let mut builder = Builder::default();
    let bootstrap = builder.method_ref(b"B", b"b", b"()V");
    let handle = builder.constant(15, &[&[6], &bootstrap.to_be_bytes()[..]].concat());
    let name_and_type = builder.name_and_type(b"c", b"I");
    let constants: Vec<u16> = (0..depth)
        .map(|position| builder.pair(17, position as u16, name_and_type))
        .collect();
    let mut content = numbers(&[depth as u16]);
    for position in 0..depth {
        match constants.get(position + 1) {
            Some(next) => content.extend(numbers(&[handle, 2, *next, *next])),
            None => content.extend(numbers(&[handle, 0])),
        }
    }
    builder.class_attribute("BootstrapMethods", &content);
    let mut code = vec![19];
    code.extend(constants[0].to_be_bytes());
    code.extend([87, 177]);
    let code = builder.code(&code, &[], &[]);
    builder.method(0x9, b"m", b"()V", &[code]);
    builder.finish()
}

fn bootstrap_arguments(n: usize) -> Vec<u8> {
    let mut builder = Builder::default();
    let bootstrap = builder.method_ref(b"B", b"b", b"()V");
    let handle = builder.constant(15, &[&[6], &bootstrap.to_be_bytes()[..]].concat());
    let name_and_type = builder.name_and_type(b"c", b"I");
    let constant = builder.pair(17, 0, name_and_type);
    let text = builder.utf8(&[b'x'; 120]);
    let string = builder.constant(8, &text.to_be_bytes());
    let mut content = numbers(&[1, handle, n as u16]);
    content.extend(string.to_be_bytes().repeat(n));
    builder.class_attribute("BootstrapMethods", &content);
    let code = [&[19], &constant.to_be_bytes()[..], &[87]].concat();
    let code = [code.repeat(1000), vec![177]].concat();
    let code = builder.code(&code, &[], &[]);
    builder.method(0x9, b"m", b"()V", &[code]);
    builder.finish()
}

/// As long as a constant may be.
const LONG: usize = 65_000;

fn long(letter: u8) -> Vec<u8> {
    vec![letter; LONG]
}

fn long_name_in_references(n: usize) -> Vec<u8> {
    let mut builder = Builder::default();
    let owner = builder.class(&long(b'x'));
    let name_and_type = builder.name_and_type(&long(b'x'), b"()V");
    let mut code = Vec::new();
    // The code has room for 20,000 calls.
    for _ in 0..n / 3 {
        let method = builder.pair(10, owner, name_and_type);
        code.extend([&[184], &method.to_be_bytes()[..]].concat());
    }
    code.push(177);
    let code = builder.code(&code, &[], &[]);
    builder.method(0x9, b"m", b"()V", &[code]);
    builder.finish()
}

fn long_name_in_code(n: usize) -> Vec<u8> {
    let mut builder = Builder::default();
    let method = builder.method_ref(&long(b'x'), &long(b'y'), b"()V");
    let call = [&[184], &method.to_be_bytes()[..]].concat();
    let code = [call.repeat(n / 3), vec![177]].concat();
    let code = builder.code(&code, &[], &[]);
    builder.method(0x9, b"m", b"()V", &[code]);
    builder.finish()
}

fn methods_with(n: usize, flags: u16, name: &[u8]) -> Vec<u8> {
    let mut builder = Builder::default();
    for position in 0..n / 4 {
        let descriptor = format!("(L{position};)V");
        builder.method(flags, name, descriptor.as_bytes(), &[]);
    }
    builder.finish()
}

fn long_name_of_methods(n: usize) -> Vec<u8> {
    methods_with(n, 0x401, &long(b'x'))
}

fn long_name_of_numbered_methods(n: usize) -> Vec<u8> {
    let name = [long(b'x'), b"$1".to_vec()].concat();
    methods_with(n, 0x1002, &name)
}

fn numbered_methods(n: usize) -> Vec<u8> {
    let mut builder = Builder::default();
    let code = builder.code(&[177], &[], &[]);
    for position in 0..n / 4 {
        let name = format!("lambda$f${position}");
        builder.method(0x100a, name.as_bytes(), b"()V", std::slice::from_ref(&code));
    }
    builder.finish()
}

/// Each calls the next, and the last the first.
fn numbered_chain(n: usize) -> Vec<u8> {
    let n = n / 8;
    let mut builder = Builder::default();
    for position in 0..n {
        let next = format!("lambda$f${}", (position + 1) % n);
        let callee = builder.method_ref(b"A", next.as_bytes(), b"()V");
        let call = [&[184], &callee.to_be_bytes()[..], &[177]].concat();
        let code = builder.code(&call, &[], &[]);
        let name = format!("lambda$f${position}");
        builder.method(0x100a, name.as_bytes(), b"()V", &[code]);
    }
    builder.finish()
}

fn inner_classes(n: usize) -> Vec<u8> {
    let mut builder = Builder::default();
    let class = builder.class(&long(b'x'));
    let row = numbers(&[class, class, 0, 0]);
    let content = [numbers(&[n as u16]), row.repeat(n)].concat();
    builder.class_attribute("InnerClasses", &content);
    builder.finish()
}

fn switches(n: usize) -> Vec<u8> {
    let mut builder = Builder::default();
    // tableswitch {0: itself, default: itself}, twenty bytes each at a multiple of four.
    let numbers = [0u32, 0, 0, 0].map(u32::to_be_bytes).concat();
    let switch = [vec![170, 0, 0, 0], numbers].concat();
    let code = builder.code(&switch.repeat(n / 20), &[], &[]);
    builder.method(0x8, b"<clinit>", b"()V", &[code]);
    builder.finish()
}

/// Every branch goes as far as it can, so that moving one by a byte moves others out of reach.
fn far_branches(n: usize) -> Vec<u8> {
    let n = n.min(30_000) / 3;
    let mut builder = Builder::default();
    let mut code = Vec::new();
    for position in 0..n {
        let distance = ((n - position) * 3) as u16;
        code.extend([&[167], &distance.to_be_bytes()[..]].concat());
    }
    code.extend(vec![177; 32_760]);
    let code = builder.code(&code, &[], &[]);
    builder.method(0x8, b"<clinit>", b"()V", &[code]);
    builder.finish()
}

fn empty_attributes(n: usize) -> Vec<u8> {
    let mut builder = Builder::default();
    let attribute = builder.attribute("X", &[]);
    builder.method(0x401, b"m", b"()V", &vec![attribute; n]);
    builder.finish()
}

fn record_components(n: usize) -> Vec<u8> {
    let mut builder = Builder::default();
    let (name, descriptor) = (builder.utf8(b"c"), builder.utf8(b"I"));
    let component = numbers(&[name, descriptor, 0]);
    let content = [numbers(&[n as u16]), component.repeat(n)].concat();
    builder.class_attribute("Record", &content);
    builder.finish()
}

fn long_descriptor_in_calls(n: usize) -> Vec<u8> {
    let mut builder = Builder::default();
    let bootstrap = builder.method_ref(b"B", b"b", b"()V");
    let handle = builder.constant(15, &[&[6], &bootstrap.to_be_bytes()[..]].concat());
    let descriptor = [b"(".to_vec(), b"La/B;".repeat(LONG / 5 - 2), b")V".to_vec()].concat();
    let name_and_type = builder.name_and_type(b"c", &descriptor);
    let site = builder.pair(18, 0, name_and_type);
    builder.class_attribute("BootstrapMethods", &numbers(&[1, handle, 0]));
    let call = [&[186], &site.to_be_bytes()[..], &[0, 0]].concat();
    let code = [call.repeat(n / 5), vec![177]].concat();
    let code = builder.code(&code, &[], &[]);
    builder.method(0x9, b"m", b"()V", &[code]);
    builder.finish()
}
