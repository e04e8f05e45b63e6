//! Class files of types that declare one method, with any flags: no compiler would make all of them.

/// The name and descriptor of the one method.
pub(crate) const METHOD: (&str, &str) = ("m", "()Ljava/lang/String;");

pub(crate) const PUBLIC: u16 = 0x0001;
pub(crate) const PRIVATE: u16 = 0x0002;
pub(crate) const PROTECTED: u16 = 0x0004;
pub(crate) const STATIC: u16 = 0x0008;
pub(crate) const FINAL: u16 = 0x0010;
pub(crate) const INTERFACE: u16 = 0x0200;
pub(crate) const ABSTRACT: u16 = 0x0400;
pub(crate) const SUPER: u16 = 0x0020;

pub(crate) const OBJECT: &str = "java/lang/Object";

/// A class or interface. Its method, if it has code, returns the name of the type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Type {
    pub(crate) name: String,
    pub(crate) is_interface: bool,
    pub(crate) super_class: Option<String>,
    pub(crate) interfaces: Vec<String>,
    /// The flags of the method, if it has one.
    pub(crate) method: Option<u16>,
}

impl Type {
    /// Its class file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut pool = Pool::default();
        let super_class = self.super_class.as_deref().unwrap_or(OBJECT);
        let own = pool.class(&self.name);
        let above = pool.class(super_class);
        let interfaces: Vec<u16> = self
            .interfaces
            .iter()
            .map(|name| pool.class(name))
            .collect();
        let mut methods = Vec::new();
        if !self.is_interface {
            let constructor = pool.method(10, super_class, ("<init>", "()V"));
            let [high, low] = constructor.to_be_bytes();
            let code = [0x2a, 0xb7, high, low, 0xb1];
            methods.push(pool.method_info(PUBLIC, ("<init>", "()V"), Some(&code)));
        }
        if let Some(flags) = self.method {
            let [high, low] = pool.string(&self.name).to_be_bytes();
            let code = [0x13, high, low, 0xb0];
            let code = (flags & ABSTRACT == 0).then_some(&code[..]);
            methods.push(pool.method_info(flags, METHOD, code));
        }
        let kind = if self.is_interface {
            INTERFACE | ABSTRACT
        } else {
            SUPER
        };
        assemble(
            &pool,
            PUBLIC | kind,
            [own, above],
            &interfaces,
            [&[], &methods],
        )
    }
}

/// A class with `static String call(Object)`, which calls the method by a type.
pub(crate) fn caller(name: &str, named: &Type) -> Vec<u8> {
    let mut pool = Pool::default();
    let own = pool.class(name);
    let above = pool.class(OBJECT);
    let [cast_high, cast_low] = pool.class(&named.name).to_be_bytes();
    let tag = if named.is_interface { 11 } else { 10 };
    let [high, low] = pool.method(tag, &named.name, METHOD).to_be_bytes();
    let mut code = vec![0x2a, 0xc0, cast_high, cast_low];
    if named.is_interface {
        code.extend([0xb9, high, low, 1, 0]);
    } else {
        code.extend([0xb6, high, low]);
    }
    code.push(0xb0);
    let id = ("call", "(Ljava/lang/Object;)Ljava/lang/String;");
    let method = pool.method_info(PUBLIC | STATIC, id, Some(&code));
    assemble(&pool, PUBLIC | SUPER, [own, above], &[], [&[], &[method]])
}

/// A constant pool that grows.
#[derive(Default)]
pub(crate) struct Pool {
    bytes: Vec<u8>,
    n: u16,
}

impl Pool {
    fn add(&mut self, tag: u8, content: &[u8]) -> u16 {
        self.bytes.push(tag);
        self.bytes.extend(content);
        self.n += 1;
        self.n
    }

    pub(crate) fn utf8(&mut self, text: &str) -> u16 {
        let length = u16::try_from(text.len()).unwrap().to_be_bytes();
        self.add(1, &[&length, text.as_bytes()].concat())
    }

    pub(crate) fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.add(7, &name.to_be_bytes())
    }

    pub(crate) fn string(&mut self, text: &str) -> u16 {
        let text = self.utf8(text);
        self.add(8, &text.to_be_bytes())
    }

    pub(crate) fn method(&mut self, tag: u8, owner: &str, (name, descriptor): (&str, &str)) -> u16 {
        let owner = self.class(owner).to_be_bytes();
        let name = self.utf8(name).to_be_bytes();
        let descriptor = self.utf8(descriptor).to_be_bytes();
        let id = self.add(12, &[name, descriptor].concat()).to_be_bytes();
        self.add(tag, &[owner, id].concat())
    }

    pub(crate) fn method_info(
        &mut self,
        flags: u16,
        (name, descriptor): (&str, &str),
        code: Option<&[u8]>,
    ) -> Vec<u8> {
        let name = self.utf8(name);
        let descriptor = self.utf8(descriptor);
        let mut info = [flags, name, descriptor, u16::from(code.is_some())]
            .map(u16::to_be_bytes)
            .concat();
        if let Some(code) = code {
            let attribute = self.utf8("Code");
            let length = u32::try_from(code.len()).unwrap();
            info.extend(attribute.to_be_bytes());
            info.extend((length + 12).to_be_bytes());
            info.extend([0, 1, 0, 1]);
            info.extend(length.to_be_bytes());
            info.extend(code);
            info.extend([0, 0, 0, 0]);
        }
        info
    }
}

/// A class file of Java 8, with these fields and methods.
pub(crate) fn assemble(
    pool: &Pool,
    flags: u16,
    [own, above]: [u16; 2],
    interfaces: &[u16],
    members: [&[Vec<u8>]; 2],
) -> Vec<u8> {
    const JAVA_8: [u8; 8] = [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52];
    let mut bytes = JAVA_8.to_vec();
    bytes.extend((pool.n + 1).to_be_bytes());
    bytes.extend(&pool.bytes);
    let n_interfaces = u16::try_from(interfaces.len()).unwrap();
    bytes.extend(
        [flags, own, above, n_interfaces]
            .map(u16::to_be_bytes)
            .concat(),
    );
    bytes.extend(interfaces.iter().flat_map(|index| index.to_be_bytes()));
    for all in members {
        bytes.extend(u16::try_from(all.len()).unwrap().to_be_bytes());
        bytes.extend(all.concat());
    }
    bytes.extend([0, 0]);
    bytes
}
