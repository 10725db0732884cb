//! Correction of scores by the results of games.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sakijishi::board::{Color, Game, RuleSet};
use sakijishi::notation::sfen;
use sakijishi::train::calibration::Calibration;
use sakijishi::train::games::Sample;
use sakijishi::train::targets::sigmoid;

/// The start position, and without a rook of White's and of Black's.
const STARTS: [&str; 3] = [
    sfen::START,
    "lfcsgekgscfl/a1b1txot1b1a/mv1hdqndhrvm/pppppppppppp/3i4i3/12/12/3I4I3/PPPPPPPPPPPP/MVRHDNQDHRVM/A1B1TOXT1B1A/LFCSGKEGSCFL b - 1",
    "lfcsgekgscfl/a1b1txot1b1a/mvrhdqndhrvm/pppppppppppp/3i4i3/12/12/3I4I3/PPPPPPPPPPPP/MV1HDNQDHRVM/A1B1TOXT1B1A/LFCSGKEGSCFL b - 1",
];
/// What a rook is worth beyond what scores say, and what changes the odds by a factor of e, in centipawns.
const ROOK: f32 = 400.0;
const SCALE: f32 = 800.0;

/// A game of ten moves to and fro, of which the first has a score.
fn game(start: &str, score: i32, winner: Color) -> Sample {
    let setup = sfen::parse(start).unwrap();
    let mut game = Game::new(setup, RuleSet::Lishogi.into()).unwrap();
    let mut moves = Vec::new();
    for n in 0..10 {
        let m = game
            .position()
            .moves()
            .iter()
            .copied()
            .find(|m| !m.is_pass());
        let m = m.unwrap();
        moves.push((m, (n == 0).then_some(score)));
        game.play(m).unwrap();
    }
    Sample {
        rules: RuleSet::Lishogi,
        start: start.to_owned(),
        moves,
        winner: Some(winner),
    }
}

/// Games in which a rook more is worth more than their scores say.
fn games(count: usize) -> Vec<Sample> {
    let mut dice = SmallRng::seed_from_u64(3);
    let play = |n: usize| {
        let score = dice.random_range(-1000..=1000);
        let fair = score as f32 + [0.0, ROOK, -ROOK][n % 3];
        let winner = match dice.random::<f32>() < sigmoid(fair / SCALE) {
            true => Color::Black,
            false => Color::White,
        };
        game(STARTS[n % 3], score, winner)
    };
    (0..count).map(play).collect()
}

#[test]
fn what_scores_leave_out_is_found() {
    let calibration = Calibration::fit(&games(20_000)).unwrap();
    for (start, rooks) in STARTS.into_iter().zip([0.0, 1.0, -1.0]) {
        let setup = sfen::parse(start).unwrap();
        let game = Game::new(setup, RuleSet::Lishogi.into()).unwrap();
        for score in [-800, 0, 500] {
            let fair = score as f32 + rooks * ROOK;
            let found = calibration.odds(game.position(), score) * SCALE;
            assert!((found - fair).abs() < 100.0, "{start} {score}: {found}");
        }
    }
}

#[test]
fn a_few_games_do_not_make_scores_worth_less() {
    let calibration = Calibration::fit(&games(1_500)).unwrap();
    let scale = calibration.scale();
    assert!((SCALE * 0.85..SCALE * 1.15).contains(&scale), "{scale}");
}

#[test]
fn without_results_there_is_an_error() {
    assert!(Calibration::fit(&[]).is_err());
    let mut drawn = games(30);
    drawn.iter_mut().for_each(|game| game.winner = None);
    assert!(Calibration::fit(&drawn).is_err());
}
