"use strict";
// Keeps pages up to date without reloading them.
//
// An element with data-get asks for that URL again, and puts the part of the answer that data-part
// names (a selector) in the place of the same part of the page:
//   data-on="change"  when the crawl has changed
//   data-on="load"    once, after data-delay milliseconds
//   data-on="input"   when a field in it is filled in; the fields of its form are sent
// With data-into, the part becomes the content of the element itself. With data-push, the address
// of the browser follows. Parts are changed where they differ: focus, open details and what
// data-keep marks stay.
(function () {
  const EVERY = 2000; // milliseconds between two updates of a page
  const TYPING = 250; // milliseconds without a key before a form is sent
  const asked = new WeakMap(); // element -> the request on its way

  // Changes a node into another one.
  function morph(old, fresh) {
    if (old.isEqualNode(fresh)) return;
    if (old.nodeType !== 1 || old.nodeName !== fresh.nodeName || old.id !== fresh.id) {
      old.replaceWith(fresh);
      return;
    }
    if (old.hasAttribute("data-keep")) return;
    for (const { name } of [...old.attributes]) {
      if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
    }
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    morphChildren(old, fresh);
  }

  function morphChildren(old, fresh) {
    let place = old.firstChild;
    for (const child of [...fresh.childNodes]) {
      const same = child.id && [...old.children].find((one) => one.id === child.id);
      if (same && same !== place) old.insertBefore(same, place);
      const needed = place && place.id && [...fresh.children].some((one) => one.id === place.id);
      if (!same && (!place || needed)) {
        old.insertBefore(child, place);
        continue;
      }
      const here = same || place;
      place = here.nextSibling;
      morph(here, child);
    }
    while (place) {
      const next = place.nextSibling;
      place.remove();
      place = next;
    }
  }

  // The fields that are filled in; what protects a form from other sites is not shown in addresses.
  function fields(form) {
    const given = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      if (value && name !== "csrf") given.append(name, value);
    }
    return given.toString();
  }

  async function update(element, query = "") {
    asked.get(element)?.abort();
    const request = new AbortController();
    asked.set(element, request);
    const { get, part, into, push } = element.dataset;
    const url = query ? `${get}?${query}` : get;
    let text;
    try {
      const response = await fetch(url, { signal: request.signal });
      if (!response.ok) return;
      text = await response.text();
    } catch {
      return; // the next change asks again
    }
    const fresh = new DOMParser().parseFromString(text, "text/html").querySelector(part);
    if (!fresh) return;
    if (into !== undefined) {
      element.replaceChildren(fresh);
    } else {
      const old = document.querySelector(part);
      if (!old) return;
      morph(old, fresh);
    }
    if (push !== undefined) history.pushState(null, "", url);
    loaded();
  }

  // Asks once for what is not there yet.
  function loaded() {
    for (const element of document.querySelectorAll('[data-on="load"]:not([data-asked])')) {
      element.dataset.asked = "";
      window.setTimeout(update, Number(element.dataset.delay) || 0, element);
    }
  }

  let typing = 0;
  document.addEventListener("input", (event) => {
    const element = event.target.closest('[data-on="input"]');
    if (!element) return;
    window.clearTimeout(typing);
    typing = window.setTimeout(() => update(element, fields(event.target.form)), TYPING);
  });
  document.addEventListener("submit", (event) => {
    if (event.target.dataset.on !== "input") return;
    event.preventDefault();
    window.clearTimeout(typing);
    update(event.target, fields(event.target));
  });
  window.addEventListener("popstate", () => location.reload());
  loaded();

  const source = document.body.dataset.events;
  if (!source) return;
  const pause = document.getElementById("pause");
  let paused = false;
  let waiting = 0;

  function changed() {
    if (paused || waiting || document.hidden) return;
    waiting = window.setTimeout(() => {
      waiting = 0;
      for (const element of document.querySelectorAll('[data-on="change"]')) update(element);
      document.dispatchEvent(new CustomEvent("crawl-change"));
    }, EVERY);
  }

  new EventSource(source).addEventListener("change", changed);
  document.addEventListener("visibilitychange", changed);
  pause.hidden = false;
  pause.addEventListener("click", () => {
    paused = !paused;
    pause.setAttribute("aria-pressed", String(paused));
    pause.textContent = paused ? "Resume updates" : "Pause updates";
    changed();
  });
})();
