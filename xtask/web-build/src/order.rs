//! The order of a module's functions: those that look alike stand beside each other.
//!
//! Who loads the module loads it gzipped, and gzip sees only the 32 kB before what it packs. The compiler's copies of one function for several types
//! differ in few bytes and stand anywhere; side by side, each costs little more than its difference. What the module does is not touched: functions
//! change their numbers, and every mention of a number with them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::convert::Infallible;

use wasm_encoder::reencode::{self, Reencode, utils};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{CodeSectionReader, FunctionSectionReader, Parser, Payload, TypeRef};

/// The length of the pieces by which functions are compared, in bytes: two or three instructions.
const PIECE: usize = 6;

/// Of a large function one piece in so many is looked at, chosen by its hash: the same pieces in every function.
const SAMPLE: u64 = 2;

/// A function of at most this many bytes is looked at in every piece.
const SMALL: usize = 256;

/// A piece that so many functions have says nothing about them.
const COMMON: usize = 100;

/// So many of the last functions are what the next one is compared with.
const RECENT: usize = 12;

/// The module with its functions in a better order.
pub fn reordered(module: &[u8]) -> Result<Vec<u8>, reencode::Error<Infallible>> {
    let mut imported = 0;
    let mut bodies = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(&module[body.range()]),
            _ => {}
        }
    }
    let mut order = Order { imported, old: alike(&bodies), new: vec![0; bodies.len()] };
    for (new, old) in order.old.iter().enumerate() {
        order.new[*old] = new as u32;
    }
    let mut fresh = Module::new();
    order.parse_core_module(&mut fresh, Parser::new(0), module)?;
    Ok(fresh.finish())
}

/// Which function stands where.
struct Order {
    /// How many functions are imported: they come first, and keep their numbers.
    imported: u32,
    /// The old place of each, in the new order.
    old: Vec<usize>,
    /// The new place of each, in the old order.
    new: Vec<u32>,
}

