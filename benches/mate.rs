//! The mate solver, with the answers that it must give.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sakijishi::board::{Position, Rules};
use sakijishi::mate::{Limits, Solver, Verdict};
use sakijishi::notation::sfen;

/// Name, position, plies of the shortest mate if there is one.
const PROBLEMS: [(&str, &str, Option<usize>); 3] = [
    (
        "lion and lone king",
        "12/12/11+O/12/7k4/12/12/12/12/12/12/12 b - 1",
        Some(15),
    ),
    (
        "lion and gold",
        "12/9+g2/12/8+O3/12/11k/12/12/12/12/12/12 b - 1",
        Some(13),
    ),
    (
        "no mate",
        "12/7x4/12/11+D/8+i3/6k3v1/12/12/12/12/12/12 b - 1",
        None,
    ),
];

fn problems(c: &mut Criterion) {
    let mut group = c.benchmark_group("mate");
    group.sample_size(10);
    let mut solver = Solver::new(1 << 26);
    let limits = Limits {
        shortest: true,
        ..Limits::default()
    };
    for (name, text, plies) in PROBLEMS {
        let setup = sfen::parse(text).unwrap();
        let position = Position::new(&setup, Rules::default()).unwrap();
        let nodes = solver.solve(&position, limits, &mut |_| {}).nodes;
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(name, |b| {
            b.iter(|| {
                let answer = solver.solve(black_box(&position), limits, &mut |_| {});
                match answer.verdict {
                    Verdict::Mate {
                        line,
                        minimal: true,
                    } => assert_eq!(Some(line.len()), plies),
                    verdict => assert_eq!((verdict, plies), (Verdict::NoMate, None)),
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, problems);
criterion_main!(benches);
