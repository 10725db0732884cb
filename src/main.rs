//! The command line.
use sakijishi::{
    board,
    notation::{sfen, usi},
    search::*,
};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let sfen_text = args.get(1).cloned().unwrap_or(sfen::START.into());
    let secs: u64 = args.get(2).map_or(5, |s| s.parse().unwrap());
    let p = board::Position::new(
        &sfen::parse(&sfen_text).unwrap(),
        board::Rules::from(board::RuleSet::Lishogi),
    )
    .unwrap();
    let mut pool = Pool::new(1, 64);
    let limits = Limits {
        move_time: Some(std::time::Duration::from_secs(secs)),
        ..Limits::default()
    };
    pool.search(&p, &limits, &Signals::default(), &mut |i: Info| {
        let mut q = p.clone();
        let pv: Vec<String> =
            i.pv.iter()
                .map(|&m| {
                    let t = usi::format(m, &q);
                    q.make(m);
                    t
                })
                .collect();
        println!(
            "depth {} sel {} score {} nodes {} nps {} hash {} t {} pv {}",
            i.depth,
            i.seldepth,
            i.score,
            i.nodes,
            i.nps(),
            i.hashfull,
            i.time.as_millis(),
            pv.join(" ")
        );
    });
}
