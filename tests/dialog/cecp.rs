//! What a conversation over CECP is made of.

use super::Dialog;

pub const START: &str = "lfcsgekgscfl/a1b1txot1b1a/mvrhdqndhrvm/pppppppppppp/3i4i3/12/12/3I4I3/PPPPPPPPPPPP/\
                     MVRHDNQDHRVM/A1B1TOXT1B1A/LFCSGKEGSCFL";

/// All lines that come of what was sent.
pub fn settle(dialog: &mut Dialog) -> Vec<String> {
    dialog.send("ping 4711");
    let mut lines = dialog.until("pong 4711");
    lines.pop();
    lines
}

/// What is said to these lines and nothing else.
pub fn say(dialog: &mut Dialog, lines: &[&str]) -> Vec<String> {
    lines.iter().for_each(|line| dialog.send(line));
    settle(dialog)
}

pub fn sfen(dialog: &mut Dialog) -> String {
    let lines = say(dialog, &["d"]);
    let line = lines.iter().find_map(|line| line.strip_prefix("sfen: "));
    line.unwrap_or_else(|| panic!("{lines:?}")).to_owned()
}

/// The program in force mode at this position.
pub fn at(fen: &str, arguments: &[&str]) -> Dialog {
    let mut dialog = Dialog::start(&[&["xboard"], arguments].concat());
    let setboard = format!("setboard {fen}");
    let lines = say(
        &mut dialog,
        &["xboard", "new", "variant chu", "force", &setboard],
    );
    assert_eq!(lines, [""; 0]);
    dialog
}

/// The move on the last of these lines, or the last two.
pub fn moved(lines: &[String]) -> String {
    let texts = lines.iter().filter_map(|line| line.strip_prefix("move "));
    texts.collect()
}
