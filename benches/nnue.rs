//! The network: bringing accumulators up to date, adding them up from scratch, and the output layer.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sakijishi::board::{Position, Rules};
use sakijishi::eval::nnue::{BUCKETS, Network, Numbers, features};
use sakijishi::eval::{Evaluator, evaluate};
use sakijishi::notation::sfen;

fn network(columns: usize) -> Network {
    let mut dice = SmallRng::seed_from_u64(1);
    let mut draw = |count: usize, most: i16| -> Vec<i16> {
        (0..count)
            .map(|_| dice.random_range(-most..=most))
            .collect()
    };
    let numbers = Numbers {
        biases: draw(columns, 255),
        weights: draw(features::COUNT * columns, 60),
        output: draw(2 * BUCKETS * columns, 50),
        output_biases: [0; BUCKETS],
        divisor: 4000,
    };
    Network::new(&numbers).unwrap()
}

fn nnue(c: &mut Criterion) {
    for columns in [64, 128, 256] {
        let mut group = c.benchmark_group(format!("network of {columns} columns"));
        let network = network(columns);
        let mut position = Position::new(&sfen::start(), Rules::default()).unwrap();
        let expected = network.evaluate(&position);
        group.bench_function("from scratch", |b| {
            b.iter(|| assert_eq!(network.evaluate(black_box(&position)), expected));
        });
        let mut evaluator = Evaluator::new(Some(&network), &position, 1);
        let score = evaluate(&position, Some(&network));
        group.bench_function("output", |b| {
            b.iter(|| assert_eq!(evaluator.score(0, black_box(&position)), score));
        });
        let moves = position.moves();
        let scored: Vec<_> = moves
            .iter()
            .map(|&m| {
                let change = position.make(m);
                let score = evaluate(&position, Some(&network));
                position.unmake();
                (m, change, score)
            })
            .collect();
        let mut next = scored.iter().cycle();
        group.bench_function("make, update, output, unmake", |b| {
            b.iter(|| {
                if let Some((m, change, score)) = next.next() {
                    position.make(*m);
                    evaluator.make(0, change);
                    assert_eq!(evaluator.score(1, &position), *score);
                    position.unmake();
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, nnue);
criterion_main!(benches);
