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
})();
