"use strict";
// Follows the crawl: the server says when something has changed, and the page asks for it.
(function () {
  const EVERY = 2000; // milliseconds between two updates of a page
  const source = document.body.dataset.events;
  const pause = document.getElementById("pause");
  let paused = false;
  let waiting = 0;

  function changed() {
    if (paused || waiting || document.hidden) return;
    waiting = window.setTimeout(() => {
      waiting = 0;
      document.body.dispatchEvent(new CustomEvent("crawl-change"));
    }, EVERY);
  }

  if (source) {
    const events = new EventSource(source);
    events.addEventListener("change", changed);
    document.addEventListener("visibilitychange", changed);
    pause.hidden = false;
    pause.addEventListener("click", () => {
      paused = !paused;
      pause.setAttribute("aria-pressed", String(paused));
      pause.textContent = paused ? "Resume updates" : "Pause updates";
      changed();
    });
  }

  // A chart to look at closely: the pointer reads values, dragging zooms in.
  const charts = new Map();

  async function draw(part) {
    const response = await fetch(part.dataset.chart);
    if (!response.ok) return;
    const data = await response.json();
    if (charts.has(part)) {
      charts.get(part).setData(data);
      return;
    }
    const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const host = part.querySelector(".closer");
    const axis = { stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1 } };
    const estimate = { stroke: colour("--other"), spanGaps: true, points: { show: false } };
    charts.set(part, new uPlot({
      width: host.clientWidth,
      height: 300,
      scales: { x: { time: false } },
      axes: [axis, axis],
      bands: [{ series: [4, 3], fill: colour("--main-soft") }],
      series: [
        { label: "requests" },
        { label: "finds", stroke: colour("--main"), width: 2, spanGaps: true },
        { ...estimate, label: "all finds, by estimate", width: 2 },
        { ...estimate, label: "at least", width: 0.5 },
        { ...estimate, label: "at most", width: 0.5 },
      ],
    }, data, host));
  }

  document.addEventListener("toggle", (event) => {
    if (event.target.dataset && event.target.dataset.chart && event.target.open) draw(event.target);
  }, true);
  window.addEventListener("resize", () => {
    for (const [part, chart] of charts) {
      chart.setSize({ width: part.querySelector(".closer").clientWidth, height: 300 });
    }
  });
  document.body.addEventListener("crawl-change", () => {
    for (const part of charts.keys()) if (part.open && part.isConnected) draw(part);
  });
})();
