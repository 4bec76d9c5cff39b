// What changes while a page is still being built.
() => {
  const body = document.body;
  const nodes = document.getElementsByTagName("*").length;
  const text = body ? (body.textContent || "").length : 0;
  return `${document.readyState} ${nodes} ${text} ${location.href}`;
}
