//! Forced mates: known ones of every kind, and agreement with plain solvers on random positions.

mod cases;

use std::collections::HashMap;

use sakijishi::board::{Color, Kind, Move, Piece, Position, Rules, Setup, Square};
use sakijishi::mate::{Answer, Limits, Solver, Verdict};
use sakijishi::notation::{sfen, usi};

/// Whether `by` could capture the last royal of the other side in one move, by trying all moves.
fn can_take_last_royal(position: &Position, by: Color) -> bool {
    if let Some(royal) = position.last_royal(!by) {
        return position.is_attacked(royal, by);
    }
    if position.royal_count(!by) == 0 {
        return false;
    }
    let mut position = position.clone();
    if position.turn() != by {
        position.make_null();
    }
    position.moves().into_iter().any(|m| {
        position.make(m);
        let none = position.royal_count(!by) == 0;
        position.unmake();
        none
    })
}

/// The moves that mate search is about: checks of the attacker, or what the defender may play without losing at once.
/// `None` if the defender captures the attacker's last royal.
fn relevant_moves(position: &mut Position, attacker: Color) -> Option<Vec<Move>> {
    let attacks = position.turn() == attacker;
    if !attacks && can_take_last_royal(position, !attacker) {
        return None;
    }
    let mut moves = position.moves();
    moves.retain(|m| {
        position.make(*m);
        let threatened = can_take_last_royal(position, attacker);
        position.unmake();
        threatened == attacks
    });
    Some(moves.to_vec())
}

/// Tries everything, remembering what it has tried.
#[derive(Default)]
struct Exhaustive {
    tried: HashMap<(u64, usize), bool>,
}

impl Exhaustive {
    /// Whether the attacker mates within so many plies; `None` if that takes more than `most` positions.
    fn mates_within(
        &mut self,
        position: &mut Position,
        attacker: Color,
        plies: usize,
        most: usize,
    ) -> Option<bool> {
        let attacks = position.turn() == attacker;
        if attacks && plies == 0 {
            return Some(false);
        }
        let key = (position.key(), plies);
        if let Some(&mates) = self.tried.get(&key) {
            return Some(mates);
        }
        if self.tried.len() > most {
            return None;
        }
        // One reply settles it: a mating one for the attacker, an escape from mate for the defender.
        let mut mates = !attacks;
        match relevant_moves(position, attacker) {
            None => mates = false,
            Some(moves) if plies == 0 => mates = moves.is_empty(),
            Some(moves) => {
                for m in moves {
                    position.make(m);
                    let after = self.mates_within(position, attacker, plies - 1, most);
                    position.unmake();
                    if after? == attacks {
                        mates = attacks;
                        break;
                    }
                }
            }
        }
        self.tried.insert(key, mates);
        Some(mates)
    }
}

/// The plies of the shortest mate by working back from the mated positions of the whole graph of checks and escapes,
/// in which cycles are plain edges. `None` if the graph has more positions than `most`.
fn distance_by_graph(position: &Position, most: usize) -> Option<Option<usize>> {
    let attacker = position.turn();
    let mut index = HashMap::from([(position.key(), 0)]);
    let mut nodes: Vec<Option<Vec<usize>>> = vec![None];
    let mut open = vec![(0, position.clone())];
    while let Some((node, mut position)) = open.pop() {
        let Some(moves) = relevant_moves(&mut position, attacker) else {
            continue;
        };
        let mut next = Vec::new();
        for m in moves {
            position.make(m);
            let new = nodes.len();
            let child = *index.entry(position.key()).or_insert(new);
            if child == new {
                nodes.push(None);
                open.push((child, position.clone()));
            }
            next.push(child);
            position.unmake();
        }
        nodes[node] = Some(next);
        if nodes.len() > most {
            return None;
        }
    }
    let mut attacks = vec![false; nodes.len()];
    let mut distance: Vec<Option<usize>> = vec![None; nodes.len()];
    attacks[0] = true;
    let mut order = vec![0];
    let mut seen = vec![false; nodes.len()];
    seen[0] = true;
    while let Some(node) = order.pop() {
        for &child in nodes[node].iter().flatten() {
            if !seen[child] {
                seen[child] = true;
                attacks[child] = !attacks[node];
                order.push(child);
            }
        }
    }
    loop {
        let mut changed = false;
        for (node, next) in nodes.iter().enumerate() {
            let Some(next) = next else { continue };
            let known = next.iter().map(|&child| distance[child]);
            let value = if attacks[node] {
                known.flatten().min().map(|plies| plies + 1)
            } else if next.is_empty() {
                Some(0)
            } else {
                known
                    .collect::<Option<Vec<_>>>()
                    .and_then(|all| all.into_iter().max())
                    .map(|n| n + 1)
            };
            changed |= value != distance[node];
            distance[node] = value;
        }
        if !changed {
            return Some(distance[0]);
        }
    }
}

