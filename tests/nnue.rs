//! Networks: evaluation from scratch and along a line, symmetry, files.
#![allow(clippy::cast_possible_truncation)]

mod cases;
mod playout;

use std::sync::LazyLock;

use playout::{Style, config, crowd, playouts, setup};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sakijishi::board::{Color, Piece, Position, Setup, Square};
use sakijishi::engine::Engine;
use sakijishi::eval::nnue::features::{self, View};
use sakijishi::eval::nnue::layers::{self, TILE, Tile};
use sakijishi::eval::nnue::{BUCKETS, Network, NetworkError, Numbers, ONE, bucket};
use sakijishi::eval::{Evaluator, evaluate};
use sakijishi::notation::sfen;

/// A network of random numbers.
fn numbers(columns: usize, seed: u64) -> Numbers {
    let mut dice = SmallRng::seed_from_u64(seed);
    let mut draw = |count: usize, most: i16| -> Vec<i16> {
        (0..count)
            .map(|_| dice.random_range(-most..=most))
            .collect()
    };
    Numbers {
        biases: draw(columns, 255),
        weights: draw(features::COUNT * columns, 60),
        output: draw(2 * BUCKETS * columns, 100),
        output_biases: std::array::from_fn(|n| 1000 * n as i32),
        divisor: 4000,
    }
}

#[test]
fn the_built_in_network_is_one() {
    assert!(Network::built_in().is_some());
}

fn network() -> &'static Network {
    static NETWORK: LazyLock<Network> = LazyLock::new(|| Network::new(&numbers(64, 1)).unwrap());
    &NETWORK
}

/// The network computed as its documentation says, number by number.
fn by_the_book(numbers: &Numbers, position: &Position) -> i32 {
    let columns = numbers.biases.len();
    let pieces = position.pieces().count();
    let mut sum = numbers.output_biases[bucket(pieces)];
    for (half, color) in [position.turn(), !position.turn()].into_iter().enumerate() {
        let view = View::of(color, position);
        for column in 0..columns {
            let mut value = numbers.biases[column];
            for feature in view.features(position) {
                let weight = numbers.weights[usize::from(feature) * columns + column];
                value = value.wrapping_add(weight);
            }
            let value = i32::from(value.clamp(0, ONE));
            let row = 2 * bucket(pieces) + half;
            sum += value * value * i32::from(numbers.output[row * columns + column]);
        }
    }
    sum / numbers.divisor
}

/// The board turned, with colours swapped, or mirrored.
fn image(setup: &Setup, swap: bool, place: fn(Square) -> Square) -> Setup {
    let mut image = Setup::empty();
    for (square, piece) in setup.pieces() {
        let color = if swap { !piece.color() } else { piece.color() };
        image.set(place(square), Some(Piece::new(color, piece.kind())));
    }
    image.turn = if swap { !setup.turn } else { setup.turn };
    image
}

fn assert_up_to_date(
    evaluator: &mut Evaluator,
    ply: usize,
    position: &Position,
) -> Result<(), TestCaseError> {
    prop_assert_eq!(
        evaluator.score(ply, position),
        evaluate(position, Some(network()))
    );
    Ok(())
}

