//! Functions of a program that are alike, side by side.
//!
//! gzip looks back 32 KiB, a program is forty times as long, and what is made of one generic stands far
//! apart in it. Nothing but the order of the functions changes.

use std::collections::{HashMap, VecDeque};
use std::num::NonZeroU64;

use anyhow::{Context as _, Result};
use wasm_encoder::reencode::{self, Reencode};
use wasmparser::{Payload, TypeRef};

/// Functions are compared by the runs of so many octets that they share.
const RUN: usize = 8;
/// Octets of code that are looked back on; the rest of gzip's window is for what was only like it. Which of
/// these is best, differs from program to program.
const WINDOWS: [usize; 4] = [20_000, 22_000, 24_000, 28_000];
/// What more functions than this share tells nothing.
const COMMON: usize = 400;
/// A small function is like many others by chance.
const SMALL: usize = 20;

/// The same program, its functions in an order that compresses better.
pub(crate) fn alike_together(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut imported = 0;
    let mut bodies = Vec::new();
    for payload in wasmparser::Parser::new(0).parse_all(wasm) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
    }
    let runs = shared_runs(&bodies);
    let mut best: Option<(usize, Vec<u8>)> = None;
    for window in WINDOWS {
        let order = order(&bodies, &runs, window);
        let mut places = vec![0; order.len()];
        for (place, &function) in (0..).zip(&order) {
            places[function] = place;
        }
        let mut module = wasm_encoder::Module::new();
        Moved { imported, order, places }
            .parse_core_module(&mut module, wasmparser::Parser::new(0), wasm)
            .context("the program's functions cannot be put in another order")?;
        let moved = module.finish();
        let size = packed(&moved)?;
        if best.as_ref().is_none_or(|(least, _)| size < *least) {
            best = Some((size, moved));
        }
    }
    best.map(|(_, moved)| moved).context("there is an order for each window")
}

/// How long a program is when it is packed, if not as well as can be.
fn packed(wasm: &[u8]) -> Result<usize> {
    let options = zopfli::Options { iteration_count: NonZeroU64::MIN, ..Default::default() };
    let mut packed = Vec::new();
    zopfli::compress(options, zopfli::Format::Gzip, wasm, &mut packed)?;
    Ok(packed.len())
}

/// Begins with the longest; each next is, octet for octet, the one most like those just before it.
/// `most` is how many octets are just before it.
fn order(bodies: &[&[u8]], runs: &[Vec<usize>], most: usize) -> Vec<usize> {
    let mut holders = vec![Vec::new(); runs.iter().flatten().max().map_or(0, |last| last + 1)];
    for (function, runs) in runs.iter().enumerate() {
        for &run in runs {
            holders[run].push(function);
        }
    }
    let mut in_window = vec![0_u32; holders.len()];
    // How many runs of each function the window has.
    let mut score = vec![0_usize; bodies.len()];
    let mut window = VecDeque::new();
    let mut size = 0;
    let mut left: Vec<_> = (0..bodies.len()).collect();
    let mut order = Vec::with_capacity(bodies.len());
    let likeness = |score: usize, function: usize| score as f64 / (bodies[function].len() + SMALL) as f64;
    while !left.is_empty() {
        let best = |a: &usize, b: &usize| {
            let by_length = || bodies[*a].len().cmp(&bodies[*b].len());
            let by_likeness = likeness(score[*a], *a).total_cmp(&likeness(score[*b], *b));
            by_likeness.then_with(by_length).then(b.cmp(a))
        };
        let Some(&next) = left.iter().max_by(|a, b| best(a, b)) else { break };
        left.retain(|&function| function != next);
        order.push(next);
        window.push_back(next);
        size += bodies[next].len();
        for &run in &runs[next] {
            in_window[run] += 1;
            if in_window[run] == 1 {
                holders[run].iter().for_each(|&function| score[function] += 1);
            }
        }
        while size > most && window.len() > 1 {
            let Some(gone) = window.pop_front() else { break };
            size -= bodies[gone].len();
            for &run in &runs[gone] {
                in_window[run] -= 1;
                if in_window[run] == 0 {
                    holders[run].iter().for_each(|&function| score[function] -= 1);
                }
            }
        }
    }
    order
}

