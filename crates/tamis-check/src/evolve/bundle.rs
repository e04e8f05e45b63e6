//! *change-bundle*: a resource bundle changes that several test classes ask for.
//!
//! ## What changes
//! The text of a bundle; or a bundle appears that is more to the point, as a file or as a class. Tests of
//! all classes ask for it.
//!
//! ## Why tools get it wrong
//! The JDK keeps bundles, and that there are none: who asks second opens no file and asks no class loader.
//!
//! ## Example
//! ```java
//! ResourceBundle.getBundle("p.numbers", Locale.GERMANY).getString("number")   // by T1, then by T2
//! ```

use super::graft::{self, Gadget};
use super::surrounded::{Surrounded, looking};
use super::{Evolution, Source};
use crate::program::Surrounding;

const READER: (&str, &str) = (
    "Reader",
    "public class Reader {
    public static int number() {
        String bundle = Reader.class.getName().replace(\"Reader\", \"numbers\");
        return java.util.ResourceBundle.getBundle(bundle, java.util.Locale.GERMANY).getString(\"number\").length();
    }
}",
);

const ONE: Surrounding = Surrounding::Resource {
    name: "numbers.properties",
    text: "number=a\n",
};

const TWO: Surrounding = Surrounding::Resource {
    name: "numbers.properties",
    text: "number=ab\n",
};

const GERMAN: Surrounding = Surrounding::Resource {
    name: "numbers_de.properties",
    text: "number=abc\n",
};

const ALL: &[Surrounded] = &[
    Surrounded {
        gadget: looking(&[READER]),
        before: &[ONE],
        after: &[TWO],
    },
    Surrounded {
        gadget: looking(&[READER]),
        before: &[ONE],
        after: &[ONE, GERMAN],
    },
    Surrounded {
        gadget: Gadget {
            same: &[READER],
            before: &[],
            after: &[(
                "numbers_de",
                "public class numbers_de extends java.util.ListResourceBundle {
    protected Object[][] getContents() {
        return new Object[][] {{\"number\", \"abc\"}};
    }
}",
            )],
            number: "Reader.number()",
        },
        before: &[ONE],
        after: &[ONE],
    },
];

/// Each, asked for by tests of all classes.
pub(super) fn evolutions(source: Source<'_>) -> Vec<Evolution> {
    let all = ALL.iter().filter_map(|surrounded| {
        let gadget = &surrounded.gadget;
        let mut evolution = gadget.evolution(source.program());
        evolution.test_grafts = graft::test_grafts(source.bounds, gadget.number).pop()?;
        evolution.before.surroundings = surrounded.before.to_vec();
        evolution.after.surroundings = surrounded.after.to_vec();
        Some(evolution)
    });
    all.collect()
}
