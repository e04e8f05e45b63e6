//! The bodies that a method may have, given the fields and signatures of the program: return a
//! constant, the parameter, an object, a field or the result of a call; or assign a field first.

use super::members::{FIELD_NAMES, METHOD_NAMES};
use crate::program::{
    Body, Expression, Kind, Program, Receiver, Scope, Statement, TypeIndex, ValueType,
};

/// All bodies of a method in the order of the text above; none if it is abstract. `number` tells
/// the methods of a program apart by their constants.
pub(super) fn all(program: &Program, owner: TypeIndex, method: usize, number: u8) -> Vec<Body> {
    let method = &program.types[owner].methods[method];
    if method.is_abstract() {
        return Vec::new();
    }
    let scope = Scope::of(owner, method);
    let constant = method.result.constant(1 + i64::from(number));
    let results = results(program, scope, &constant);
    let returning = results.into_iter().map(Body::returning);
    let assigning = assignments(program, owner, number)
        .into_iter()
        .map(|first| Body {
            statements: vec![first],
            result: constant.clone(),
        });
    let mut bodies: Vec<_> = returning.chain(assigning).collect();
    bodies.retain(|body| program.is_sound_body(body, method.result, scope));
    bodies
}

/// What may be returned, of any type.
fn results(program: &Program, scope: Scope, constant: &Expression) -> Vec<Expression> {
    let mut results = vec![constant.clone(), Expression::Parameter];
    if !matches!(constant, Expression::Constant(..)) {
        results.push(Expression::This);
        results.extend(concrete(program).map(Expression::New));
    }
    for on in receivers(program) {
        results.extend(FIELD_NAMES.map(|name| Expression::Field {
            on,
            name: name.to_owned(),
        }));
    }
    for on in receivers(program) {
        for (name, _) in METHOD_NAMES {
            let calls = arguments(program, name)
                .into_iter()
                .map(|argument| Expression::Call {
                    on,
                    name: name.to_owned(),
                    argument: argument.map(Box::new),
                });
            results.extend(calls.filter(|call| is_direct(program, call, scope)));
        }
    }
    results
}

/// Whether a static method is called on a type and an instance method on an object.
fn is_direct(program: &Program, call: &Expression, scope: Scope) -> bool {
    let Expression::Call { on, name, argument } = call else {
        return true;
    };
    let argument = argument.as_ref().and_then(|a| program.type_of(a, scope));
    let called = program.method_on(*on, name, argument, scope);
    called.is_some_and(|(_, method)| method.is_static == matches!(on, Receiver::Type(_)))
}

fn assignments(program: &Program, owner: TypeIndex, number: u8) -> Vec<Statement> {
    let mut assignments = Vec::new();
    for on in [Receiver::This, Receiver::Type(owner)] {
        for field in FIELD_NAMES {
            let found = program.find_field(owner, field);
            let Some((_, found)) = found.filter(|(_, f)| f.is_static == (on != Receiver::This))
            else {
                continue;
            };
            let value = match found.value_type {
                ValueType::Object(index) => match program.concrete_subtypes(index).last() {
                    Some(lowest) => Expression::New(*lowest),
                    None => Expression::Null(index),
                },
                primitive => primitive.constant(20 + i64::from(number)),
            };
            assignments.extend(
                [value, Expression::Parameter].map(|value| Statement::Assign {
                    on,
                    field: field.to_owned(),
                    value,
                }),
            );
        }
    }
    assignments
}

/// What may be given to a method of that name: an int where a long will do, and the lowest type
/// that fits, so that overloads matter.
fn arguments(program: &Program, name: &str) -> Vec<Option<Expression>> {
    let methods = program.types.iter().flat_map(|part| &part.methods);
    let mut parameters: Vec<_> = methods
        .filter(|method| method.name == name)
        .map(|method| method.parameter)
        .collect();
    parameters.sort_unstable();
    parameters.dedup();
    let argument = |parameter: Option<ValueType>| {
        parameter.map(|value_type| match value_type {
            ValueType::Object(index) => match program.concrete_subtypes(index).last() {
                Some(lowest) => Expression::New(*lowest),
                None => Expression::Null(index),
            },
            _ => Expression::Constant(ValueType::Int, 3),
        })
    };
    let mut arguments: Vec<_> = parameters.into_iter().map(argument).collect();
    arguments.dedup();
    arguments
}

fn receivers(program: &Program) -> impl Iterator<Item = Receiver> {
    let all = 0..program.types.len();
    let types = all.map(Receiver::Type);
    let objects = concrete(program).map(Receiver::New);
    [Receiver::This, Receiver::Super]
        .into_iter()
        .chain(types)
        .chain(objects)
}

fn concrete(program: &Program) -> impl Iterator<Item = TypeIndex> {
    let all = 0..program.types.len();
    all.filter(|index| program.types[*index].kind == Kind::Class)
}
