import { expect, test } from "vitest";
import { attributesOf, builtPages, builtSite, findDeadEnd } from "../../support/site/built-site.ts";

const pathOf = (file: string) => `/${file.replace(/\.html$/, "")}`;

test.each(builtPages)("%s has one title, one main part and no script, image or foreign resource", (file) => {
  const html = builtSite.get(file) ?? "";
  const count = (pattern: RegExp) => html.match(pattern)?.length ?? 0;
  expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(html).toMatch(/<title>[^<]+<\/title>/);
  expect({ titles: count(/<h1>/g), mains: count(/<main id="content"/g) }).toEqual({ titles: 1, mains: 1 });
  expect(count(/<(script|img|iframe|object|embed|style|form)\b| style=| on\w+="/g)).toBe(0);
  const loaded = [...html.matchAll(/<link [^>]*href="([^"]*)"/g)].map(([, href = ""]) => href);
  expect(loaded).toHaveLength(3);
  expect(loaded.filter((href) => !/^\/\w/.test(href))).toEqual([]);
});

test("every link of every page leads to a page, and to an element of it", () => {
  const links = builtPages.flatMap((file) => attributesOf(file, "href").map((link) => ({ file, link })));
  expect(links.flatMap(({ file, link }) => findDeadEnd(link, pathOf(file)) ?? [])).toEqual([]);
  expect(links.length).toBeGreaterThan(3000);
});

test("every page is also Markdown, and the links of the Markdown are whole and lead somewhere", () => {
  const dead = builtPages.flatMap((file) => {
    const markdown = builtSite.get(file.replace(/\.html$/, ".md"));
    if (markdown === undefined) return [`${file} has no Markdown`];
    const links = [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    return links.flatMap((link) =>
      link.startsWith("https://")
        ? (findDeadEnd(link.replace("https://www.example.com", "http://web.test"), pathOf(file)) ?? [])
        : [`${file}: ${link} has no address`],
    );
  });
  expect(dead).toEqual([]);
});

test("no page shows a placeholder, and every page is reached from the navigation or another page", () => {
  for (const [file, text] of builtSite) expect(`${file}: ${/\{\{[\w:]+\}\}/.exec(text)?.[0] ?? ""}`).toBe(`${file}: `);
  const linked = new Set(builtPages.flatMap((file) => attributesOf(file, "href").map((link) => link.split("#")[0])));
  const lost = builtPages.map(pathOf).filter((path) => !linked.has(path) && path !== "/docs/not-found");
  expect(lost).toEqual([]);
});
