//! Search speed: the bench positions at a small depth, and a few positions for a fixed number of nodes.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sakijishi::board::{Game, RuleSet};
use sakijishi::engine::{Engine, Limits, bench};
use sakijishi::notation::sfen;

const NODES: u64 = 200_000;

const POSITIONS: [(&str, &str); 6] = [
    ("start", sfen::START),
    (
        "opening",
        "lfcsgekgscfl/a1b1txo1tb1a/mvrhdqndhrvm/p1ppp1pppppp/1p1i1p2i3/12/12/3IP3IP2/PPPPNPPPP1PP/MVRHD1QDHRVM/A1BTSOXTGB1A/LFC1GKE1SCFL w - 12",
    ),
    (
        "middlegame 1",
        "lfcs1ekn2fl/avbgtQo2sca/m1rh3dt2m/ppppd1p1p1p1/4pp1p3p/12/12/3PP3X1P1/PPP2PPP1P1q/MVR1DTT1HR1M/AC1GKO2DB1A/LF1S2EGSCFL w - 50",
    ),
    (
        "middlegame 2",
        "lf1sgek1g1bl/avb1tx2scfa/+Amrhc1t2rvm/3p1po2dpp/1p1i4pp2/2p9/7p4/8P3/1PPPPP5P/M1RH1N1TS3/1VBOTDX1GR1A/LFCSGKE1BCFL w - 104",
    ),
    (
        "middlegame 3",
        "lf1sgeg1s1fl/4tx1t1c1a/a4k1h1rvm/p2p1ppbpp2/1p1c4i2p/10p1/7P4/P5PXIP1P/1P3PT1PRP1/M1V5DHVM/AC1S3T1SCA/LF3KEG3L w - 100",
    ),
    (
        "middlegame 4",
        "l2s1xkgsc1l/4geo1db1a/m6thrvf/p+R6pp2/6pp2p1/7Pi3/12/1PN9/P3PPP5/MVCH2X5/A1BG1OT5/LF1S1KE5 w - 86",
    ),
];

fn speed(c: &mut Criterion) {
    let mut group = c.benchmark_group("search");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(NODES));
    let mut engine = Engine::new();
    engine.set_option("Rules", RuleSet::Lishogi.word()).unwrap();
    engine.set_option("USI_Hash", "16").unwrap();
    // What the mate solver looks at is not the search's.
    engine.set_option("Mate_Nodes", "0").unwrap();
    for (name, text) in POSITIONS {
        let game = Game::new(sfen::parse(text).unwrap(), engine.rules()).unwrap();
        let limits = Limits {
            nodes: Some(NODES),
            ..Limits::default()
        };
        group.bench_function(name, |b| {
            b.iter_batched(
                || {},
                |()| {
                    engine.new_game();
                    engine.set_game(game.clone());
                    let report = engine.search(&limits);
                    assert_eq!(report.nodes, NODES);
                    assert!(game.position().is_legal(report.best.unwrap()));
                },
                criterion::BatchSize::PerIteration,
            );
        });
    }
    group.finish();
    let nodes = bench(Some(5), |_, _| {}).nodes;
    c.bench_function("bench at depth 5", |b| {
        b.iter(|| assert_eq!(bench(Some(5), |_, _| {}).nodes, nodes));
    });
}

criterion_group!(benches, speed);
criterion_main!(benches);
