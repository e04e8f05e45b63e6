//! A small program for tests: two classes in two packages, an interface and a class below it.

use super::{
    Access, Body, Expression, Field, Kind, Method, Package, Program, Receiver, Statement, Type,
    ValueType,
};

/// `A` with two fields and overloads, `B` below it in the other package, the interface `C`, and
/// `D` below that.
pub(crate) fn sample() -> Program {
    Program {
        types: vec![upper(), lower(), interface(), implementing()],
        grafts: Vec::new(),
        surroundings: Vec::new(),
        absent: std::collections::BTreeSet::new(),
    }
}

fn upper() -> Type {
    let number = |name: &str, is_static: bool, value: i64| Field {
        name: name.to_owned(),
        value_type: ValueType::Int,
        is_static,
        is_final: false,
        initial: Some(Expression::Constant(ValueType::Int, value)),
    };
    let assigning = Body {
        statements: vec![assign(Receiver::This, "f", 20)],
        result: Expression::Constant(ValueType::Int, 2),
    };
    let calling = Expression::Call {
        on: Receiver::This,
        name: "m".to_owned(),
        argument: Some(Box::new(Expression::Constant(ValueType::Int, 3))),
    };
    Type {
        fields: vec![number("f", false, 10), number("g", true, 11)],
        static_initialiser: vec![assign(Receiver::Type(0), "g", 12)],
        methods: vec![
            method("m", Expression::Constant(ValueType::Int, 1)),
            Method {
                parameter: Some(ValueType::Long),
                body: Some(assigning),
                ..method("m", Expression::Parameter)
            },
            Method {
                access: Access::Private,
                result: ValueType::Long,
                ..method("n", calling)
            },
        ],
        ..Type::new("A", Kind::Class)
    }
}

fn lower() -> Type {
    let above = Expression::Call {
        on: Receiver::Super,
        name: "m".to_owned(),
        argument: None,
    };
    Type {
        package: Package::Sub,
        superclass: Some(0),
        methods: vec![method("m", above)],
        ..Type::new("B", Kind::Class)
    }
}

fn interface() -> Type {
    Type {
        fields: vec![Field {
            name: "f".to_owned(),
            value_type: ValueType::Boolean,
            is_static: true,
            is_final: true,
            initial: Some(Expression::Computed(ValueType::Boolean, 1)),
        }],
        methods: vec![Method {
            result: ValueType::Object(0),
            body: None,
            ..method("o", Expression::This)
        }],
        ..Type::new("C", Kind::Interface)
    }
}

fn implementing() -> Type {
    Type {
        interfaces: vec![2],
        methods: vec![
            Method {
                result: ValueType::Object(0),
                ..method("o", Expression::New(1))
            },
            Method {
                is_static: true,
                parameter: Some(ValueType::Int),
                ..method("m", Expression::Parameter)
            },
        ],
        ..Type::new("D", Kind::Class)
    }
}

/// A public method that returns an int.
pub(crate) fn method(name: &str, result: Expression) -> Method {
    Method {
        name: name.to_owned(),
        access: Access::Public,
        is_static: false,
        parameter: None,
        result: ValueType::Int,
        body: Some(Body::returning(result)),
    }
}

fn assign(on: Receiver, field: &str, value: i64) -> Statement {
    Statement::Assign {
        on,
        field: field.to_owned(),
        value: Expression::Constant(ValueType::Int, value),
    }
}
