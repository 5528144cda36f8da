import { AGENT_FILES } from "../../../src/agent-files.ts";
import { buildSite } from "../../../scripts/site/build-site.ts";
import { readApiDocument } from "../../../scripts/site/reference/api-document.ts";
import { readSiteFacts } from "../../../scripts/site/site-facts.ts";

/** The files of the site by path, built from the stored sources. */
export const builtSite = buildSite(readApiDocument(), readSiteFacts());

/** The HTML files. */
export const builtPages = [...builtSite.keys()].filter((file) => file.endsWith(".html"));

/** The values of an attribute in a page. Another test proves that the markup is valid, so that each value is in quotes. */
export const attributesOf = (file: string, name: string): string[] =>
  [...(builtSite.get(file) ?? "").matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value = ""]) => value);

const idsByFile = new Map<string, ReadonlySet<string>>();

function idsOf(file: string): ReadonlySet<string> {
  const ids = idsByFile.get(file) ?? new Set(attributesOf(file, "id"));
  idsByFile.set(file, ids);
  return ids;
}

/** Other paths that the web origin serves. */
const OTHER_PATHS = new Set([...AGENT_FILES.map(({ path }) => path), "/api/v1/openapi.json"]);

/** @returns why a link leads nowhere; null when it leads to a page, and to an element of it where it names one */
export function findDeadEnd(link: string, base: string): string | null {
  const { origin, pathname, hash } = new URL(link, `http://web.test${base}`);
  if (origin !== "http://web.test" || OTHER_PATHS.has(pathname)) return null;
  const file = pathname.slice(1);
  const page = builtSite.has(`${file}.html`) ? `${file}.html` : file;
  if (!builtSite.has(page)) return `${base}: ${link} leads to no page`;
  const html = page.replace(/\.md$/, ".html");
  if (hash === "" || !html.endsWith(".html")) return null;
  return idsOf(html).has(hash.slice(1)) ? null : `${base}: ${link} leads to no anchor`;
}