/// Every move of a line is legal, every move of the attacker checks, and the end cannot be escaped.
fn assert_is_mate(position: &Position, line: &[Move]) {
    let (mut position, attacker) = (position.clone(), position.turn());
    let text = sfen::format(&position.setup());
    for &m in line {
        let shown = usi::format(m, &position);
        assert_eq!(usi::parse(&shown, &position), Ok(m), "{text}");
        let moves = relevant_moves(&mut position, attacker).unwrap_or_default();
        assert!(
            moves.contains(&position.canonical(m)),
            "{text}: {shown} is no check or no escape"
        );
        position.make(m);
    }
    assert_eq!(
        relevant_moves(&mut position, attacker),
        Some(Vec::new()),
        "{text}: not mate"
    );
}

fn solve(solver: &mut Solver, position: &Position, nodes: u64) -> Answer {
    let limits = Limits {
        nodes: Some(nodes),
        shortest: true,
        ..Limits::default()
    };
    let answer = solver.solve(position, limits, &mut |_| {});
    if let Verdict::Mate { line, .. } = &answer.verdict {
        assert_is_mate(position, line);
    }
    answer
}

/// Numbers that are the same in every run (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) as usize % n
    }
}

const LIONS: [&str; 5] = ["N", "+O", "+H", "+D", "Q"];
/// Their checks are so few that the whole graph can be walked.
const SLIDERS: [&str; 8] = ["R", "D", "H", "Q", "G", "+P", "+S", "+L"];

/// A few pieces in a corner, some of the attacker's from the given ones.
fn random_position(random: &mut Random, strong: &[&str], most: usize) -> Position {
    let mut setup = Setup::empty();
    let width = 3 + random.below(4);
    let attacker = Color::BOTH[random.below(2)];
    let mut put = |random: &mut Random, color: Color, kind: Kind| {
        let square = Square::new(1 + random.below(width) as u8, random.below(width) as u8);
        if let Some(square) = square.filter(|&square| setup.piece(square).is_none()) {
            setup.set(square, Some(Piece::new(color, kind)));
        }
    };
    put(random, !attacker, Kind::KING);
    if random.below(4) == 0 {
        let second = if random.below(2) == 0 {
            Kind::PRINCE
        } else {
            Kind::ELEPHANT
        };
        put(random, !attacker, second);
    }
    if random.below(4) == 0 {
        put(random, attacker, Kind::KING);
    }
    for _ in 0..1 + random.below(3) {
        let letter = strong[random.below(strong.len())];
        let kind = Kind::from_letter(letter).expect("a kind's letter");
        put(random, attacker, kind);
    }
    for _ in 0..random.below(most) {
        let kind = Kind::ALL[random.below(Kind::COUNT)];
        let color = if random.below(3) > 0 {
            !attacker
        } else {
            attacker
        };
        if !kind.is_royal() {
            put(random, color, kind);
        }
    }
    setup.turn = attacker;
    Position::new(&setup, Rules::default()).expect("one king and one prince at most")
}

#[test]
fn known_problems() {
    let mut solver = Solver::new(1 << 24);
    for row in cases::rows("mates.tsv") {
        let [name, rules, text, moves] = &row[..] else {
            panic!("{row:?}")
        };
        let position = cases::position(text, cases::rules(rules));
        let answer = solve(&mut solver, &position, 2_000_000);
        match (answer.verdict, moves.as_str()) {
            (Verdict::NoMate, "none") => {}
            (
                Verdict::Mate {
                    line,
                    minimal: true,
                },
                _,
            ) => {
                assert_eq!(line.len().div_ceil(2).to_string(), *moves, "{name}");
            }
            (verdict, _) => panic!("{name}: {verdict:?}, expected {moves}"),
        }
    }
}

#[test]
fn agrees_with_trying_everything() {
    let mut random = Random(1);
    let mut solver = Solver::new(1 << 22);
    let mut found = [0; 6];
    let mut tried = 0;
    while tried < 3000 {
        let mut position = random_position(&mut random, &LIONS, 6);
        let attacker = position.turn();
        if position.royal_count(!attacker) == 0 || can_take_last_royal(&position, attacker) {
            continue;
        }
        tried += 1;
        let mut exhaustive = Exhaustive::default();
        let (mut shortest, mut refuted) = (None, 0);
        for plies in [1, 3, 5, 7, 9] {
            let most = if plies <= 5 { usize::MAX } else { 4000 };
            match exhaustive.mates_within(&mut position, attacker, plies, most) {
                Some(true) => {
                    shortest = Some(plies);
                    break;
                }
                Some(false) => refuted = plies,
                None => break,
            }
        }
        let nodes = if shortest.is_some() {
            3_000_000
        } else {
            20_000
        };
        let answer = solve(&mut solver, &position, nodes);
        let text = sfen::format(&position.setup());
        match (shortest, answer.verdict) {
            (Some(plies), Verdict::Mate { line, minimal }) => {
                assert!(minimal, "{text}");
                assert_eq!(line.len(), plies, "{text}");
                found[plies.div_ceil(2)] += 1;
            }
            (None, Verdict::Mate { line, .. }) => assert!(line.len() > refuted, "{text}"),
            (None, _) => found[0] += 1,
            (Some(plies), verdict) => panic!("{text}: {verdict:?}, mate in {plies} plies"),
        }
    }
    assert!(
        found[..4].iter().all(|&n| n > 50) && found[4] > 5,
        "{found:?}"
    );
}

