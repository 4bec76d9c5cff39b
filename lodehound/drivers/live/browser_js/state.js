// What changes while a page is still being built.
() => {
  const nodes = document.getElementsByTagName("*").length;
  return `${document.readyState} ${nodes} ${document.links.length} ${location.href}`;
}
