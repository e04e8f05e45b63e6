//! Whether every method and constructor comes to an end.
//!
//! A program that recurses for ever only fills the stack, which says nothing about a tool. Calls
//! are followed by signature, since any override may be meant; static initialisers run once and are
//! left out.

use super::{Body, Expression, Method, Program, Receiver, Scope, TypeIndex, ValueType};

/// What runs: a method by its signature, or the constructor of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Node<'a> {
    Signature(&'a str, Option<ValueType>),
    Constructor(TypeIndex),
}

/// Where the search stands with a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Done,
}

impl Program {
    /// Whether no method can come back to itself.
    pub(crate) fn terminates(&self) -> bool {
        let mut states = Vec::new();
        let constructors = (0..self.types.len()).map(Node::Constructor);
        let methods = self.types.iter().flat_map(|part| &part.methods);
        let signatures = methods.map(|m| Node::Signature(&m.name, m.parameter));
        constructors
            .chain(signatures)
            .all(|node| self.ends(&node, &mut states))
    }

    fn ends<'a>(&'a self, node: &Node<'a>, states: &mut Vec<(Node<'a>, State)>) -> bool {
        if let Some((_, state)) = states.iter().find(|(known, _)| known == node) {
            return *state == State::Done;
        }
        let at = states.len();
        states.push((node.clone(), State::Open));
        let next = self.runs_next(node);
        let all_end = next.iter().all(|next| self.ends(next, states));
        states[at].1 = State::Done;
        all_end
    }

    /// What a node may run.
    fn runs_next<'a>(&'a self, node: &Node<'a>) -> Vec<Node<'a>> {
        match node {
            Node::Constructor(index) => self.run_by_constructor(*index),
            Node::Signature(name, parameter) => {
                let has_signature =
                    |method: &Method| method.name == *name && method.parameter == *parameter;
                let mut found = Vec::new();
                for (owner, part) in self.types.iter().enumerate() {
                    for method in part.methods.iter().filter(|m| has_signature(m)) {
                        let scope = Scope::of(owner, method);
                        for expression in method.body.iter().flat_map(Body::expressions) {
                            self.run_by_expression(expression, scope, &mut found);
                        }
                    }
                }
                found
            }
        }
    }

    fn run_by_constructor(&self, index: TypeIndex) -> Vec<Node<'_>> {
        let part = &self.types[index];
        let mut found: Vec<_> = part.superclass.into_iter().map(Node::Constructor).collect();
        let scope = Scope {
            owner: index,
            is_static: false,
            parameter: None,
        };
        for field in part.fields.iter().filter(|field| !field.is_static) {
            if let Some(initial) = &field.initial {
                self.run_by_expression(initial, scope, &mut found);
            }
        }
        found
    }

    fn run_by_expression<'a>(
        &'a self,
        expression: &'a Expression,
        scope: Scope,
        found: &mut Vec<Node<'a>>,
    ) {
        expression.visit(&mut |part| {
            if let Some(Receiver::New(index)) = part.receiver() {
                found.push(Node::Constructor(index));
            }
            match part {
                Expression::New(index) => found.push(Node::Constructor(*index)),
                Expression::Call { on, name, argument } => {
                    let argument = argument.as_ref().and_then(|a| self.type_of(a, scope));
                    let Some((_, called)) = self.method_on(*on, name, argument, scope) else {
                        return;
                    };
                    // A call of `super` with the caller's own signature goes up, and so ends.
                    let is_up = *on == Receiver::Super && self.calls_own(scope, called);
                    if !is_up {
                        found.push(Node::Signature(&called.name, called.parameter));
                    }
                }
                _ => {}
            }
        });
    }

    /// Whether a method called by way of `super` is one that the caller's type declares anew with
    /// the caller's parameter.
    fn calls_own(&self, scope: Scope, called: &Method) -> bool {
        let mut own = self.types[scope.owner].methods.iter();
        own.any(|method| method.has_signature_of(called) && method.parameter == scope.parameter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::sample::sample;

    fn terminates(change: impl FnOnce(&mut Program)) -> bool {
        let mut program = sample();
        change(&mut program);
        program.terminates()
    }

    fn call(on: Receiver) -> Expression {
        Expression::Call {
            on,
            name: "m".to_owned(),
            argument: None,
        }
    }

    #[test]
    fn a_call_of_super_goes_up() {
        assert!(terminates(|_| {}));
    }

    #[test]
    fn methods_that_call_themselves() {
        for on in [Receiver::This, Receiver::New(0), Receiver::New(1)] {
            assert!(!terminates(|program| {
                program.types[0].methods[0].body = Some(Body::returning(call(on)));
            }));
        }
    }

    #[test]
    fn objects_that_make_objects() {
        assert!(!terminates(|program| {
            program.types[0].fields[0].value_type = ValueType::Object(0);
            program.types[0].fields[0].initial = Some(Expression::New(1));
        }));
    }

    #[test]
    fn a_static_field_is_initialised_once() {
        assert!(terminates(|program| {
            program.types[0].fields[1].value_type = ValueType::Object(0);
            program.types[0].fields[1].initial = Some(Expression::New(1));
        }));
    }
}
