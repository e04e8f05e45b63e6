//! Private synthetic methods whose names only number them, such as `lambda$f$3`.
//!
//! javac numbers the bodies of lambdas through the whole class: one lambda more renumbers all behind
//! it. The number means nothing, so such a method is known by its content, and whoever names it
//! names its content. Only *private* methods may be treated so: other classes name the rest by their
//! names, and two accessors that swap their numbers swap their callers' meaning.
//!
//! Where the name itself can be seen it is kept: when it stands as a string in the class (the
//! serialised form of lambdas holds it), and where debug information counts.

use std::collections::{HashMap, HashSet};

use tamis_facts::Checksum;

use super::context::Context;
use crate::access_flags::AccessFlags;
use crate::attribute::AttributeContent;
use crate::class_file::Method;
use crate::constant_pool::{Constant, Member};
use crate::error::{Error, Result};
use crate::instruction::instructions;

/// The methods known by content: name and descriptor to checksum.
#[derive(Default)]
pub(super) struct Contents<'c> {
    by_name: HashMap<(&'c [u8], &'c [u8]), Checksum>,
}

/// References between such methods are followed up to this many; a class with more keeps its names.
const MAX_REFERENCES: usize = 1 << 20;

/// Methods in circles are gone over as often as there are methods; no compiler is known to make any.
const MAX_IN_CIRCLES: usize = 64;

impl Contents<'_> {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// The content behind a reference, if it names a method of this class that is known so.
    #[inline]
    pub(super) fn of_reference(&self, this_class: &[u8], member: Member<'_>) -> Option<Checksum> {
        // Asked first, because it does not read long names.
        without_number(member.name)?;
        if member.owner != this_class {
            return None;
        }
        self.by_name.get(&(member.name, member.descriptor)).copied()
    }
}

impl<'c> Context<'c> {
    /// The content of a method that is known by it.
    pub(super) fn content_of(&self, method: &Method<'_>) -> Result<Option<Checksum>> {
        let key = (
            self.pool().utf8(method.name)?,
            self.pool().utf8(method.descriptor)?,
        );
        if without_number(key.0).is_none() {
            return Ok(None);
        }
        Ok(self.contents.by_name.get(&key).copied())
    }

    /// Computes the contents, of methods that name others after those others; then those of methods
    /// that name each other in a circle, and of those that name one of these.
    pub(super) fn find_contents(&mut self) -> Result<()> {
        let candidates = self.candidates()?;
        if candidates.is_empty() {
            return Ok(());
        }
        let Some(references) = self.references_between(&candidates)? else {
            return Ok(());
        };
        let order = dependencies_first(&references);
        for position in &order {
            let content = self.content(candidates[*position])?;
            self.insert(candidates[*position], content)?;
        }
        if order.len() < candidates.len() {
            self.find_contents_in_circles(&candidates, &order)?;
        }
        Ok(())
    }

    /// In a circle the others stand first by their numberless names alone, then, round by round, by
    /// the contents found in the round before. No number shows, and after as many rounds as there
    /// are methods two of them have equal contents only if all that can be reached from them is
    /// equal too.
    fn find_contents_in_circles(
        &mut self,
        candidates: &[&'c Method<'c>],
        known: &[usize],
    ) -> Result<()> {
        let known: HashSet<usize> = known.iter().copied().collect();
        let left: Vec<_> = (0..candidates.len())
            .filter(|position| !known.contains(position))
            .map(|position| candidates[position])
            .collect();
        if left.len() > MAX_IN_CIRCLES {
            let message = "too many numbered methods name each other in circles";
            return Err(Error::unsupported(None, message));
        }
        for method in &left {
            let mut name = Vec::new();
            self.put_numberless(method, &mut name)?;
            self.insert(method, self.digest.digest(&name))?;
        }
        for _ in 0..left.len() {
            let contents: Vec<_> = left
                .iter()
                .map(|method| self.content(method))
                .collect::<Result<_>>()?;
            for (method, content) in left.iter().zip(contents) {
                self.insert(method, content)?;
            }
            // Some were made of the contents of the round before.
            self.bootstrap_checksums.borrow_mut().fill(None);
        }
        Ok(())
    }

    fn content(&self, method: &Method<'_>) -> Result<Checksum> {
        let mut bytes = Vec::new();
        self.put_content(method, &mut bytes)?;
        Ok(self.digest.digest(&bytes))
    }

    fn insert(&mut self, method: &'c Method<'c>, content: Checksum) -> Result<()> {
        let key = (
            self.pool().utf8(method.name)?,
            self.pool().utf8(method.descriptor)?,
        );
        self.contents.by_name.insert(key, content);
        Ok(())
    }

    fn candidates(&self) -> Result<Vec<&'c Method<'c>>> {
        let mut candidates = Vec::new();
        for method in &self.class.methods {
            if is_private_synthetic(method)
                && without_number(self.pool().utf8(method.name)?).is_some()
            {
                candidates.push(method);
            }
        }
        if !candidates.is_empty() {
            let strings = self.strings();
            candidates.retain(|m| self.pool().utf8(m.name).is_ok_and(|n| !strings.contains(n)));
        }
        Ok(candidates)
    }

