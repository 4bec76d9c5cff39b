"use strict";
// Searches, sorts and pages through the finds. Everything is put in as text, never as markup.
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const at = Object.fromEntries(data.columns.map((name, index) => [name, index]));
  const PAGE = 25;
  const table = document.getElementById("finds");
  const search = document.getElementById("search");
  const type = document.getElementById("type");
  const count = document.getElementById("count");
  const back = document.getElementById("back");
  const on = document.getElementById("on");
  const texts = data.rows.map((row) => {
    const page = data.pages[row[at.page]];
    return [row[at.url], row[at.type], row[at.title], row[at.anchor], page[0], page[1], row[at.file], row[at.final]]
      .join("\n").toLowerCase();
  });
  let shown = [];
  let first = 0;
  let order = { column: "", down: false };

  function element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined && text !== null) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  function link(url, text) {
    if (!/^https?:\/\//.test(url)) return element("span", text);
    const made = element("a", text);
    made.href = url;
    made.rel = "noreferrer noopener";
    return made;
  }

  function volume(size) {
    for (const unit of ["B", "kB", "MB", "GB"]) {
      if (size < 1000) return (unit === "B" ? Math.round(size) : size.toFixed(1)) + " " + unit;
      size /= 1000;
    }
    return size.toFixed(1) + " TB";
  }

  function tail(url) {
    const bare = url.replace(/^\w+:\/\//, "");
    return bare.length <= 60 ? bare : "…" + bare.slice(-60);
  }

  function file(row) {
    const path = row[at.file];
    if (!path) return element("span", "");
    if (!row[at.opens]) {
      const made = element("span", "saved", "saved");
      made.title = path;
      return made;
    }
    const made = element("a", "saved file", "saved");
    made.title = path;
    made.href = data.folder + "/" + path.split("/").map(encodeURIComponent).join("/");
    return made;
  }

  function cell(text, name) {
    const made = element("td", text === null ? "" : text, "n");
    made.dataset.name = name;
    return made;
  }

  function line(row) {
    const made = element("tr");
    const what = element("th", undefined, "wide");
    what.scope = "row";
    what.append(link(row[at.url], row[at.title] || row[at.url]));
    const place = row[at.final] || row[at.url];
    const address = element("span", tail(place), "sub line");
    address.title = place;
    what.append(" ", file(row), address);
    const page = data.pages[row[at.page]];
    const source = element("td", undefined, "wide");
    source.append(page[0] ? link(page[0], page[1] || page[0]) : element("span", "start"));
    const kind = element("td", row[at.type]);
    if (row[at.note]) kind.append(element("span", row[at.note], "sub"));
    const number = (value) => (value === null ? null : value.toLocaleString("en"));
    made.append(what, source, kind, cell(volume(row[at.size]), "size"),
      cell(number(row[at.tables]), "tables"), cell(number(row[at.rows]), "rows"),
      cell(number(row[at.statistics]), "statistics"));
    return made;
  }

  function draw() {
    const body = table.tBodies[0];
    body.replaceChildren(...shown.slice(first, first + PAGE).map((index) => line(data.rows[index])));
    const last = Math.min(first + PAGE, shown.length);
    count.textContent = shown.length
      ? (first + 1).toLocaleString("en") + " to " + last.toLocaleString("en") + " of " +
        shown.length.toLocaleString("en")
      : "Nothing fits.";
    back.disabled = first === 0;
    on.disabled = last >= shown.length;
  }

  function key(index, column) {
    const row = data.rows[index];
    if (column === "page") return data.pages[row[at.page]][1] || data.pages[row[at.page]][0];
    if (column === "url") return row[at.title] || row[at.url];
    return row[at[column]] === null ? -1 : row[at[column]];
  }

  function sift() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = [];
    data.rows.forEach((row, index) => {
      if (type.value && row[at.type] !== type.value) return;
      if (words.every((word) => texts[index].includes(word))) shown.push(index);
    });
    if (order.column) {
      const keys = new Map(shown.map((index) => [index, key(index, order.column)]));
      shown.sort((a, b) => {
        const one = keys.get(a), two = keys.get(b);
        return (one < two ? -1 : one > two ? 1 : a - b) * (order.down ? -1 : 1);
      });
    }
    first = 0;
    draw();
  }

  for (const name of [...new Set(data.rows.map((row) => row[at.type]))].sort()) {
    const option = element("option", name);
    option.value = name;
    type.append(option);
  }
  for (const head of table.tHead.querySelectorAll("th[data-column]")) {
    const button = element("button", head.textContent);
    button.type = "button";
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const same = order.column === head.dataset.column;
      order = { column: head.dataset.column, down: same ? !order.down : head.classList.contains("n") };
      for (const other of table.tHead.querySelectorAll("th")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      sift();
    });
  }
  search.addEventListener("input", sift);
  type.addEventListener("change", sift);
  back.addEventListener("click", () => { first = Math.max(0, first - PAGE); draw(); });
  on.addEventListener("click", () => { first += PAGE; draw(); });
  for (const part of document.querySelectorAll("[data-script]")) part.hidden = false;
  for (const part of document.querySelectorAll("[data-plain]")) part.hidden = true;
  sift();
})();
