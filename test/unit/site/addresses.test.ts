import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ApiError, ERRORS, type Reason } from "../../../src/api/errors.ts";
import { describeFailure } from "../../../src/api/response/error-response.ts";
import { CONTENT_ITEMS } from "../../../src/operations/content/content-items.ts";
import { API_OPERATIONS } from "../../../src/operations/index.ts";
import { tagPath } from "../../../scripts/site/reference/api-document.ts";
import { attributesOf, builtSite, findDeadEnd } from "../../support/site/built-site.ts";

const REASONS = Object.keys(ERRORS) as Reason[];

test.each(REASONS)("the doc_url of %s leads to its section", (reason) => {
  const context = { method: "GET", docsUrl: "http://web.test/docs", now: new Date(0), random: () => 0 };
  const { body } = describeFailure(new ApiError(reason), context);
  expect(findDeadEnd(String(body["doc_url"]), "/")).toBeNull();
});

test("the page of errors explains each reason and code under its own anchor", () => {
  const anchors = attributesOf("docs/errors.html", "id");
  expect(anchors).toEqual(expect.arrayContaining([...REASONS, ...REASONS.map((reason) => ERRORS[reason].code)]));
  const advice = builtSite.get("docs/errors.html")?.match(/What to do\./g) ?? [];
  expect(advice).toHaveLength(REASONS.length);
});

test.each(CONTENT_ITEMS)("the address that content/search gives for $kind $slug is a page", ({ kind, slug, title }) => {
  expect(builtSite.get(`${kind}/${slug}.html`)).toContain(title.replaceAll("'", "&#39;").split("&#39;")[0]);
});

test("the pages that responses name exist", () => {
  for (const link of ["/docs", "/docs/methodology#the-public-record", "/docs/errors#not_found", "/billing"])
    expect(findDeadEnd(link, "/")).toBeNull();
});

test.each(["llms", "agents"])("every link of the agents' file %s leads somewhere", (name) => {
  const file = new URL(`../../../src/generated/agents/${name}.txt`, import.meta.url);
  const links = [...readFileSync(file, "utf8").matchAll(/\]\((https:\/\/www\.example\.com[^)\s]*)\)/g)];
  const dead = links.flatMap(
    ([, link = ""]) => findDeadEnd(link.replace("https://www.example.com", "http://web.test"), "/") ?? [],
  );
  expect(dead).toEqual([]);
  expect(links.length).toBeGreaterThan(0);
});

test("the reference has a section for every operation, with its path, and an example unless it is an older name", () => {
  for (const { id, tag, method, path, alias } of API_OPERATIONS) {
    const file = `${tagPath(tag).slice(1)}.html`;
    expect(findDeadEnd(`/${file.replace(/\.html$/, "")}#${id}`, "/")).toBeNull();
    expect(builtSite.get(file)).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
    const section = alias === undefined ? `${id}-example` : id;
    expect(findDeadEnd(`/${file.replace(/\.html$/, "")}#${section}`, "/")).toBeNull();
  }
});
