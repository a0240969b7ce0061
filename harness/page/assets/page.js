"use strict";

// The choice of colours is kept where the browser allows it.
(() => {
  const key = "lamcap-theme";
  const radios = [...document.querySelectorAll("input[name=theme]")];
  try {
    const kept = radios.find((r) => r.value === localStorage.getItem(key));
    if (kept) kept.checked = true;
  } catch { /* a browser may refuse to keep anything for a file */ }
  for (const radio of radios) {
    radio.addEventListener("change", () => {
      try { localStorage.setItem(key, radio.value); } catch { /* see above */ }
    });
  }
})();

// A column's head sorts: upwards, downwards, as it was. Numbers go by the value they
// hold and before text; what is no number (nan) and what is missing comes last either way.
(() => {
  const special = { inf: Infinity, "-inf": -Infinity, nan: NaN };
  const number = (s) => (s in special ? special[s] : Number(s));
  const NUMBER = 0, TEXT = 1, NAN = 2, MISSING = 3;

  const keyOf = (cell) => {
    const { value, lo, hi, text } = cell.dataset;
    if (lo !== undefined) {
      return Number.isNaN(number(lo)) ? { group: NAN } : { group: NUMBER, x: number(lo), s: lo, hi: number(hi) };
    }
    if (value === "true" || value === "false") return { group: TEXT, s: value };
    if (value !== undefined) {
      return Number.isNaN(number(value)) ? { group: NAN } : { group: NUMBER, x: number(value), s: value };
    }
    return text === undefined ? { group: MISSING } : { group: TEXT, s: text };
  };

  // d = 8 comes before d = 16: runs of digits compare as numbers.
  const runs = (s) => s.match(/\d+|\D+/g) ?? [];
  const compareText = (a, b) => {
    const p = runs(a), q = runs(b);
    for (let i = 0; i < p.length && i < q.length; i++) {
      let order = 0;
      if (/^\d/.test(p[i]) && /^\d/.test(q[i])) {
        const x = BigInt(p[i]), y = BigInt(q[i]);
        order = x < y ? -1 : x > y ? 1 : 0;
      }
      if (order === 0 && p[i] !== q[i]) order = p[i] < q[i] ? -1 : 1;
      if (order !== 0) return order;
    }
    return p.length - q.length;
  };

  const whole = /^-?\d+$/;
  const compareNumbers = (a, b) => {
    if (a.x !== b.x) return a.x < b.x ? -1 : 1;
    if (whole.test(a.s) && whole.test(b.s)) { // seeds and counts beyond 2^53
      const x = BigInt(a.s), y = BigInt(b.s);
      if (x !== y) return x < y ? -1 : 1;
    }
    const p = a.hi ?? a.x, q = b.hi ?? b.x;
    return p < q ? -1 : p > q ? 1 : 0;
  };

  const compare = (a, b, sign) => {
    if (a.group !== b.group && (a.group >= NAN || b.group >= NAN)) return a.group - b.group;
    if (a.group !== b.group) return sign * (a.group - b.group);
    if (a.group === NUMBER) return sign * compareNumbers(a, b);
    return a.group === TEXT ? sign * compareText(a.s, b.s) : 0;
  };

  for (const table of document.querySelectorAll("figure.table:not(.vertical) table")) {
    const body = table.tBodies[0];
    const rows = [...body.rows]; // as they were
    if (rows.length < 2) continue;
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      const name = document.createElement("span"); // one piece beside the arrow
      name.append(...head.childNodes);
      button.append(name);
      head.append(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => {
        const next = { none: "ascending", ascending: "descending", descending: "none" }[head.getAttribute("aria-sort")];
        for (const other of heads) other.setAttribute("aria-sort", other === head ? next : "none");
        if (next === "none") {
          body.append(...rows);
          return;
        }
        const sign = next === "ascending" ? 1 : -1;
        const keyed = rows.map((row) => ({ row, key: keyOf(row.cells[column]) }));
        keyed.sort((a, b) => compare(a.key, b.key, sign)); // stable
        body.append(...keyed.map((k) => k.row));
      });
    });
  }
})();
