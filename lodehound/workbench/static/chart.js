"use strict";
// A chart to look at closely: the pointer or the arrow keys read values, dragging zooms in, a
// double click zooms out. It is drawn from [[x...], [finds...], [all...], [least...], [most...]].
(function () {
  const SVG = "http://www.w3.org/2000/svg";
  const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [1000, 300, 60, 28, 8];
  const NAMES = ["finds", "all finds, by estimate", "at least", "at most"];
  const charts = new Map(); // the element of a chart -> the chart

  function node(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // About so many round numbers between two numbers.
  function ticks(low, high, count) {
    const rough = (high - low) / count || 1;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough);
    const found = [];
    for (let at = Math.ceil(low / step) * step; at <= high; at += step) found.push(at);
    return found;
  }

  class Chart {
    constructor(host) {
      this.svg = node("svg", {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", tabindex: "0",
        "aria-label": "Finds against requests, with the estimate and its interval",
      });
      this.values = document.createElement("p");
      this.values.className = "values";
      host.append(this.svg, this.values);
      this.zoom = null;
      this.at = null; // the number of the point that is read
      this.listen();
    }

    show(data) {
      this.data = data;
      this.draw();
    }

    draw() {
      const xs = this.data[0];
      [this.low, this.high] = this.zoom || [xs[0] ?? 0, xs[xs.length - 1] ?? 1];
      const seen = xs.map((_, n) => n).filter((n) => xs[n] >= this.low && xs[n] <= this.high);
      const ys = seen.flatMap((n) => this.data.slice(1).map((values) => values[n] ?? 0));
      this.top = Math.max(1, ...ys);
      this.svg.replaceChildren(...this.axes(), this.lines());
      this.cursor = this.svg.appendChild(node("path", { class: "cursor" }));
      this.choice = this.svg.appendChild(node("rect", { class: "choice", y: TOP, height: 0 }));
      this.read(this.at === null ? xs.length - 1 : this.at);
    }

    x(value) {
      return LEFT + ((value - this.low) / (this.high - this.low || 1)) * (WIDTH - LEFT);
    }

    y(value) {
      return HEIGHT - BOTTOM - (value / this.top) * (HEIGHT - BOTTOM - TOP);
    }

    axes() {
      const made = [];
      for (const at of ticks(0, this.top, 5)) {
        made.push(node("path", { class: "grid", d: `M${LEFT} ${this.y(at)}H${WIDTH}` }));
        made.push(node("text", { x: LEFT - 8, y: this.y(at) + 4, "text-anchor": "end" }, at));
      }
      for (const at of ticks(this.low, this.high, 8)) {
        made.push(node("text", { x: this.x(at), y: HEIGHT - 8, "text-anchor": "middle" }, at));
      }
      return made;
    }

    // All lines, of which only what lies between the axes is seen.
    lines() {
      const points = (values) => this.data[0]
        .map((x, n) => values[n] != null && `${this.x(x)} ${this.y(values[n])}`).filter(Boolean);
      const [finds, all, least, most] = this.data.slice(1).map(points);
      const line = (name, at) => node("path", { class: name, d: at.length ? `M${at.join("L")}` : "" });
      const band = [...least, ...most.reverse()];
      const made = node("svg", {
        x: LEFT, width: WIDTH - LEFT, height: HEIGHT - BOTTOM,
        viewBox: `${LEFT} 0 ${WIDTH - LEFT} ${HEIGHT - BOTTOM}`, overflow: "hidden",
      });
      made.append(line("band", band), line("estimate", all), line("found", finds));
      return made;
    }

    // Shows the values of a point.
    read(number) {
      const [xs, ...rows] = this.data;
      if (!xs.length) return;
      this.at = Math.min(Math.max(number, 0), xs.length - 1);
      this.cursor.setAttribute("d", `M${this.x(xs[this.at])} ${TOP}V${HEIGHT - BOTTOM}`);
      const last = (values) => values.slice(0, this.at + 1).findLast((value) => value != null);
      const words = rows.map((values, n) => [NAMES[n], last(values)]).filter(([, value]) => value != null);
      this.values.textContent = [`${xs[this.at]} requests`,
        ...words.map(([name, value]) => `${name}: ${Math.round(value)}`)].join(" · ");
    }

    // The number of requests under the pointer.
    under(event) {
      const { left, width } = this.svg.getBoundingClientRect();
      const share = ((event.clientX - left) / width * WIDTH - LEFT) / (WIDTH - LEFT);
      return this.low + Math.min(Math.max(share, 0), 1) * (this.high - this.low);
    }

    nearest(value) {
      const xs = this.data[0];
      const next = xs.findIndex((x) => x >= value);
      if (next < 1) return next === 0 ? 0 : xs.length - 1;
      return value - xs[next - 1] < xs[next] - value ? next - 1 : next;
    }

    listen() {
      let from = null;
      this.svg.addEventListener("pointerdown", (event) => { from = this.under(event); });
      this.svg.addEventListener("pointermove", (event) => {
        const here = this.under(event);
        this.read(this.nearest(here));
        if (from === null) return;
        const [low, high] = [from, here].sort((one, other) => one - other);
        this.choice.setAttribute("x", this.x(low));
        this.choice.setAttribute("width", this.x(high) - this.x(low));
        this.choice.setAttribute("height", HEIGHT - BOTTOM - TOP);
      });
      window.addEventListener("pointerup", (event) => {
        if (from === null) return;
        const [low, high] = [from, this.under(event)].sort((one, other) => one - other);
        from = null;
        if (this.nearest(high) > this.nearest(low)) this.zoom = [low, high];
        this.draw();
      });
      this.svg.addEventListener("dblclick", () => {
        this.zoom = null;
        this.draw();
      });
      this.svg.addEventListener("keydown", (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!step) return;
        event.preventDefault();
        this.read(this.at + step);
      });
    }
  }

  async function draw(part) {
    const response = await fetch(part.dataset.chart);
    if (!response.ok) return;
    const data = await response.json();
    if (!charts.has(part)) charts.set(part, new Chart(part.querySelector(".closer")));
    charts.get(part).show(data);
  }

  document.addEventListener("toggle", (event) => {
    if (event.target.dataset.chart && event.target.open) draw(event.target);
  }, true);
  document.addEventListener("crawl-change", () => {
    for (const part of charts.keys()) if (part.open && part.isConnected) draw(part);
  });
})();
