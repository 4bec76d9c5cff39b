// Clicks the next element that may show more links, and says which; null if there is none.
// Only what its words or its role say to be harmless is clicked; see docs/javascript.md.
([tried, skipped]) => {
  const NEVER = new RegExp(
    "log.?(out|off|in)|sign.?(out|off|in|up)|abmelden|anmelden|d[ée]connexion|cerrar sesi" +
    "|delete|remove|erase|l[öo]sch|entfern|supprim|eliminar|borrar|cancel|reset" +
    "|buy|order now|purchase|checkout|pay\\b|cart|basket|kaufen|bestell|acheter|comprar" +
    "|send|submit|post\\b|publish|share|subscribe|register|save|upload|vote|like\\b|follow" +
    "|senden|absenden|teilen|envoyer|enviar|accept|agree|zustimm", "i");
  const MORE = new RegExp(
    "(load|show|view|see|fetch|get) (more|all|next)|^more( results)?$|^next( page)?$|older" +
    "|mehr (laden|anzeigen)|weitere|^(n[äa]chste|weiter)|voir plus|afficher plus|charger" +
    "|^suivant|m[áa]s resultados|(ver|mostrar|cargar) m[áa]s|^siguiente|^(›|»|>|>>|→)$", "i");
  const DOWNLOAD = /download|export|herunterladen|t[ée]l[ée]charg|descargar|\b(csv|xlsx?|json|zip|pdf)\b/i;
  const SELECTOR = "button, [role=button], [role=tab], a:not([href]), a[href='#'], a[href^='#/'], " +
    "a[href^='#!'], a[href^='javascript:'], input[type=button], li[data-page], [data-toggle=tab], " +
    "[data-bs-toggle=tab], .page-link, .paginate_button, .dt-paging-button, [onclick]";
  const words = (element) =>
    (element.innerText || element.value || element.getAttribute("aria-label") ||
     element.title || "").replace(/\s+/g, " ").trim().slice(0, 80);
  const kindOf = (element, text) => {
    const href = element.getAttribute("href") || "";
    if (/^#[!/]/.test(href)) return "route";
    if (element.getAttribute("role") === "tab" ||
        /tab/.test(element.getAttribute("data-toggle") || element.getAttribute("data-bs-toggle") || ""))
      return "tab";
    const label = `${text} ${element.getAttribute("aria-label") || ""}`.trim();
    if (MORE.test(text) || MORE.test(element.getAttribute("aria-label") || "")) return "more";
    if (/^\d{1,4}$/.test(text) && element.closest("[class*=pag], nav, [role=navigation]")) return "page";
    if (DOWNLOAD.test(label)) return "download";
    return "";
  };
  const where = (element) => {
    const path = [];
    for (let at = element; at && at.tagName && path.length < 6; at = at.parentElement)
      path.push(at.tagName.toLowerCase() + (at.id ? `#${at.id}` : ""));
    return path.join("<");
  };
  const ORDER = ["more", "page", "tab", "route", "download"];
  const found = {};
  let count = 0;
  for (const element of document.querySelectorAll(SELECTOR)) {
    if (++count > 2000) break;
    if (element.disabled || element.getAttribute("aria-disabled") === "true" || element.hidden ||
        /\bdisabled\b/.test(element.className) || /\bdisabled\b/.test(element.parentElement?.className || ""))
      continue;
    const form = element.closest("form");
    if (form && ((form.method || "").toLowerCase() === "post" || element.type === "submit" ||
        element.type === "reset")) continue;
    const text = words(element);
    const said = `${text} ${element.getAttribute("aria-label") || ""} ${element.id} ${element.getAttribute("name") || ""} ${element.getAttribute("href") || ""}`;
    if (NEVER.test(said)) continue;
    const kind = kindOf(element, text);
    if (!kind || found[kind] || skipped.includes(kind)) continue;
    const address = kind === "route" ? element.getAttribute("href") : where(element);
    const key = kind === "page" ? `page ${text}` : `${kind} ${text} ${address}`;
    if (!tried.includes(key)) found[kind] = { element, kind, key };
  }
  const next = ORDER.map((kind) => found[kind]).find(Boolean);
  if (!next) return null;
  next.element.click();
  return { kind: next.kind, key: next.key, again: next.kind === "more" };
}
