// What the checks read from a page; evaluated in it, so it sees what a reader sees.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const shown = (e) => { const r = e.getBoundingClientRect(); return e.checkVisibility() && r.width > 0 && r.height > 0; };

  const size = () => ({
    width: document.documentElement.scrollWidth,
    widest: all("body *").filter((e) => !e.closest(".scroll, .hidden, .skip, svg") && shown(e))
      .filter((e) => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
      .map((e) => e.tagName.toLowerCase() + "." + e.className).slice(0, 5),
  });

  // Shapes of some extent, not only the paper behind them.
  const ink = (svg) => all("path, rect, circle, ellipse, line, polyline, polygon, text, use", svg)
    .filter((e) => { const b = e.getBBox(); return b.width + b.height > 0; }).length;
  const figures = () => all("figure.chart").map((f) => ({
    id: f.id,
    drawings: all("svg", f).map((s) => {
      const r = s.getBoundingClientRect();
      return { theme: s.classList[0], shown: shown(s), width: r.width, height: r.height, ink: shown(s) ? ink(s) : 0 };
    }),
  }));

  const color = (s) => { const [r, g, b, a = 1] = s.match(/[\d.]+/g).map(Number); return { rgb: [r, g, b], a }; };
  const luminance = ({ rgb }) => rgb.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const c = color(getComputedStyle(e).backgroundColor);
      if (c.a === 1) return c;
    }
    return color("rgb(255, 255, 255)");
  };
  // Text whose contrast is below that of WCAG 2, AA.
  const faint = () => all("body *").filter((e) => !e.closest("svg, script, style, .hidden") && shown(e))
    .filter((e) => [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim() !== ""))
    .map((e) => {
      const [a, b] = [luminance(color(getComputedStyle(e).color)), luminance(behind(e))];
      return { e, ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) };
    })
    .filter(({ ratio }) => ratio < 4.5)
    .map(({ e, ratio }) => `${ratio.toFixed(2)}: ${e.tagName.toLowerCase()} ${e.textContent.trim().slice(0, 40)}`).slice(0, 5);

  const named = (e) => (e.getAttribute("aria-label") ?? "").trim() !== ""
    || (e.getAttribute("aria-labelledby") ?? "").split(/\s+/).some((id) => (document.getElementById(id)?.textContent ?? "").trim() !== "");
  const structure = () => {
    const problems = [];
    const want = (good, problem) => { if (!good) problems.push(problem); };
    want(document.documentElement.lang !== "", "the page has no language");
    want(document.title.trim() !== "", "the page has no title");
    want(all("h1").length === 1, `${all("h1").length} elements h1: want one`);
    want(all("main").length === 1 && all("nav").length === 1, "want one main and one nav");
    const ids = all("[id]").map((e) => e.id);
    want(new Set(ids).size === ids.length, "ids are used twice: " + ids.filter((id, i) => ids.indexOf(id) !== i).slice(0, 5));
    for (const a of all("a[href^='#']")) want(document.getElementById(a.getAttribute("href").slice(1)), `nothing at ${a.getAttribute("href")}`);
    for (const e of all("section, nav, figure.chart > [role=img], .scroll[role=region], table")) want(named(e), `a ${e.tagName.toLowerCase()} has no name`);
    for (const s of all("section")) want(s.textContent.trim() !== "", "an empty section");
    for (const h of all("main h2")) want(all(`nav a[href="#${h.id}"]`).length === 1, `${h.textContent} is not in the contents`);
    for (const th of all("th")) want(/^(col|row)$/.test(th.scope), "a th without scope");
    for (const e of all("*")) {
      for (const a of e.attributes) {
        want(a.name !== "style" && !a.name.startsWith("on"), `${e.tagName.toLowerCase()} has an attribute ${a.name}`);
        want(!/^(src|href|srcset|action|xlink:href)$/.test(a.name) || /^(#|data:)/.test(a.value), `${e.tagName.toLowerCase()} points to ${a.value}`);
      }
    }
    want(all("head > meta[http-equiv='Content-Security-Policy'][content^='default-src ']").length === 1, "the page has no policy");
    want(all("script").length === 1 && all("style").length === 1, "want one script and one style");
    return [...new Set(problems)].slice(0, 20);
  };

  const tables = () => all("figure.table").filter((f) => f.querySelector("table")).map((f) => ({
    name: f.dataset.name,
    vertical: f.classList.contains("vertical"),
    columns: f.querySelector("thead tr").cells.length,
    rows: [...f.querySelector("tbody").rows].map((r) => [...r.cells].map((c) => ({ ...c.dataset, shown: c.innerText }))),
  }));
  const sortable = () => all("figure.table:not(.vertical) table").filter((t) => t.tBodies[0].rows.length > 1);
  // The order of the rows after one, two and three clicks on each head.
  const sorted = () => sortable().map((t) => {
    const rows = [...t.tBodies[0].rows];
    const now = () => [...t.tBodies[0].rows].map((r) => rows.indexOf(r));
    return [...t.tHead.rows[0].cells].map((th) => [1, 2, 3].map(() => {
      th.querySelector("button")?.click();
      const others = all("th", t).filter((o) => o !== th && /scending/.test(o.getAttribute("aria-sort"))).length;
      return { state: th.getAttribute("aria-sort"), order: now(), others };
    }));
  });
  const head = (table, column) => sortable()[table].tHead.rows[0].cells[column];
  // Heads of long tables that do not stay when their rows move.
  const lost = () => all("figure.table .scroll").filter((s) => s.scrollHeight > s.clientHeight + 60).filter((s) => {
    s.scrollTop = 50;
    const moved = Math.abs(s.querySelector("th").getBoundingClientRect().top - s.getBoundingClientRect().top);
    s.scrollTop = 0;
    return moved > 2;
  }).map((s) => s.getAttribute("aria-label"));
  const saved = () => all("a.save").map((a) => ({ file: a.download, data: a.href }));
  const cut = () => all(".scroll").filter((s) => shown(s) && s.scrollHeight > s.clientHeight + 1 && getComputedStyle(s).overflowY !== "visible").length;
  const paper = () => getComputedStyle(document.body).backgroundColor;

  return { size, figures, faint, structure, tables, sorted, head, lost, saved, cut, paper, all, shown };
})()
