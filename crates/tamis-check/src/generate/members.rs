//! The fields and methods that a type of a hierarchy may declare.
//!
//! The name of a method says what it returns, so that overriding and overloading are frequent and
//! do not fail on the return type: `m` an int, `n` a long, `o` the first type.

use super::hierarchy::Hierarchy;
use crate::program::{
    Access, Body, Expression, Field, Kind, Method, Receiver, Statement, TypeIndex, ValueType,
};

/// The names of fields.
pub(super) const FIELD_NAMES: [&str; 2] = ["f", "g"];

/// The names of methods, and what they return.
pub(super) const METHOD_NAMES: [(&str, ValueType); 3] = [
    ("m", ValueType::Int),
    ("n", ValueType::Long),
    ("o", ValueType::Object(0)),
];

/// A field that may be declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FieldChoice {
    pub(super) owner: TypeIndex,
    name: &'static str,
    value_type: ValueType,
    form: FieldForm,
}

/// Static or not, and how it gets its first value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldForm {
    Instance,
    InstanceSet,
    Static,
    StaticSet,
    /// By a call, so that the compiler knows no value.
    StaticComputed,
    /// In an initialiser block.
    StaticInBlock,
    /// What the compiler copies to where it is used.
    FinalConstant,
    FinalComputed,
}

/// A method that may be declared, without its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MethodChoice {
    pub(super) owner: TypeIndex,
    name: &'static str,
    result: ValueType,
    parameter: Option<ValueType>,
    form: MethodForm,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MethodForm {
    Instance(Access),
    Static,
    Abstract,
}

/// All fields that the types of a hierarchy may declare.
pub(super) fn fields(hierarchy: &Hierarchy) -> Vec<FieldChoice> {
    let objects = (0..hierarchy.len()).map(ValueType::Object);
    let value_types = [ValueType::Int, ValueType::Long, ValueType::Boolean];
    let value_types: Vec<_> = value_types.into_iter().chain(objects).collect();
    let mut fields = Vec::new();
    for (owner, shape) in hierarchy.iter().enumerate() {
        for value_type in &value_types {
            for form in field_forms(shape.kind, *value_type, hierarchy) {
                fields.extend(FIELD_NAMES.map(|name| FieldChoice {
                    owner,
                    name,
                    value_type: *value_type,
                    form: *form,
                }));
            }
        }
    }
    fields
}

fn field_forms(kind: Kind, value_type: ValueType, all: &Hierarchy) -> &'static [FieldForm] {
    use FieldForm as Form;
    match (kind, value_type) {
        (Kind::Interface, ValueType::Object(index)) if all[index].kind == Kind::Class => {
            &[Form::FinalComputed]
        }
        (Kind::Interface, ValueType::Object(_)) => &[],
        (Kind::Interface, _) => &[Form::FinalConstant, Form::FinalComputed],
        (_, ValueType::Object(index)) if all[index].kind == Kind::Class => {
            &[Form::Instance, Form::InstanceSet, Form::StaticComputed]
        }
        (_, ValueType::Object(_)) => &[Form::Instance, Form::Static],
        _ => &[
            Form::Instance,
            Form::InstanceSet,
            Form::StaticSet,
            Form::StaticComputed,
            Form::StaticInBlock,
            Form::FinalConstant,
        ],
    }
}

impl FieldChoice {
    /// The field with that value, and the statement that initialises it if it is not done in place.
    pub(super) fn field(&self, value: i64) -> (Field, Option<Statement>) {
        use FieldForm as Form;
        let constant = match self.value_type {
            ValueType::Object(index) => Expression::New(index),
            primitive => Expression::Constant(primitive, value),
        };
        let computed = match self.value_type {
            ValueType::Object(index) => Expression::New(index),
            primitive => Expression::Computed(primitive, value),
        };
        let initial = match self.form {
            Form::Instance | Form::Static | Form::StaticInBlock => None,
            Form::InstanceSet | Form::StaticSet | Form::FinalConstant => Some(constant.clone()),
            Form::StaticComputed | Form::FinalComputed => Some(computed),
        };
        let field = Field {
            name: self.name.to_owned(),
            value_type: self.value_type,
            is_static: !matches!(self.form, Form::Instance | Form::InstanceSet),
            is_final: matches!(self.form, Form::FinalConstant | Form::FinalComputed),
            initial,
        };
        let statement = (self.form == Form::StaticInBlock).then(|| Statement::Assign {
            on: Receiver::Type(self.owner),
            field: self.name.to_owned(),
            value: constant,
        });
        (field, statement)
    }
}

