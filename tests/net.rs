//! Training of networks.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use sakijishi::arena::Shard;
use sakijishi::board::{Color, RuleSet};
use sakijishi::eval::{Network, evaluate};
use sakijishi::train::games::{Sample, read_all};
use sakijishi::train::samples::Samples;
use sakijishi::train::selfplay;
use sakijishi::train::targets::{Targets, fit_scale, sigmoid, teaches};
use sakijishi::train::trainer::{Model, Plan, Watch, train};
use sakijishi::train::{curves, quantise::quantise};

/// Self-play games of few nodes.
fn games(name: &str, count: usize) -> Vec<Sample> {
    let name = format!("sakijishi-net-{name}-{}", std::process::id());
    let path: PathBuf = std::env::temp_dir().join(name);
    let plan = selfplay::Plan {
        games: count,
        shard: Shard::WHOLE,
        nodes: 40,
        soft_nodes: None,
        eval_file: None,
        openings: Vec::new(),
        random_plies: (8, 16),
        balance: 400,
        seed: 5,
        rules: vec![RuleSet::Lishogi],
        threads: 2,
    };
    selfplay::run(&plan, &path, &AtomicBool::new(false), |_| {}).unwrap();
    let games = read_all(&[&path]).unwrap();
    std::fs::remove_file(&path).unwrap();
    games
}

const TARGETS: Targets = Targets {
    scale: 800.0,
    result_share: 0.3,
    look_ahead: 0.9,
    calibration: None,
};

fn plan(epochs: usize) -> Plan {
    Plan {
        columns: 64,
        epochs,
        batch: 512,
        rate: (2e-3, 1e-5),
        decay: 0.01,
        seed: 9,
        scale: TARGETS.scale,
    }
}

/// Keeps the checkpoint of each epoch, and ends training in the middle of the one after `last`.
struct Keep<'a> {
    last: usize,
    stop: &'a AtomicBool,
    checkpoints: Vec<Vec<u8>>,
}

impl Watch for Keep<'_> {
    fn on_batch(&mut self, epoch: usize, _: usize) {
        self.stop.store(epoch > self.last, Ordering::Relaxed);
    }

    fn on_epoch(&mut self, model: &Model) -> anyhow::Result<()> {
        self.checkpoints.push(model.to_bytes());
        Ok(())
    }
}

/// Trains up to the end of an epoch; gives the checkpoints.
fn run(
    model: &mut Model,
    samples: &Samples,
    plan: &Plan,
    last: usize,
    threads: usize,
) -> Vec<Vec<u8>> {
    let stop = AtomicBool::new(false);
    let mut watch = Keep {
        last,
        stop: &stop,
        checkpoints: Vec::new(),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = pool.build().unwrap();
    pool.install(|| train(model, samples, plan, &stop, &mut watch).unwrap());
    watch.checkpoints
}

#[test]
fn training_does_not_depend_on_threads_or_interruptions() {
    let samples = Samples::new(&[(games("same", 40), TARGETS)]).unwrap();
    let plan = plan(3);
    let mut model = Model::random(&plan);
    let whole = run(&mut model, &samples, &plan, 3, 2);
    let [first, .., last] = &model.losses[..] else {
        panic!("{:?}", model.losses);
    };
    assert!(last.training < first.training, "{:?}", model.losses);
    let mut broken = Model::random(&plan);
    let kept = run(&mut broken, &samples, &plan, 1, 1);
    assert_eq!(kept, whole[..1]);
    let mut resumed = Model::from_bytes(&kept[0]).unwrap();
    let rest = run(&mut resumed, &samples, &plan, 3, 1);
    assert_eq!(rest, whole[1..]);
    let mut bytes = kept[0].clone();
    bytes[5000] ^= 1;
    assert!(Model::from_bytes(&bytes).is_err() && Model::from_bytes(&bytes[..50]).is_err());
    let picture = curves::svg(&model.losses).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("validation"));
}

/// What the trainer computes in fractions, the engine computes in whole numbers from its own view of the positions.
#[test]
fn the_engine_computes_what_was_trained() {
    let games = games("engine", 40);
    let samples = Samples::new(&[(games.clone(), TARGETS)]).unwrap();
    let plan = plan(2);
    let mut model = Model::random(&plan);
    run(&mut model, &samples, &plan, 2, 2);
    let network = Network::new(&quantise(&model, TARGETS.scale)).unwrap();
    let (mut sum, mut count, mut bare) = (0.0, 0, 0.0);
    // The first and the thirty-fourth game are those to check with.
    for game in games.iter().step_by(33) {
        let mut position = game.position().unwrap();
        for (&(m, score), black) in game.moves.iter().zip(TARGETS.of_game(game).unwrap()) {
            if teaches(&position, m, score) {
                let target = match position.turn() {
                    Color::Black => black,
                    Color::White => 1.0 - black,
                };
                let error = |network| {
                    let score = evaluate(&position, network) as f32;
                    f64::from(sigmoid(score / TARGETS.scale) - target).powi(2)
                };
                sum += error(Some(&network));
                bare += error(None);
                count += 1;
            }
            position.make(m);
        }
    }
    assert_eq!(count, samples.validation.len());
    let [expected, _] = model.error(&samples, &samples.validation, &plan);
    let found = sum / f64::from(count as u32);
    assert!(
        (found - expected).abs() < 0.01 * expected,
        "{found} {expected}"
    );
    let [expected, _] = samples.piece_square_error(&samples.validation, TARGETS.scale);
    let bare = bare / f64::from(count as u32);
    assert!((bare - expected).abs() < 1e-6, "{bare} {expected}");
}

#[test]
fn the_scale_of_games_is_found() {
    let games = games("scale", 12);
    let mut rated = Vec::new();
    // Whoever is ahead by the scale wins 73 games in 100.
    for n in 0..100 {
        let mut game = games[n % 12].clone();
        game.winner = Some(if n < 73 { Color::Black } else { Color::White });
        let mut turn = game.turn();
        for (_, score) in &mut game.moves {
            *score = Some(if turn == Color::Black { 500 } else { -500 });
            turn = !turn;
        }
        game.moves.truncate(40);
        rated.push(game);
    }
    let scale = fit_scale(&rated);
    assert!((450.0..=550.0).contains(&scale), "{scale}");
}