impl Reencode for Order {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, reencode::Error<Infallible>> {
        let own = function.checked_sub(self.imported).and_then(|own| self.new.get(own as usize));
        Ok(own.map_or(function, |new| self.imported + new))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), reencode::Error<Infallible>> {
        let types = section.into_iter().collect::<Result<Vec<u32>, _>>()?;
        for old in &self.old {
            functions.function(types[*old]);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), reencode::Error<Infallible>> {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for old in self.old.clone() {
            utils::parse_function_body(self, code, bodies[old].clone())?;
        }
        Ok(())
    }
}

/// An order in which each function is the one, of those that are left, that is most like the last ones; where none is, the largest.
fn alike(bodies: &[&[u8]]) -> Vec<usize> {
    let pieces: Vec<BTreeSet<u64>> = bodies.iter().map(|body| pieces(body)).collect();
    let mut having: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (function, pieces) in pieces.iter().enumerate() {
        pieces.iter().for_each(|piece| having.entry(*piece).or_default().push(function));
    }
    having.retain(|_, functions| (2..=COMMON).contains(&functions.len()));
    let mut largest: Vec<usize> = (0..bodies.len()).collect();
    largest.sort_by_key(|function| std::cmp::Reverse(bodies[*function].len()));
    let mut largest = largest.into_iter();
    let mut is_placed = vec![false; bodies.len()];
    let mut order = Vec::with_capacity(bodies.len());
    let mut recent: VecDeque<usize> = VecDeque::new();
    while let Some(next) =
        most_like(&recent, &pieces, &having, &is_placed).or_else(|| largest.find(|function| !is_placed[*function]))
    {
        is_placed[next] = true;
        order.push(next);
        recent.push_back(next);
        if recent.len() > RECENT {
            recent.pop_front();
        }
    }
    order
}

/// The function that shares the largest part of its pieces with the recent ones, if it is more than a twelfth.
fn most_like(
    recent: &VecDeque<usize>,
    pieces: &[BTreeSet<u64>],
    having: &BTreeMap<u64, Vec<usize>>,
    is_placed: &[bool],
) -> Option<usize> {
    let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
    for piece in recent.iter().flat_map(|function| &pieces[*function]) {
        for function in having.get(piece).into_iter().flatten().filter(|function| !is_placed[**function]) {
            *shared.entry(*function).or_default() += 1;
        }
    }
    // In thousandths. A function of few pieces is easily like another.
    let likeness = |function: usize, shared: usize| shared * 1_000 / (pieces[function].len() + 4);
    let (most, function) = shared.into_iter().map(|(function, shared)| (likeness(function, shared), function)).max()?;
    (most > 80).then_some(function)
}

/// Some of the pieces of a function, by their hashes.
fn pieces(body: &[u8]) -> BTreeSet<u64> {
    let hashes = body.windows(PIECE).map(hash);
    hashes.filter(|hash| body.len() <= SMALL || hash.is_multiple_of(SAMPLE)).collect()
}

/// FNV-1a, and its upper half folded in.
fn hash(bytes: &[u8]) -> u64 {
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use wasm_encoder::{ExportKind, ExportSection, Function, TypeSection, ValType};
    use wasmparser::{ExternalKind, Operator};

    use super::*;

    /// Functions that return these numbers, each exported under its number, each through a call of the one before.
    fn module(numbers: &[i32]) -> Vec<u8> {
        let (mut types, mut functions, mut exports, mut code) =
            (TypeSection::new(), FunctionSection::new(), ExportSection::new(), CodeSection::new());
        types.ty().function([], [ValType::I32]);
        for (place, number) in (0..).zip(numbers) {
            functions.function(0);
            exports.export(&number.to_string(), ExportKind::Func, place);
            let mut function = Function::new([]);
            let mut body = function.instructions();
            if place > 0 {
                body.call(place - 1).drop();
            }
            // Two kinds, in turn.
            (0..20).for_each(|step| {
                body.i32_const(if place % 2 == 0 { 1_000_000 + step } else { -step * 9_999 }).drop();
            });
            body.i32_const(*number).end();
            code.function(&function);
        }
        let mut module = Module::new();
        module.section(&types).section(&functions).section(&exports).section(&code);
        module.finish()
    }

    /// By a function's name: its last number, and that of the function which it calls.
    type Meanings = BTreeMap<String, (i32, Option<i32>)>;

    /// The last number of each function, in the module's order, and what their names mean.
    fn read(module: &[u8]) -> (Vec<i32>, Meanings) {
        let (mut last, mut called, mut exports) = (Vec::new(), Vec::new(), Vec::new());
        for payload in Parser::new(0).parse_all(module) {
            match payload.expect("a module") {
                Payload::CodeSectionEntry(body) => {
                    let (mut number, mut calls) = (0, None);
                    for operator in body.get_operators_reader().expect("a body") {
                        match operator.expect("an operator") {
                            Operator::I32Const { value } => number = value,
                            Operator::Call { function_index } => calls = Some(function_index as usize),
                            _ => {}
                        }
                    }
                    last.push(number);
                    called.push(calls);
                }
                Payload::ExportSection(section) => exports.extend(section.into_iter().map(|export| {
                    let export = export.expect("an export");
                    assert_eq!(export.kind, ExternalKind::Func);
                    (export.name.to_owned(), export.index as usize)
                })),
                _ => {}
            }
        }
        let by_name =
            exports.into_iter().map(|(name, place)| (name, (last[place], called[place].map(|place| last[place]))));
        let by_name = by_name.collect();
        (last, by_name)
    }

    #[test]
    fn what_looks_alike_stands_together_and_every_name_and_call_means_what_it_meant() {
        let before = module(&[10, 20, 30, 40, 50, 60]);
        let after = reordered(&before).expect("a module");
        assert_eq!(after.len(), before.len());
        let ((_, meant), (order, means)) = (read(&before), read(&after));
        assert_eq!(meant, means);
        assert_eq!(meant["20"], (20, Some(10)));
        let kinds: Vec<bool> = order.iter().map(|number| number % 20 == 0).collect();
        assert!(kinds[..3].iter().all(|kind| *kind == kinds[0]), "{order:?}");
        assert!(kinds[3..].iter().all(|kind| *kind != kinds[0]), "{order:?}");
    }
}