/// More forms than any kind of type has for its methods.
pub(super) const N_METHOD_FORMS: usize = 4;

/// A name, what it returns, and a parameter.
pub(super) type Signature = (&'static str, ValueType, Option<ValueType>);

/// The signatures that methods of so many types may have.
pub(super) fn signatures(n_types: usize) -> Vec<Signature> {
    let objects = (0..n_types.min(2)).map(ValueType::Object);
    let primitives = [ValueType::Int, ValueType::Long];
    let given = primitives.into_iter().chain(objects).map(Some);
    let parameters: Vec<_> = [None].into_iter().chain(given).collect();
    let mut signatures = Vec::new();
    for (name, result) in METHOD_NAMES {
        signatures.extend(
            parameters
                .iter()
                .map(|parameter| (name, result, *parameter)),
        );
    }
    signatures
}

/// All methods that the types of a hierarchy may declare.
pub(super) fn methods(hierarchy: &Hierarchy) -> Vec<MethodChoice> {
    let signatures = signatures(hierarchy.len());
    let mut methods = Vec::new();
    for (owner, shape) in hierarchy.iter().enumerate() {
        for (name, result, parameter) in &signatures {
            methods.extend(method_forms(shape.kind).iter().map(|form| MethodChoice {
                owner,
                name,
                result: *result,
                parameter: *parameter,
                form: *form,
            }));
        }
    }
    methods
}

/// Where [`methods`] has the method of a type with that signature and form, the latter taken again
/// from the beginning if there are fewer.
pub(super) fn method_index(
    hierarchy: &Hierarchy,
    owner: TypeIndex,
    signature: usize,
    form: usize,
) -> usize {
    let n_forms = |index: TypeIndex| method_forms(hierarchy[index].kind).len();
    let n_signatures = signatures(hierarchy.len()).len();
    let before: usize = (0..owner).map(|index| n_signatures * n_forms(index)).sum();
    before + signature * n_forms(owner) + form % n_forms(owner)
}

fn method_forms(kind: Kind) -> &'static [MethodForm] {
    use MethodForm as Form;
    match kind {
        Kind::Class => &[
            Form::Instance(Access::Public),
            Form::Instance(Access::Package),
            Form::Instance(Access::Private),
            Form::Static,
        ],
        Kind::AbstractClass => &[
            Form::Instance(Access::Public),
            Form::Instance(Access::Package),
            Form::Static,
            Form::Abstract,
        ],
        Kind::Interface => &[Form::Instance(Access::Public), Form::Static, Form::Abstract],
    }
}

impl MethodChoice {
    /// The method with a body that stands for one to be chosen, if it has one at all.
    pub(super) fn method(&self) -> Method {
        let stand_in = || Some(Body::returning(self.result.constant(0)));
        Method {
            name: self.name.to_owned(),
            access: match self.form {
                MethodForm::Instance(access) => access,
                MethodForm::Static | MethodForm::Abstract => Access::Public,
            },
            is_static: self.form == MethodForm::Static,
            parameter: self.parameter,
            result: self.result,
            body: match self.form {
                MethodForm::Abstract => None,
                _ => stand_in(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::hierarchy;

    #[test]
    fn an_index_leads_to_its_method() {
        for hierarchy in hierarchy::all(3) {
            let methods = methods(&hierarchy);
            let signatures = signatures(3);
            for owner in 0..3 {
                for (number, signature) in signatures.iter().enumerate() {
                    let found = &methods[method_index(&hierarchy, owner, number, 2)];
                    let found = (found.owner, (found.name, found.result, found.parameter));
                    assert_eq!(found, (owner, *signature));
                }
            }
        }
    }
}