/// The runs of each function that others have as well, as numbers.
fn shared_runs(bodies: &[&[u8]]) -> Vec<Vec<usize>> {
    let runs: Vec<Vec<&[u8]>> = bodies
        .iter()
        .map(|body| {
            let mut runs: Vec<_> = body.windows(RUN).collect();
            runs.sort_unstable();
            runs.dedup();
            runs
        })
        .collect();
    let mut held: HashMap<&[u8], usize> = HashMap::new();
    for &run in runs.iter().flatten() {
        *held.entry(run).or_default() += 1;
    }
    let mut numbers: HashMap<&[u8], usize> = HashMap::new();
    let is_shared = |run: &&[u8]| (2..=COMMON).contains(&held[run]);
    let number = |run| {
        let next = numbers.len();
        *numbers.entry(run).or_insert(next)
    };
    let mut number = number;
    runs.into_iter().map(|runs| runs.into_iter().filter(is_shared).map(&mut number).collect()).collect()
}

struct Moved {
    imported: u32,
    order: Vec<usize>,
    /// Where each function of the old order stands in the new one.
    places: Vec<u32>,
}

impl Reencode for Moved {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, reencode::Error> {
        let own = function.checked_sub(self.imported);
        Ok(own.map_or(function, |own| self.imported + self.places[own as usize]))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut wasm_encoder::FunctionSection,
        section: wasmparser::FunctionSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        let types = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for &function in &self.order {
            functions.function(types[function]);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut wasm_encoder::CodeSection,
        section: wasmparser::CodeSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for function in self.order.clone() {
            self.parse_function_body(code, bodies[function].clone())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_order(bodies: &[&[u8]]) -> Vec<usize> {
        order(bodies, &shared_runs(bodies), WINDOWS[0])
    }

    #[test]
    fn the_next_is_the_one_most_like_those_before_it() {
        let (long, like, other) = ([1, 2, 3, 4, 5, 6, 7, 8].repeat(4), [9; 20], [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(in_order(&[&like, &other, &long]), [2, 1, 0]);
        assert_eq!(in_order(&[]), [0; 0]);
    }

    #[test]
    fn a_program_in_another_order_calls_the_same_functions() {
        // (import "" "f" (func)) and three functions: call 2, call 3, call 0; the longest is exported.
        let mut module = wasm_encoder::Module::new();
        let mut types = wasm_encoder::TypeSection::new();
        types.ty().function([], []);
        let mut imports = wasm_encoder::ImportSection::new();
        imports.import("", "f", wasm_encoder::EntityType::Function(0));
        let mut functions = wasm_encoder::FunctionSection::new();
        let mut code = wasm_encoder::CodeSection::new();
        for (callee, nops) in [(2, 0), (3, 9), (0, 4)] {
            functions.function(0);
            let mut body = wasm_encoder::Function::new([]);
            for _ in 0..nops {
                body.instructions().nop();
            }
            body.instructions().call(callee).end();
            code.function(&body);
        }
        let mut exports = wasm_encoder::ExportSection::new();
        exports.export("long", wasm_encoder::ExportKind::Func, 2);
        module.section(&types).section(&imports).section(&functions).section(&exports).section(&code);

        let moved = alike_together(&module.finish()).unwrap();
        let mut calls = Vec::new();
        let mut exported = None;
        for payload in wasmparser::Parser::new(0).parse_all(&moved) {
            match payload.unwrap() {
                Payload::ExportSection(exports) => {
                    exported = Some(exports.into_iter().next().unwrap().unwrap().index);
                }
                Payload::CodeSectionEntry(body) => {
                    let mut operators = body.get_operators_reader().unwrap().into_iter();
                    let call = operators.find_map(|operator| match operator.unwrap() {
                        wasmparser::Operator::Call { function_index } => Some(function_index),
                        _ => None,
                    });
                    calls.push((body.as_bytes().len(), call.unwrap()));
                }
                _ => {}
            }
        }
        // The longest first, then those that are like it: the chain of calls is what it was.
        assert_eq!(exported, Some(1));
        let longest = calls[0];
        assert_eq!(longest.0, 13);
        let third = calls[longest.1 as usize - 1];
        assert_eq!(third, (8, 0));
        let first = calls.iter().find(|call| call.0 == 4).unwrap();
        assert_eq!(first.1, 1);
    }
}
