// Scrolls the page, and the boxes in it, to the end; says whether there was anything to scroll.
() => {
  let scrolled = 0;
  const boxes = [...document.querySelectorAll("main, section, div, ul, ol, table")].slice(0, 5000);
  for (const box of [document.scrollingElement || document.documentElement, ...boxes]) {
    if (scrolled >= 20 || box.scrollHeight <= box.clientHeight) continue;
    const before = box.scrollTop;
    box.scrollTop = box.scrollHeight;
    if (box.scrollTop > before) scrolled++;
  }
  window.dispatchEvent(new Event("scroll"));
  return scrolled > 0;
}
