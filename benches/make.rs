//! Making and taking back moves.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sakijishi::board::{Position, RuleSet, Rules};
use sakijishi::eval::material::Accumulator;
use sakijishi::notation::sfen;
use std::hint::black_box;

fn start() -> Position {
    Position::new(&sfen::start(), Rules::from(RuleSet::Lishogi)).unwrap()
}

fn make(c: &mut Criterion) {
    let mut position = start();
    let (key, moves) = (position.key(), position.moves());
    let mut group = c.benchmark_group("make");
    group.throughput(Throughput::Elements(moves.len() as u64));
    group.bench_function("make and unmake", |b| {
        b.iter(|| {
            for &m in &moves {
                position.make(black_box(m));
                position.unmake();
            }
            assert_eq!(position.key(), key);
        });
    });
    let sums = Accumulator::new(&position);
    group.bench_function("make, evaluate and unmake", |b| {
        b.iter(|| {
            let mut total = 0;
            for &m in &moves {
                let after = sums.after(&position.make(black_box(m)));
                total += after.score(position.turn()).signum();
                position.unmake();
            }
            assert_eq!(position.key(), key);
            black_box(total)
        });
    });
}

fn evaluate(c: &mut Criterion) {
    let position = start();
    c.bench_function("evaluate from scratch", |b| {
        b.iter(|| {
            let sums = Accumulator::new(black_box(&position));
            assert_eq!(sums.score(position.turn()), 15);
        });
    });
}

criterion_group!(benches, make, evaluate);
criterion_main!(benches);