proptest! {
    #![proptest_config(config(150))]

    /// Moves, null moves and moves taken back, evaluated at some of the plies only.
    #[test]
    fn a_line_is_evaluated_like_its_positions(
        playout in playouts(prop_oneof![setup(), crowd(40)], 60),
        asked in any::<u64>(),
    ) {
        let mut position = playout.position();
        let mut evaluator = Evaluator::new(Some(network()), &position, 2 * playout.choices.len());
        let mut ply = 0;
        for (n, &choice) in playout.choices.iter().enumerate() {
            let ask = asked >> (n % 64) & 1 == 1;
            if ask {
                assert_up_to_date(&mut evaluator, ply, &position)?;
            }
            if choice % 11 == 0 {
                position.make_null();
                evaluator.make_null(ply);
                ply += 1;
            }
            let moves = position.moves();
            let Some(m) = playout::choose(&position, &moves, choice, Style::Lively) else {
                break;
            };
            // Another move first, which is looked at and taken back.
            let other = moves[usize::from(choice) % moves.len()];
            let change = position.make(other);
            evaluator.make(ply, &change);
            if ask {
                assert_up_to_date(&mut evaluator, ply + 1, &position)?;
            }
            position.unmake();
            let change = position.make(m);
            evaluator.make(ply, &change);
            ply += 1;
        }
        assert_up_to_date(&mut evaluator, ply, &position)?;
    }

    #[test]
    fn images_are_worth_the_same(setup in setup()) {
        let score = |setup: &Setup| {
            let position = Position::new(setup, Default::default()).unwrap();
            evaluate(&position, Some(network()))
        };
        let turned = image(&setup, true, Square::turned);
        prop_assert_eq!(score(&setup), score(&turned));
        // Without a royal no half of the board is its side's left one.
        let position = Position::new(&setup, Default::default()).unwrap();
        if Color::BOTH.iter().all(|&color| position.royal_count(color) > 0) {
            let mirrored = image(&setup, false, Square::mirrored);
            prop_assert_eq!(score(&setup), score(&mirrored));
        }
    }

    #[test]
    fn the_arithmetic_is_that_of_the_documentation(setup in setup()) {
        let position = Position::new(&setup, Default::default()).unwrap();
        let numbers = numbers(32, 5);
        let network = Network::new(&numbers).unwrap();
        prop_assert_eq!(network.evaluate(&position), by_the_book(&numbers, &position));
    }

    /// What the processor's best instructions compute is what plain ones do.
    #[test]
    fn every_instruction_set_computes_the_same(seed in any::<u64>(), width in 1..9usize) {
        let mut dice = SmallRng::seed_from_u64(seed);
        let mut tiles = |count: usize, most: i16| -> Vec<Tile> {
            let tile = |_| Tile(std::array::from_fn(|_| dice.random_range(-most..=most)));
            (0..count).map(tile).collect()
        };
        let (own, other) = (tiles(width, i16::MAX), tiles(width, 400));
        let (weights, rows) = (tiles(2 * width, 128), tiles(6 * width, 330));
        let plain = |n: usize, i: usize| {
            let column = if n < width { own[n] } else { other[n - width] }.0[i].clamp(0, ONE);
            i32::from(column) * i32::from(column) * i32::from(weights[n].0[i])
        };
        let cells = || (0..2 * width).flat_map(|n| (0..TILE).map(move |i| (n, i)));
        let sum = cells().fold(0i32, |sum, (n, i)| sum.wrapping_add(plain(n, i)));
        prop_assert_eq!(layers::output(&own, &other, &weights), sum);
        let mut target = own.clone();
        layers::update(&mut target, &own, &rows, &[0, 3], &[1, 4, 5]);
        for (n, i) in cells().filter(|&(n, _)| n < width) {
            let row = |feature: usize| rows[feature * width + n].0[i];
            let sum = [0, 3].into_iter().fold(own[n].0[i], |sum, f| sum.wrapping_add(row(f)));
            let sum = [1, 4, 5].into_iter().fold(sum, |sum, f| sum.wrapping_sub(row(f)));
            prop_assert_eq!(target[n].0[i], sum);
        }
    }
}