    /// The texts of all String constants.
    fn strings(&self) -> HashSet<&'c [u8]> {
        let text = |constant: &Constant<'_>| match constant {
            Constant::String(index) => self.pool().utf8(*index).ok(),
            _ => None,
        };
        self.pool()
            .iter()
            .filter_map(|(_, constant)| text(constant))
            .collect()
    }

    /// By position among the candidates: which of them each one names; none when there are too many.
    fn references_between(&self, candidates: &[&'c Method<'c>]) -> Result<Option<Vec<Vec<usize>>>> {
        let mut positions = HashMap::new();
        for (position, method) in candidates.iter().enumerate() {
            let key = (
                self.pool().utf8(method.name)?,
                self.pool().utf8(method.descriptor)?,
            );
            positions.insert(key, position);
        }
        let mut n_left = MAX_REFERENCES;
        let mut all = Vec::with_capacity(candidates.len());
        for method in candidates {
            let mut named = Vec::new();
            self.visit_members(method, &mut n_left, |member| {
                if member.owner == self.name {
                    named.extend(positions.get(&(member.name, member.descriptor)));
                }
            })?;
            if n_left == 0 {
                return Ok(None);
            }
            all.push(named);
        }
        Ok(Some(all))
    }

    /// Visits all members that a method's code names, through bootstrap arguments too.
    fn visit_members(
        &self,
        method: &Method<'_>,
        n_left: &mut usize,
        mut visit: impl FnMut(Member<'c>),
    ) -> Result<()> {
        let Some(code) = method.code() else {
            return Ok(());
        };
        let mut seen_bootstraps = HashSet::new();
        let mut stack = Vec::new();
        for instruction in instructions(&code.instructions) {
            stack.extend(instruction?.constant());
            while let Some(index) = stack.pop() {
                if *n_left == 0 {
                    return Ok(());
                }
                *n_left -= 1;
                match self.pool().get(index)? {
                    Constant::MethodRef(_) | Constant::InterfaceMethodRef(_) => {
                        visit(self.pool().member(index)?);
                    }
                    Constant::MethodHandle { reference, .. } => stack.push(*reference),
                    Constant::Dynamic(dynamic) | Constant::InvokeDynamic(dynamic)
                        if seen_bootstraps.insert(dynamic.bootstrap) =>
                    {
                        let bootstrap = self.bootstrap_method(dynamic.bootstrap)?;
                        stack.push(bootstrap.method);
                        stack.extend(bootstrap.arguments.iter().map(|a| a.index));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// Whether no other class has a reason to name the method, and no programmer wrote it.
fn is_private_synthetic(method: &Method<'_>) -> bool {
    method.access_flags.contains(AccessFlags::PRIVATE)
        && (method.access_flags.contains(AccessFlags::SYNTHETIC)
            || method
                .attributes
                .iter()
                .any(|a| a.content == AttributeContent::Synthetic))
}

/// Longer names keep their numbers: each method stands with its whole name.
const LONGEST_NUMBERED_NAME: usize = 512;

/// `lambda$f$` of `lambda$f$12`; none when the name does not end in a number behind a dollar sign.
pub(super) fn without_number(name: &[u8]) -> Option<&[u8]> {
    if name.len() > LONGEST_NUMBERED_NAME {
        return None;
    }
    let n_digits = name
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let prefix = &name[..name.len() - n_digits];
    (n_digits > 0 && prefix.last() == Some(&b'$')).then_some(prefix)
}

/// The positions in an order in which each comes after all that it names; those in circles, and
/// those that name them, are left out.
fn dependencies_first(references: &[Vec<usize>]) -> Vec<usize> {
    let mut n_open: Vec<usize> = references.iter().map(Vec::len).collect();
    let mut named_by = vec![Vec::new(); references.len()];
    for (position, named) in references.iter().enumerate() {
        for n in named {
            named_by[*n].push(position);
        }
    }
    let mut order: Vec<usize> = (0..references.len()).filter(|p| n_open[*p] == 0).collect();
    let mut next = 0;
    while let Some(position) = order.get(next).copied() {
        next += 1;
        for dependent in &named_by[position] {
            n_open[*dependent] -= 1;
            if n_open[*dependent] == 0 {
                order.push(*dependent);
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_cut_off_behind_a_dollar_sign_only() {
        assert_eq!(without_number(b"lambda$f$12"), Some(&b"lambda$f$"[..]));
        assert_eq!(without_number(b"lambda$0"), Some(&b"lambda$"[..]));
        assert_eq!(without_number(b"f12"), None);
        assert_eq!(without_number(b"$VALUES"), None);
        assert_eq!(without_number(b"12"), None);
        assert_eq!(without_number(&[&[b'x'; 512][..], b"$1"].concat()), None);
    }

    #[test]
    fn circles_and_what_leads_into_them_are_left_out() {
        // 0 names 1; 1 names nothing; 2 and 3 name each other; 4 names 2.
        let order = dependencies_first(&[vec![1], vec![], vec![3], vec![2], vec![2]]);
        assert_eq!(order, [1, 0]);
    }
}
