import type { NavGroup, SitePage } from "./site-page.ts";
import { escapeHtml, type RenderedPage } from "./render-markdown.ts";

/** A whole HTML document: no script, one style sheet, nothing from another origin. */
export function presentPage(
  page: SitePage,
  rendered: RenderedPage,
  nav: readonly NavGroup[],
  siteName: string,
): string {
  const title = page.path === "/docs" ? siteName : `${rendered.title} · ${siteName}`;
  const sections = rendered.headings.filter(({ depth }) => depth === 2);
  const links = presentNav(page.path, nav);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(shorten(rendered.summary))}">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/assets/site.css">
<link rel="icon" href="/assets/favicon.svg" type="image/svg+xml">
<link rel="alternate" href="${page.path}.md" type="text/markdown" title="Markdown">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="/docs"><span class="mark" aria-hidden="true"></span>${escapeHtml(siteName)}</a>
<nav aria-label="Main"><ul><li><a href="/docs/quickstart">Quickstart</a></li><li><a href="/docs/reference">Reference</a></li><li><a href="/docs/errors">Errors</a></li></ul></nav>
</header>
<details class="menu"><summary>Menu</summary>
<nav aria-label="Documentation, menu">${links}</nav>
</details>
<div class="columns">
<nav class="side" aria-label="Documentation">${links}</nav>
<main id="content" tabindex="-1">
<article>
<h1>${escapeHtml(rendered.title)}</h1>
${rendered.html}</article>
<footer><p><a href="${page.path}.md">This page as Markdown</a> · <a href="/llms.txt">llms.txt</a> · <a href="/api/v1/openapi.json">OpenAPI 3.1</a></p></footer>
</main>
${sections.length < 2 ? "" : `<nav class="toc" aria-label="On this page"><p>On this page</p><ul>${sections.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`).join("")}</ul></nav>\n`}</div>
</body>
</html>
`;
}

function presentNav(current: string, nav: readonly NavGroup[]): string {
  return nav
    .map(({ title, links }) => {
      const items = links.map(({ path, label }) => {
        const state = path === current ? ' aria-current="page"' : "";
        return `<li><a href="${path}"${state}>${escapeHtml(label)}</a></li>`;
      });
      return `<p class="group">${escapeHtml(title)}</p><ul>${items.join("")}</ul>`;
    })
    .join("\n");
}

/** Search engines show about 160 characters. */
const shorten = (text: string): string => (text.length <= 160 ? text : `${text.slice(0, 157).replace(/\s\S*$/, "")}…`);