#[test]
fn features_are_all_different() {
    let position = Position::new(&sfen::start(), Default::default()).unwrap();
    for color in Color::BOTH {
        let view = View::of(color, &position);
        let mut seen = vec![false; features::COUNT];
        for piece in Color::BOTH
            .map(|color| sakijishi::board::Kind::all().map(move |kind| Piece::new(color, kind)))
            .into_iter()
            .flatten()
        {
            for square in Square::all() {
                assert!(!std::mem::replace(
                    &mut seen[usize::from(view.feature(piece, square))],
                    true
                ));
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
    }
    // Nobody's view is mirrored at the start, so that both see the same.
    let [black, white] = Color::BOTH.map(|color| {
        let mut seen: Vec<u16> = View::of(color, &position).features(&position).collect();
        seen.sort_unstable();
        seen
    });
    assert_eq!(black, white);
}

#[test]
fn files_are_read_back_and_bad_ones_refused() {
    let good = numbers(32, 2);
    let bytes = good.to_bytes();
    assert_eq!(Numbers::from_bytes(&bytes).unwrap(), good);
    assert_eq!(Network::from_bytes(&bytes).unwrap().columns(), 32);
    let refusal = |bytes: &[u8]| Network::from_bytes(bytes).unwrap_err();
    assert_eq!(refusal(b""), NetworkError::Magic);
    assert_eq!(refusal(b"SKJnnue0"), NetworkError::Magic);
    for length in [8, 20, 27, 28, 1000, bytes.len() - 1] {
        assert!(
            matches!(refusal(&bytes[..length]), NetworkError::Size { .. }),
            "{length}"
        );
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(refusal(&longer), NetworkError::Size { .. }));
    for place in (24..bytes.len()).step_by(bytes.len() / 50) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 4;
        assert_eq!(refusal(&damaged), NetworkError::Checksum, "byte {place}");
    }
    let mut other = bytes.clone();
    other[24] ^= 1;
    let end = other.len() - 4;
    let checksum = crc32fast::hash(&other[..end]);
    other[end..].copy_from_slice(&checksum.to_le_bytes());
    assert_eq!(refusal(&other), NetworkError::Base);
}

#[test]
fn numbers_that_may_overflow_are_refused() {
    let refusal = |change: &dyn Fn(&mut Numbers)| {
        let mut bad = numbers(256, 3);
        change(&mut bad);
        Network::from_bytes(&bad.to_bytes()).unwrap_err()
    };
    let accumulator = NetworkError::Overflow("an accumulator");
    assert_eq!(refusal(&|bad| bad.weights[70_000] = -357), accumulator);
    assert_eq!(refusal(&|bad| bad.biases[255] = i16::MIN), accumulator);
    let product = NetworkError::Overflow("a product");
    assert_eq!(refusal(&|bad| bad.output[700] = 129), product);
    let output = NetworkError::Overflow("the output");
    assert_eq!(refusal(&|bad| bad.output[512..1024].fill(-100)), output);
    assert_eq!(refusal(&|bad| bad.output_biases[7] = i32::MAX), output);
    assert!(matches!(
        refusal(&|bad| bad.divisor = 0),
        NetworkError::Shape(_)
    ));
}

#[test]
fn the_option_loads_a_network_and_keeps_it_when_another_is_bad() {
    let folder = std::env::temp_dir().join(format!("sakijishi-nnue-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (good, bad) = (folder.join("good.nnue"), folder.join("bad.nnue"));
    std::fs::write(&good, numbers(32, 4).to_bytes()).unwrap();
    std::fs::write(&bad, &numbers(32, 4).to_bytes()[..5000]).unwrap();
    let mut engine = Engine::new();
    engine.set_option("EvalFile", "none").unwrap();
    let plain = engine.evaluate();
    engine
        .set_option("evalfile", good.to_str().unwrap())
        .unwrap();
    let corrected = engine.evaluate();
    assert_ne!(plain, corrected);
    let error = engine
        .set_option("EvalFile", bad.to_str().unwrap())
        .unwrap_err();
    assert!(
        error.to_string().contains("5000 bytes instead of"),
        "{error}"
    );
    assert!(engine.set_option("EvalFile", "/no/such/file").is_err());
    assert_eq!(engine.options().get("EvalFile").as_deref(), good.to_str());
    assert_eq!(engine.evaluate(), corrected);
    engine.set_option("EvalFile", "").unwrap();
    assert_eq!(
        engine.options().get("EvalFile").as_deref(),
        Some("<built-in>")
    );
    std::fs::remove_dir_all(&folder).unwrap();
}
