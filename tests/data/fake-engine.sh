#!/bin/sh
# An engine that speaks USI and CECP and plays no move, in the way that its first argument says. The second argument is
# a number of seconds that no other process sleeps, so that tests can look for what is left behind.
misbehave() {
    case "$1" in
        hang) sleep "$2" ;;
        crash) exit 3 ;;
        killed) kill -9 $$ ;;
        leave) exit 0 ;;
        close) exec >&-; sleep "$2" ;;
        illegal) echo "bestmove 1a1b" ;;
        garbage) printf 'bestmove \377\001 %%s {}\n' ;;
        noise) printf 'what is this\n\n\377\376\ninfo depth x score cp\ninfo score\nbestmove\n'; sleep "$2" ;;
        flood) exec yes "info depth 1 score cp 1" ;;
        endless) exec tr '\0' 'x' < /dev/zero ;;
        late) sleep 0.7; echo "bestmove 7i7h" ;;
        resign) echo "bestmove resign"; echo "resign" ;;
        refuse) echo "Illegal move: a1a2" ;;
        claim) echo "1/2-1/2 {a draw, it says}" ;;
        half) echo "move a1a2," ; sleep "$2" ;;
    esac
}
while read -r word rest; do
    case "$word" in
        usi) echo "id name fake"; echo "option name Rules type string default renmei"; echo usiok ;;
        isready) echo readyok ;;
        protover) echo 'feature ping=1 usermove=1 myname="fake" done=1' ;;
        ping) echo "pong $rest" ;;
        go) misbehave "$1" "$2" ;;
        quit) exit 0 ;;
    esac
done
