//! Programs of a few signatures, which a walk goes through.
//!
//! Of all programs within bounds, in few does a method override another or share its name: there
//! are too many signatures to choose from. So a walk first chooses a *vocabulary* of three
//! signatures, and the methods of a program from it.

use super::hierarchy::Hierarchy;
use super::members::{self, N_METHOD_FORMS};
use super::{Choices, Digits, N_BODIES, Radices, Stratum};

/// How many numbers a walk has; none if they do not fit.
pub(super) fn size(
    radices: &Radices,
    n_types: usize,
    n_fields: usize,
    n_methods: usize,
) -> Option<u128> {
    let fields = radices.field.checked_pow(n_fields as u32)?;
    let methods = (method_radix(n_types, n_methods) * N_BODIES).checked_pow(n_methods as u32)?;
    let n_signatures = members::signatures(n_types).len() as u128;
    let vocabularies = n_signatures.checked_pow(n_words(n_methods) as u32)?;
    let rest = radices.hierarchy.checked_mul(vocabularies)?;
    rest.checked_mul(fields)?.checked_mul(methods)
}

/// The choices that a number of a walk means.
pub(super) fn choices(stratum: &Stratum, hierarchies: &[Hierarchy], number: u128) -> Choices {
    let n_types = stratum.n_types;
    let n_words = n_words(stratum.n_methods);
    let n_signatures = members::signatures(n_types).len();
    let mut digits = Digits(number);
    let bodies = digits.take(stratum.n_methods, N_BODIES);
    let methods = digits.take(stratum.n_methods, method_radix(n_types, stratum.n_methods));
    let vocabulary = digits.take(n_words, n_signatures as u128);
    let fields = digits.take(stratum.n_fields, stratum.radices.field);
    let hierarchy = digits.take_one(stratum.radices.hierarchy);
    let method = |digit: usize| {
        let mut digits = Digits(digit as u128);
        let owner = digits.take_one(n_types as u128);
        let signature = vocabulary[digits.take_one(n_words as u128)];
        let form = digits.take_one(N_METHOD_FORMS as u128);
        members::method_index(&hierarchies[hierarchy], owner, signature, form)
    };
    Choices {
        methods: methods.into_iter().map(method).collect(),
        hierarchy,
        fields,
        bodies,
    }
}

/// How many choices a method has: a type, a word of the vocabulary, and a form.
fn method_radix(n_types: usize, n_methods: usize) -> u128 {
    (n_types * n_words(n_methods) * N_METHOD_FORMS) as u128
}

/// How many signatures so many methods have, at most.
fn n_words(n_methods: usize) -> usize {
    n_methods.min(3)
}
