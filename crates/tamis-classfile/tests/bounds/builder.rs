//! Class files written by hand, right or wrong.

use std::collections::BTreeMap;

/// A class in the making.
#[derive(Default)]
pub(crate) struct Builder {
    pool: Vec<u8>,
    n_constants: u16,
    texts: BTreeMap<Vec<u8>, u16>,
    methods: Vec<u8>,
    n_methods: u16,
    attributes: Vec<u8>,
    n_attributes: u16,
}

impl Builder {
    /// A constant by its tag and what follows; gives its index.
    pub(crate) fn constant(&mut self, tag: u8, content: &[u8]) -> u16 {
        self.pool.push(tag);
        self.pool.extend_from_slice(content);
        self.n_constants += 1;
        self.n_constants
    }

    /// A constant of two indices.
    pub(crate) fn pair(&mut self, tag: u8, first: u16, second: u16) -> u16 {
        self.constant(tag, &numbers(&[first, second]))
    }

    /// A text, each only once.
    pub(crate) fn utf8(&mut self, text: &[u8]) -> u16 {
        if let Some(index) = self.texts.get(text) {
            return *index;
        }
        let mut content = (text.len() as u16).to_be_bytes().to_vec();
        content.extend_from_slice(text);
        let index = self.constant(1, &content);
        self.texts.insert(text.to_vec(), index);
        index
    }

    pub(crate) fn class(&mut self, name: &[u8]) -> u16 {
        let name = self.utf8(name);
        self.constant(7, &name.to_be_bytes())
    }

    pub(crate) fn name_and_type(&mut self, name: &[u8], descriptor: &[u8]) -> u16 {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        self.pair(12, name, descriptor)
    }

    pub(crate) fn method_ref(&mut self, owner: &[u8], name: &[u8], descriptor: &[u8]) -> u16 {
        let owner = self.class(owner);
        let name_and_type = self.name_and_type(name, descriptor);
        self.pair(10, owner, name_and_type)
    }

    /// An attribute, to be put somewhere.
    pub(crate) fn attribute(&mut self, name: &str, content: &[u8]) -> Vec<u8> {
        let mut bytes = self.utf8(name.as_bytes()).to_be_bytes().to_vec();
        bytes.extend((content.len() as u32).to_be_bytes());
        bytes.extend_from_slice(content);
        bytes
    }

    /// A `Code` attribute with a table of handlers and attributes.
    pub(crate) fn code(
        &mut self,
        code: &[u8],
        handlers: &[[u16; 4]],
        inner: &[Vec<u8>],
    ) -> Vec<u8> {
        let mut content = numbers(&[9, 9]);
        content.extend((code.len() as u32).to_be_bytes());
        content.extend_from_slice(code);
        content.extend((handlers.len() as u16).to_be_bytes());
        for handler in handlers {
            content.extend(numbers(handler));
        }
        content.extend((inner.len() as u16).to_be_bytes());
        content.extend(inner.concat());
        self.attribute("Code", &content)
    }

    pub(crate) fn method(&mut self, flags: u16, name: &[u8], descriptor: &[u8], inner: &[Vec<u8>]) {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        self.methods
            .extend(numbers(&[flags, name, descriptor, inner.len() as u16]));
        self.methods.extend(inner.concat());
        self.n_methods += 1;
    }

    /// An attribute of the class.
    pub(crate) fn class_attribute(&mut self, name: &str, content: &[u8]) {
        let attribute = self.attribute(name, content);
        self.attributes.extend(attribute);
        self.n_attributes += 1;
    }

    /// The class `A`.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let this = self.class(b"A");
        let object = self.class(b"java/lang/Object");
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61];
        bytes.extend((self.n_constants + 1).to_be_bytes());
        bytes.extend(self.pool);
        bytes.extend(numbers(&[0x21, this, object, 0, 0, self.n_methods]));
        bytes.extend(self.methods);
        bytes.extend(self.n_attributes.to_be_bytes());
        bytes.extend(self.attributes);
        bytes
    }
}

pub(crate) fn numbers(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_be_bytes()).collect()
}
