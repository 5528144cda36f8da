import { beforeAll, expect, test } from "vitest";
import type { ApiUnderTest } from "../../../support/api/api-under-test.ts";
import { openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";

const SEARCH = "/api/v1/content/search";
let api: ApiUnderTest;

beforeAll(async () => {
  ({ api } = await openFreshApi());
});

test("a search result has its URL on the website and an excerpt with the answer", async () => {
  const { body } = await api.get(`${SEARCH}?q=leter+grade&limit=1`);
  expect(body.data).toEqual([
    {
      content_id: "learn:letter-grades",
      kind: "learn",
      slug: "letter-grades",
      title: "What a letter grade means",
      excerpt: expect.stringContaining("grade"),
      url: "http://web.test/learn/letter-grades",
    },
  ]);
});

test("a search has one page without cursor, total, scores or ETag, and ignores a cursor", async () => {
  const { body, headers } = await api.get(`${SEARCH}?q=trader&limit=2&cursor=abc`);
  expect(Object.keys(body).toSorted()).toEqual(["data", "has_more", "meta", "object"]);
  expect(body.has_more).toBe(false);
  expect(body.data).toHaveLength(2);
  expect(headers.get("x-query-ignored")).toBe("cursor");
  expect(headers.get("etag")).toBeNull();
});

test("a search returns 10 results by default, 50 at most, and none for words without a match", async () => {
  expect((await api.get(`${SEARCH}?q=trader`)).body.data).toHaveLength(10);
  const largest = await api.get(`${SEARCH}?q=trader&limit=1000`);
  expect(largest.headers.get("x-effective-query")).toBe("q=trader&limit=50");
  expect((await api.get(`${SEARCH}?q=%F0%9F%92%A5`)).body.data).toEqual([]);
});

test.each(["", "?q=", "?q=%20", `?q=${"a".repeat(257)}`])(
  "the content search query %j is refused with param q",
  async (query) => {
    expect(errorOf(await api.get(`${SEARCH}${query}`))).toEqual({ status: 400, reason: "invalid_query", param: "q" });
  },
);
