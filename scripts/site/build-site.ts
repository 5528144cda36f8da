import { readFileSync } from "node:fs";
import { EXAMPLE_WEB } from "../../src/sandbox/samples.ts";
import { CONTENT_LINKS, contentPages } from "./content-pages.ts";
import { fillPlaceholders } from "./fill-placeholders.ts";
import { GUIDES, readGuide } from "./guides.ts";
import { presentPage } from "./page-template.ts";
import { tagPath, type ApiDocument } from "./reference/api-document.ts";
import { referencePages } from "./reference/reference-pages.ts";
import { renderMarkdown } from "./render-markdown.ts";
import { readShownResponses } from "./reference/shown-responses.ts";
import type { SiteFacts } from "./site-facts.ts";
import type { NavGroup, SitePage } from "./site-page.ts";
import { generatedParts } from "./tables.ts";

/** All pages of the site. @throws Error for a placeholder without a value, and for a number that no page names */
export function listPages(document: ApiDocument, facts: SiteFacts): SitePage[] {
  const shown = readShownResponses(document);
  const parts = generatedParts(document, facts, shown);
  const used = new Set<string>();
  const guides = GUIDES.map((guide) => ({
    path: guide.name === "" ? "/docs" : `/docs/${guide.name}`,
    markdown: fillPlaceholders(readGuide(guide), parts, used),
  }));
  const single = (path: string, file: string) => ({ path, markdown: fillPlaceholders(readSource(file), parts, used) });
  const pages = [
    ...guides,
    ...referencePages(document, facts, shown),
    ...contentPages(facts.content),
    single("/billing", "docs/site/billing.md"),
    single("/docs/not-found", "docs/site/not-found.md"),
  ];
  const unused = Object.keys(parts).filter((name) => !name.startsWith("example:") && !used.has(name));
  if (unused.length > 0) throw new Error(`no page names ${unused.join(", ")}`);
  return pages;
}

/** The files of the site by path, for the hosts of the examples. */
export function buildSite(document: ApiDocument, facts: SiteFacts): Map<string, string> {
  const nav = navigation(document);
  const files = new Map([
    ["assets/site.css", readSource("scripts/site/assets/site.css")],
    ["assets/favicon.svg", readSource("scripts/site/assets/favicon.svg")],
    ["docs/verify.mjs", readSource("docs/verify.mjs")],
  ]);
  for (const page of listPages(document, facts)) {
    const name = page.path.slice(1);
    files.set(`${name}.html`, presentPage(page, renderMarkdown(page.markdown), nav, document.info.title));
    files.set(`${name}.md`, `${withWholeLinks(page.markdown).trim()}\n`);
  }
  return files;
}

function navigation({ tags, paths }: ApiDocument): NavGroup[] {
  const used = new Set(Object.values(paths).flatMap((methods) => Object.values(methods).flatMap((one) => one.tags)));
  const reference = [
    { path: "/docs/reference", label: "Overview" },
    ...tags.filter(({ name }) => used.has(name)).map(({ name }) => ({ path: tagPath(name), label: name })),
    { path: "/docs/reference/webhook-events", label: "Webhook events" },
  ];
  const guides = Map.groupBy(GUIDES, ({ group }) => group);
  const links = (group: (typeof GUIDES)[number]["group"]) =>
    (guides.get(group) ?? []).map(({ name, label }) => ({ path: name === "" ? "/docs" : `/docs/${name}`, label }));
  return [
    { title: "Start", links: links("Start") },
    { title: "Guides", links: links("Guides") },
    { title: "API reference", links: reference },
    { title: "How figures are made", links: [...links("How figures are made"), ...CONTENT_LINKS.slice(1)] },
    { title: "Details", links: [...links("Details"), { path: "/billing", label: "Plans and billing" }] },
  ];
}

/** A reader of the Markdown has no base address: links are whole, and lead to Markdown where there is some. */
const withWholeLinks = (markdown: string): string =>
  markdown.replaceAll(/\]\((\/[^)#]*)(#[^)]*)?\)/g, (_, path: string, anchor = "") => {
    const isFile = /\.\w+$/.test(path);
    return `](${EXAMPLE_WEB}${path}${isFile ? "" : ".md"}${anchor})`;
  });

const readSource = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
