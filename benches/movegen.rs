//! Move generation and perft, with the counts they must give.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sakijishi::board::{MoveList, Position, RuleSet, Rules, Stage, perft};
use sakijishi::notation::sfen;
use std::hint::black_box;

const MIDDLEGAME: &str = "lfcsg2gso1l/a1bdtet2fc1/2r2q1k1r1a/mv1x+P1+Pp1bvm/3p3d2pp/1Q4h1p2h/\
                          P1piD5PP/5B2iPV1/2HP1ONPP3/MCVTED1GBT1M/A1S4XH1RA/LF1RGK2SCFL w - 142";

fn position(text: &str) -> Position {
    let setup = sfen::parse(text).unwrap();
    Position::new(&setup, Rules::from(RuleSet::Lishogi)).unwrap()
}

fn generation(c: &mut Criterion) {
    let position = position(MIDDLEGAME);
    for (name, stage, count) in [
        ("all", Stage::All, 113),
        ("tactical", Stage::Tactical, 19),
        ("quiet", Stage::Quiet, 94),
    ] {
        let mut list = MoveList::new();
        c.bench_function(&format!("generate {name}"), |b| {
            b.iter(|| {
                list.clear();
                black_box(&position).generate(stage, &mut list);
                assert_eq!(list.len(), count);
            });
        });
    }
    c.bench_function("is_legal", |b| {
        let moves = position.moves();
        b.iter(|| assert!(moves.iter().all(|&m| black_box(&position).is_legal(m))));
    });
}

fn leaves(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    group.sample_size(10);
    for (name, text, depth, leaves) in [
        ("start 4", sfen::START, 4, 1_801_639),
        ("start 5", sfen::START, 5, 71_548_181),
        ("middlegame 2", MIDDLEGAME, 2, 13_869),
    ] {
        let mut position = position(text);
        group.throughput(Throughput::Elements(leaves));
        group.bench_function(name, |b| {
            b.iter(|| assert_eq!(perft(&mut position, depth), leaves));
        });
    }
}

criterion_group!(benches, generation, leaves);
criterion_main!(benches);
