// Scrolls to the end; says whether there was anything to scroll.
() => {
  const before = window.scrollY;
  window.scrollTo(0, document.documentElement.scrollHeight);
  window.dispatchEvent(new Event("scroll"));
  return window.scrollY > before;
}
