import { beforeAll, expect, test } from "vitest";
import type { ApiUnderTest } from "../../support/api-under-test.ts";
import { openFreshApi, refusalOf } from "../../support/fresh-api.ts";

const SEARCH = "/api/v1/content/search";
let api: ApiUnderTest;

beforeAll(async () => {
  ({ api } = await openFreshApi());
});

test("a text is told with its address on the website and the sentence that answers", async () => {
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

test("there is one page, without cursor, total or scores, and a cursor is a name it does not know", async () => {
  const { body, headers } = await api.get(`${SEARCH}?q=wallet&limit=2&cursor=abc`);
  expect(Object.keys(body).toSorted()).toEqual(["data", "has_more", "meta", "object"]);
  expect(body.has_more).toBe(false);
  expect(body.data).toHaveLength(2);
  expect(headers.get("x-query-ignored")).toBe("cursor");
  expect(headers.get("etag")).toBeNull();
});

test("10 are shown unless asked, 50 at most, and none for words that say nothing", async () => {
  expect((await api.get(`${SEARCH}?q=wallet`)).body.data).toHaveLength(10);
  const most = await api.get(`${SEARCH}?q=wallet&limit=1000`);
  expect(most.headers.get("x-effective-query")).toBe("q=wallet&limit=50");
  expect((await api.get(`${SEARCH}?q=%F0%9F%92%A5`)).body.data).toEqual([]);
});

test.each(["", "?q=", "?q=%20", `?q=${"a".repeat(257)}`])("%j is refused by name", async (query) => {
  expect(refusalOf(await api.get(`${SEARCH}${query}`))).toEqual({ status: 400, reason: "invalid_query", param: "q" });
});
