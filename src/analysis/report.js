"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const { geometry: [LEFT, TOP, WIDTH, HEIGHT], games } = JSON.parse(find("data").textContent);
  const SIGNS = ["?!", "?", "??"];
  const WORDS = ["an inaccuracy", "a mistake", "a blunder"];
  const SVG = "http://www.w3.org/2000/svg";

  // What is shown: a game, a position of it, and how far into the line that starts at position `root`, if at all.
  const state = { game: games[0], at: 0, line: null };

  const html = (name, properties = {}, ...children) => {
    const node = Object.assign(document.createElement(name), properties);
    node.append(...children);
    return node;
  };
  const svg = (name, attributes) => {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };
  const center = (square) => [LEFT + (square % 12 + .5) * WIDTH, TOP + (Math.floor(square / 12) + .5) * HEIGHT];

  // Boards: 144 piece names, as the drawings are called: side, p if promoted, letter.
  function read(sfen) {
    const cells = [];
    for (const [token] of sfen.matchAll(/\d+|\+?[A-Za-z]/g)) {
      if (/\d/.test(token)) { for (let n = Number(token); n > 0; n--) cells.push(null); continue; }
      const letter = token.at(-1);
      const side = letter === letter.toUpperCase() ? "b" : "w";
      cells.push(side + (token.length > 1 ? "p" : "") + letter.toUpperCase());
    }
    return cells;
  }
  function play(cells, { from, mid, to, promotes }) {
    const piece = cells[from];
    cells[from] = null;
    if (mid !== undefined) cells[mid] = null;
    cells[to] = promotes ? piece[0] + "p" + piece[1] : piece;
  }

  function drawLast(move) {
    const layer = find("last");
    layer.replaceChildren();
    if (!move) return;
    const shades = new Map([[move.from, .38]]);
    if (move.mid !== undefined) shades.set(move.mid, .38);
    shades.set(move.to, .62);
    for (const [square, opacity] of shades) {
      const [x, y] = center(square);
      layer.append(svg("rect", {
        x: x - WIDTH / 2 + .5, y: y - HEIGHT / 2 + .5, width: WIDTH - 1, height: HEIGHT - 1, fill: "#8fb83a", "fill-opacity": opacity,
      }));
    }
    if (move.mid === undefined) return;
    const [x, y] = center(move.mid);
    const points = [move.from, move.mid, move.to].map((square) => center(square).join(" ")).join(" ");
    layer.append(
      svg("polyline", { points, fill: "none", stroke: "#4d6b12", "stroke-width": 5, "stroke-dasharray": "1 9", "stroke-linecap": "round" }),
      svg("circle", { cx: x, cy: y, r: 9, fill: "none", stroke: "#4d6b12", "stroke-width": 3 }));
  }

  function drawArrow(move) {
    const layer = find("arrow");
    layer.replaceChildren();
    if (!move || !find("arrows").checked) return;
    const stroke = { fill: "none", stroke: "#12569c", "stroke-width": 9, "stroke-linecap": "round", "stroke-linejoin": "round" };
    const path = [move.mid, move.to].filter((square) => square !== undefined).map(center);
    const from = center(move.from);
    const group = svg("g", { opacity: .8 });
    // A piece that comes back, or does not go, has a ring around it.
    if (move.to === move.from) {
      path.pop();
      group.append(svg("circle", { cx: from[0], cy: from[1], r: 25, ...stroke }));
    }
    if (path.length > 0) {
      const to = path.pop();
      const [x, y] = path.at(-1) ?? from;
      const length = Math.hypot(to[0] - x, to[1] - y);
      const [dx, dy] = [(to[0] - x) / length, (to[1] - y) / length];
      const tip = [to[0] + dx * 8, to[1] + dy * 8];
      const base = [tip[0] - dx * 23, tip[1] - dy * 23];
      const points = [from, ...path, base].map((point) => point.join(" ")).join(" ");
      group.append(svg("polyline", { points, ...stroke }));
      for (const [cx, cy] of path) group.append(svg("circle", { cx, cy, r: 9, fill: "#12569c" }));
      const side = (n) => `${base[0] - dy * n} ${base[1] + dx * n}`;
      group.append(svg("polygon", { points: `${tip.join(" ")} ${side(14)} ${side(-14)}`, fill: "#12569c" }));
    }
    layer.append(group);
  }

  function drawBoard() {
    const { positions } = state.game;
    const { root, length } = state.line ?? { root: state.at, length: 0 };
    const here = positions[root];
    const cells = read(here.board);
    const steps = here.line.slice(0, length);
    for (const step of steps) play(cells, step);
    const layer = find("pieces");
    layer.replaceChildren();
    cells.forEach((piece, square) => {
      if (!piece) return;
      const [x, y] = center(square);
      layer.append(svg("use", { href: "#" + piece, x, y }));
    });
    drawLast(steps.at(-1) ?? here.played?.step);
    drawArrow(here.line[length]);
  }

  // A line of moves, each of which shows its position when clicked.
  function lineOf(root) {
    const line = html("span", { className: "line" });
    state.game.positions[root].line.forEach(({ text }, n) => {
      const button = html("button", { type: "button", textContent: text, onclick: () => show(state.at, { root, length: n + 1 }) });
      if (state.line && state.line.root === root && state.line.length === n + 1) button.setAttribute("aria-current", "true");
      line.append(button, " ");
    });
    return line;
  }

  function drawComment() {
    const { positions, names } = state.game;
    const here = positions[state.at];
    const { played } = here;
    const now = find("now"), better = find("better"), next = find("next");
    now.replaceChildren(); better.replaceChildren(); next.replaceChildren();
    if (!played) now.append("Start position");
    else {
      now.append(`${state.at}. ${names[1 - here.turn]}: ${played.step.text}`);
      if (played.best) now.append(html("span", { className: "good", textContent: " is the best move" }));
      else if (played.mark !== undefined)
        now.append(html("span", { className: "m" + played.mark, textContent: ` ${SIGNS[played.mark]} ${WORDS[played.mark]}: ${played.loss} % of winning chances lost` }));
      if (!played.best && played.loss !== undefined) better.append(played.mark === undefined ? "Preferred " : "Better ", lineOf(state.at - 1));
    }
    if (here.score !== undefined) {
      const chance = Math.round(100 * here.chance);
      next.append(`${here.score} for Black (${chance} %)`, here.line.length ? `, depth ${here.depth}. Then ` : "", lineOf(state.at));
    } else next.append("Not searched.");
  }

  function drawGraph() {
    const graph = find("graph");
    const { positions } = state.game;
    const width = graph.clientWidth || 600, height = graph.clientHeight || 150;
    const x = (n) => positions.length > 1 ? n * width / (positions.length - 1) : 0;
    const y = (chance) => height - chance * height;
    const known = positions.map((position, n) => [n, position.chance]).filter(([, chance]) => chance !== undefined);
    graph.setAttribute("viewBox", `0 0 ${width} ${height}`);
    graph.replaceChildren(svg("rect", { width, height, fill: "var(--white)" }));
    if (known.length > 0) {
      const curve = known.map(([n, chance]) => `${x(n)} ${y(chance)}`).join("L");
      graph.append(svg("path", { d: `M${x(known[0][0])} ${height}L${curve}L${x(known.at(-1)[0])} ${height}Z`, fill: "var(--black)" }));
    }
    graph.append(svg("path", { d: `M0 ${height / 2}H${width}`, stroke: "#9a8163", "stroke-dasharray": "4 4" }));
    positions.forEach(({ played, chance }, n) => {
      if (played?.mark === undefined || chance === undefined) return;
      const cy = Math.min(Math.max(y(chance), 5), height - 5);
      graph.append(svg("circle", { cx: x(n), cy, r: 3.6 + played.mark * .5, fill: `var(--m${played.mark})`, stroke: "#fff" }));
    });
    graph.append(svg("path", { id: "cursor", stroke: "var(--accent)", "stroke-width": 2 }));
    moveCursor();
  }
  function moveCursor() {
    const { positions } = state.game;
    const width = find("graph").clientWidth || 600;
    const x = positions.length > 1 ? state.at * width / (positions.length - 1) : 0;
    find("cursor")?.setAttribute("d", `M${x} 0V1000`);
  }

  function drawMoves() {
    const items = state.game.positions.slice(1).map(({ played, score }, n) => {
      const button = html("button", { type: "button", onclick: () => show(n + 1) },
        html("span", { className: "number", textContent: n + 1 + "." }), html("span", { textContent: played.step.text }));
      if (played.mark !== undefined) {
        const sign = html("span", { className: "sign m" + played.mark, textContent: SIGNS[played.mark] });
        sign.title = WORDS[played.mark];
        button.append(sign);
      }
      button.append(html("span", { className: "score", textContent: score ?? "" }));
      return html("li", {}, button);
    });
    find("moves").replaceChildren(...items);
  }

  function drawSides() {
    const { sides, names } = state.game;
    const row = (cell, ...texts) => html("tr", {}, ...texts.map((text) => html(cell, { textContent: text })));
    const head = html("thead", {}, row("th", "", "accuracy", "inaccuracies", "mistakes", "blunders"));
    const body = html("tbody", {}, ...sides.map(({ accuracy, marks }, n) => row("td", names[n], accuracy ? accuracy + " %" : "–", ...marks)));
    find("sides").replaceChildren(head, body);
  }

  // Shows a position of the game, or one of the lines from it.
  function show(at, line = null) {
    state.at = Math.min(Math.max(at, 0), state.game.positions.length - 1);
    state.line = line;
    drawBoard();
    drawComment();
    moveCursor();
    find("slider").value = state.at;
    find("slider").setAttribute("aria-valuetext", find("now").textContent);
    find("moves").querySelector("[aria-current]")?.removeAttribute("aria-current");
    const button = find("moves").children[state.at - 1]?.firstChild;
    const list = find("moves");
    if (button) {
      button.setAttribute("aria-current", "step");
      // Only the list scrolls, never the page.
      const row = button.parentNode;
      if (row.offsetTop < list.scrollTop || row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight)
        list.scrollTop = row.offsetTop - list.clientHeight / 2;
    } else list.scrollTop = 0;
    const hash = `#${games.indexOf(state.game) + 1}/${state.at}`;
    if (location.hash !== hash) history.replaceState(null, "", hash);
  }

  function open(number, at) {
    state.game = games[number] ?? games[0];
    const { name, names, conditions, notes, positions } = state.game;
    const named = names[0] !== "Black" || names[1] !== "White";
    find("heading").textContent = named ? `${names[0]} – ${names[1]}` : name;
    find("conditions").textContent = named ? `${name}, ${conditions}` : conditions;
    find("game").value = games.indexOf(state.game);
    find("notes").replaceChildren(...notes.map((textContent) => html("li", { textContent })));
    find("slider").max = positions.length - 1;
    drawSides();
    drawMoves();
    drawGraph();
    show(at);
  }
  function openHash() {
    const [, game, at] = /^#(?:(\d+)\/)?(\d+)$/.exec(location.hash) ?? [];
    open(game ? Number(game) - 1 : 0, Number(at ?? 0));
  }
  function fault() {
    const { positions } = state.game;
    const marked = positions.map((_, n) => n).filter((n) => positions[n].played?.mark !== undefined);
    const next = marked.find((n) => n > state.at) ?? marked[0];
    if (next !== undefined) show(next);
  }
  function setPieces() {
    const style = find("pieces-style").value;
    find("definitions").replaceChildren(...find(style).content.cloneNode(true).firstChild.childNodes);
    drawBoard();
  }
  const back = () => state.line ? show(state.at, state.line.length > 1 ? { ...state.line, length: state.line.length - 1 } : null) : show(state.at - 1);
  function forward() {
    const { line, at, game } = state;
    if (!line) show(at + 1);
    else if (line.length < game.positions[line.root].line.length) show(at, { ...line, length: line.length + 1 });
  }

  if (games.length === 0) return;
  find("choice").hidden = games.length < 2;
  find("game").append(...games.map(({ name }, value) => html("option", { value, textContent: name })));
  find("game").onchange = ({ target }) => open(Number(target.value), 0);
  find("first").onclick = () => show(0);
  find("back").onclick = back;
  find("forward").onclick = forward;
  find("end").onclick = () => show(Infinity);
  find("fault").onclick = fault;
  find("arrows").onchange = drawBoard;
  find("pieces-style").onchange = setPieces;
  find("slider").oninput = ({ target }) => show(Number(target.value));
  find("graph").onclick = ({ clientX }) => {
    const { left, width } = find("graph").getBoundingClientRect();
    show(Math.round((clientX - left) / width * (state.game.positions.length - 1)));
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
    const act = { ArrowLeft: back, ArrowRight: forward, Home: () => show(0), End: () => show(Infinity), n: fault, Escape: () => show(state.at) }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  addEventListener("hashchange", openHash);
  addEventListener("resize", drawGraph);
  setPieces();
  openHash();
})();
