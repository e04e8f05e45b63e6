//! What a program looks at beside its own classes: files, services, a library, properties of its JVM.
//!
//! Their names begin with the package of the program, or lie in a folder of that name, so that programs which share a
//! project have nothing in common.

/// One such thing of a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Surrounding {
    /// A file beside the classes of the package.
    Resource {
        name: &'static str,
        text: &'static str,
    },
    /// A file that names the classes which provide an interface; names are those of grafted types.
    Service {
        interface: &'static str,
        providers: &'static [&'static str],
    },
    /// A type of the same package that comes in a library.
    LibraryType {
        name: &'static str,
        /// The declaration, without the package.
        text: &'static str,
    },
    /// A system property that the JVM is started with; the name begins with the package.
    Property {
        name: &'static str,
        value: &'static str,
    },
    /// A file of the project, in a folder of the program's own: `data/p00042/NAME`.
    File {
        name: &'static str,
        text: &'static str,
    },
}

impl Surrounding {
    /// Where it lies, or what else it is known by, in a program of this package.
    pub(crate) fn name(self, package: &str) -> String {
        match self {
            Self::Resource { name, .. } => format!("{package}/{name}"),
            Self::Service { interface, .. } => format!("META-INF/services/{package}.{interface}"),
            Self::LibraryType { name, .. } => format!("{package}/{name}.java"),
            Self::Property { name, .. } => format!("{package}.{name}"),
            Self::File { name, .. } => format!("data/{package}/{name}"),
        }
    }

    /// What it says, in a program of this package.
    pub(crate) fn text(self, package: &str) -> String {
        match self {
            Self::Resource { text, .. } | Self::File { text, .. } => text.to_owned(),
            Self::Service { providers, .. } => {
                let lines = providers.iter();
                let lines = lines.map(|provider| format!("{package}.{provider}\n"));
                lines.collect()
            }
            Self::LibraryType { text, .. } => format!("package {package};\n\n{text}\n"),
            Self::Property { value, .. } => value.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_texts_are_those_of_a_package() {
        let of = |surrounding: Surrounding| (surrounding.name("p"), surrounding.text("p"));
        let service = Surrounding::Service {
            interface: "Plugin",
            providers: &["One", "Other"],
        };
        assert_eq!(
            of(service),
            (
                "META-INF/services/p.Plugin".to_owned(),
                "p.One\np.Other\n".to_owned()
            )
        );
        let property = Surrounding::Property {
            name: "Settings.number",
            value: "1",
        };
        assert_eq!(
            of(property),
            ("p.Settings.number".to_owned(), "1".to_owned())
        );
    }
}
