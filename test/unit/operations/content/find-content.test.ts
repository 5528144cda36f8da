import { describe, expect, test } from "vitest";
import type { ContentItem } from "../../../../src/operations/content/content-item.ts";
import { CONTENT_ITEMS } from "../../../../src/operations/content/content-items.ts";
import { findContent } from "../../../../src/operations/content/find-content.ts";

const anItem = (slug: string, title: string, summary: string, body: string[] = []): ContentItem => ({
  kind: "learn",
  slug,
  title,
  summary,
  body,
});

const ITEMS = [
  anItem("a", "Candles", "Prices of a day.", ["Nothing about letters.", "Weekly candles begin on Monday."]),
  anItem("b", "Letter grades", "What a letter says about price.", ["Candles are another matter."]),
  anItem("c", "Cursors", "Read on with the cursor.", ["A cursor is signed."]),
];
const slugsOf = (words: string, limit = 10) => findContent(ITEMS, words, limit).map(({ item }) => item.slug);

describe("the content search", () => {
  test.each([
    ["candles", "ab"],
    ["CANDLES!", "ab"],
    ["candels", "ab"],
    ["cand", "ab"],
    ["letter", "ba"],
    ["signed cursor", "c"],
    ["what is a cursor?", "c"],
    ["what is the", "c"],
    // No item has both words, so items with either are found.
    ["cursor candles", "abc"],
    ["cusror sigend", "c"],
    ["xylophone", ""],
    ["zz", ""],
    ["!!!", ""],
  ])("the words %j find the items %j, best match first", (words, expected) => {
    expect(slugsOf(words).toSorted().join("")).toBe([...expected].toSorted().join(""));
    expect(slugsOf(words)[0] ?? "").toBe(expected[0] ?? "");
  });

  test("short words match no misspelt words", () => {
    expect(slugsOf("dya")).toEqual([]);
  });

  test("the search returns at most the requested number of items", () => {
    expect(slugsOf("candles", 1)).toEqual(["a"]);
  });

  test("an excerpt is the sentence that matches more words than the summary", () => {
    expect(findContent(ITEMS, "weekly candles", 1)[0]?.excerpt).toBe("Weekly candles begin on Monday.");
    expect(findContent(ITEMS, "letter", 1)[0]?.excerpt).toBe("What a letter says about price.");
  });
});

describe("the published content", () => {
  test("content items have unique slugs that fit a URL", () => {
    const ids = CONTENT_ITEMS.map(({ kind, slug }) => `${kind}/${slug}`);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^(learn|glossary|comparison|research|strategy)\/[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(new Set(CONTENT_ITEMS.map(({ kind }) => kind)).size).toBe(5);
  });

  test("content items consist of sentences", () => {
    for (const { summary, body } of CONTENT_ITEMS)
      for (const sentence of [summary, ...body]) expect(sentence).toMatch(/^\S.*\S\.$/);
  });

  test.each(CONTENT_ITEMS.map((item) => [item.title, item] as const))(
    "%j is found by its title, complete or with a letter missing",
    (title, item) => {
      expect(findContent(CONTENT_ITEMS, title, 1)[0]?.item).toBe(item);
      const longest = title.split(" ").toSorted((a, b) => b.length - a.length)[0] ?? "";
      const misspelt = title.replace(longest, longest.slice(0, 2) + longest.slice(3));
      expect(findContent(CONTENT_ITEMS, misspelt, 3).map((found) => found.item)).toContain(item);
    },
  );

  test.each([
    ["how is pnl computed for a sale", "profit-and-loss"],
    ["insider radar", "suspicion-tracks"],
    ["smart money", "money-flows"],
    ["whale trade", "large-trades"],
    ["if-none-match", "conditional-requests"],
    ["429", "rate-limits"],
    ["cursor_expired", "cursors"],
  ])("the words %j find the item %s", (words, slug) => {
    expect(findContent(CONTENT_ITEMS, words, 3).map(({ item }) => item.slug)).toContain(slug);
  });
});