/// Cycles and the histories that lead into them: the graph knows no path.
#[test]
fn agrees_with_working_back() {
    let mut random = Random(2);
    let mut solver = Solver::new(1 << 22);
    let (mut mated, mut refuted) = (0, 0);
    for _ in 0..3000 {
        let position = random_position(&mut random, &SLIDERS, 6);
        let attacker = position.turn();
        if position.royal_count(!attacker) == 0 || can_take_last_royal(&position, attacker) {
            continue;
        }
        let Some(distance) = distance_by_graph(&position, 3000) else {
            continue;
        };
        let answer = solve(&mut solver, &position, 3_000_000);
        let text = sfen::format(&position.setup());
        match (distance, answer.verdict) {
            (Some(plies), Verdict::Mate { line, minimal }) => {
                assert!(minimal, "{text}");
                assert_eq!(line.len(), plies, "{text}");
                mated += 1;
            }
            (None, Verdict::NoMate) => refuted += 1,
            (distance, verdict) => panic!("{text}: {verdict:?}, by the graph {distance:?}"),
        }
    }
    assert!(mated > 5 && refuted > 200, "{mated} {refuted}");
}

/// A table far too small still gives right answers.
#[test]
fn forgetting_does_no_harm() {
    let mut small = Solver::new(1 << 14);
    let mut roomy = Solver::new(1 << 22);
    for row in cases::rows("mates.tsv") {
        let position = cases::position(&row[2], cases::rules(&row[1]));
        let reference = solve(&mut roomy, &position, 2_000_000).verdict;
        match (solve(&mut small, &position, 300_000).verdict, reference) {
            (
                Verdict::Mate {
                    line,
                    minimal: true,
                },
                Verdict::Mate { line: other, .. },
            ) => {
                assert_eq!(line.len(), other.len(), "{}", row[0]);
            }
            (Verdict::Mate { minimal: true, .. }, verdict) => panic!("{}: {verdict:?}", row[0]),
            (Verdict::NoMate, verdict) => assert_eq!(verdict, Verdict::NoMate, "{}", row[0]),
            (Verdict::Mate { .. } | Verdict::Unknown, _) => {}
        }
    }
}

#[test]
fn limits_are_kept() {
    let row = cases::rows("mates.tsv").remove(0);
    let position = cases::position(&row[2], cases::rules(&row[1]));
    let mut solver = Solver::new(1 << 20);
    let stop = std::sync::atomic::AtomicBool::new(true);
    let none = Some(std::time::Duration::ZERO);
    for limits in [
        Limits {
            nodes: Some(0),
            ..Limits::default()
        },
        Limits {
            time: none,
            ..Limits::default()
        },
        Limits {
            stop: Some(&stop),
            ..Limits::default()
        },
    ] {
        assert_eq!(
            solver.solve(&position, limits, &mut |_| {}).verdict,
            Verdict::Unknown
        );
    }
}

/// Problems of a file named by `SAKIJISHI_MATE_PROBLEMS`: a head, then name, SFEN and the published length, tab-separated.
/// `SAKIJISHI_MATE_SHORTEST` asks for the shortest mates.
#[test]
#[ignore = "needs a file of problems"]
fn problems_of_a_file() {
    let path = std::env::var("SAKIJISHI_MATE_PROBLEMS").expect("the path of a file");
    let shortest = std::env::var("SAKIJISHI_MATE_SHORTEST").is_ok();
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let mut solver = Solver::new(1 << 30);
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let position = cases::position(fields[1], Rules::default());
        let time = Some(std::time::Duration::from_secs(20));
        let limits = Limits {
            time,
            shortest,
            ..Limits::default()
        };
        let answer = solver.solve(&position, limits, &mut |_| {});
        let seconds = answer.time.as_secs_f64();
        let found = match &answer.verdict {
            Verdict::Mate { line, minimal } => {
                assert_is_mate(&position, line);
                let proved = if *minimal { " (shortest)" } else { "" };
                format!("mate in {}{proved}", line.len().div_ceil(2))
            }
            verdict => format!("{verdict:?}"),
        };
        let speed = answer.nodes as f64 / seconds / 1e6;
        println!(
            "{}\tpublished {}\t{found}\t{} nodes\t{seconds:.2} s\t{speed:.2} M/s",
            fields[0], fields[2], answer.nodes
        );
    }
}
