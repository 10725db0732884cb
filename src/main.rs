//! The command line.
use sakijishi::{board, notation::sfen};
fn main() {
    let mut p = board::Position::new(&sfen::start(), board::Rules::from(board::RuleSet::Lishogi)).unwrap();
    for d in 1..=5 { let t = std::time::Instant::now(); let n = board::perft(&mut p, d); println!("{d} {n} {:.1} M/s", n as f64 / t.elapsed().as_secs_f64() / 1e6); }
    let moves = p.moves();
    let t = std::time::Instant::now();
    for _ in 0..300_000 { for &m in &moves { p.make(std::hint::black_box(m)); p.unmake(); } }
    println!("make+unmake {:.1} ns", t.elapsed().as_secs_f64() * 1e9 / (300_000.0 * moves.len() as f64));
}
