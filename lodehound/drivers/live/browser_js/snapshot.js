// The document with the links of its open shadow roots, and the links alone.
() => {
  const MAX = 8000000;
  const roots = [document];
  const hidden = [];
  for (let at = 0; at < roots.length && at < 2000; at++) {
    for (const element of roots[at].querySelectorAll("*")) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
    }
    if (at > 0) {
      for (const link of roots[at].querySelectorAll("a[href], area[href], iframe[src]")) {
        hidden.push(link.outerHTML.slice(0, 4000));
      }
    }
  }
  const links = [];
  for (const root of roots) {
    for (const link of root.querySelectorAll("a[href], area[href], iframe[src]")) {
      links.push(link.getAttribute("href") || link.getAttribute("src"));
    }
  }
  const html = document.documentElement.outerHTML.slice(0, MAX) + hidden.join("").slice(0, MAX);
  return { url: document.baseURI, html, links: links.join("\n").slice(0, MAX) };
}
