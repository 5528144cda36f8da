import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAlias, defineOperation } from "../../../../src/api/operation.ts";
import {
  enumParam,
  expandParam,
  limitParam,
  numberParam,
  textParam,
} from "../../../../src/api/request/query-params.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { expectApiError } from "../../../support/kernel/api-error.ts";
import { openKernel, openTestRuntime, type Kernel } from "../../../support/kernel/open-kernel.ts";
import { PLAIN_OPERATION } from "../../../support/kernel/plain-operation.ts";

const SHELF = Array.from({ length: 23 }, (_, index) => `item ${index}`);

const Position = z.object({ after: z.number().int() });

/** A list over SHELF. Its filters do not change the rows. */
const shelfList = (id: string, path: string) =>
  defineOperation({
    ...PLAIN_OPERATION,
    kind: "list",
    id,
    path,
    params: path.includes("{shop}") ? { shop: z.string() } : {},
    query: {
      limit: limitParam({ max: 10, default: 4 }),
      min_size: numberParam({ default: 0 }),
      category: textParam(),
      sort: enumParam(["up", "down"], "up"),
      expand: expandParam(["maker", "price"]),
    },
    item: z.string(),
    cursor: { prefix: "sh_", position: Position },
    handle: async ({ query, cursor }) => {
      const start = cursor === null ? 0 : cursor.after + 1;
      const end = start + query.limit;
      return { data: SHELF.slice(start, end), next: end < SHELF.length ? { after: end - 1 } : null };
    },
  });

const shelf = shelfList("listShelf", "/api/v1/shelf");
const OLD = { since: new Date("2026-01-01T00:00:00Z"), sunset: new Date("2027-01-01T00:00:00Z") };
const ranked = {
  ...shelf,
  id: "listRanked",
  path: "/api/v1/ranked",
  cursor: { prefix: "rk_", position: Position, bindsLimit: true },
} as typeof shelf;
const dated = {
  ...shelf,
  id: "listDated",
  path: "/api/v1/dated",
  cursor: { prefix: "dt_", position: Position, expiresWithFilters: true },
} as typeof shelf;
const TEST_LISTS = [
  shelf,
  ranked,
  dated,
  shelfList("listShelfHistory", "/api/v1/shelf/history"),
  shelfList("listShop", "/api/v1/shop/{shop}/shelf"),
  defineAlias(shelf, { ...OLD, id: "listRack", path: "/api/v1/rack", mcpTool: null }),
];

let databaseUrl: string;
let api: Kernel;

beforeAll(async () => {
  databaseUrl = (await createTestDatabase()).databaseUrl;
  api = openKernel(openTestRuntime(databaseUrl), TEST_LISTS);
});

/** The cursor of a list's first page. */
async function cursorOf(path: string, kernel = api): Promise<string> {
  const { body } = await kernel.send(path);
  expect(body.has_more).toBe(true);
  expect(body.next_cursor).toMatch(/^\S+$/);
  return body.next_cursor;
}

const follow = (path: string, cursor: string, kernel = api) =>
  kernel.send(`${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`);

async function expectRefused(path: string, cursor: string, kernel = api): Promise<void> {
  expectApiError(await follow(path, cursor, kernel), {
    status: 400,
    code: "bad_request",
    reason: "invalid_query",
    param: "cursor",
  });
}

describe("paging", () => {
  test.for([1, 3, 10])("a walk with %i items per page returns every item once, in order", async (limit) => {
    const pages = [await api.send(`/api/v1/shelf?limit=${limit}`)];
    for (let last = pages[0]; last?.body.has_more === true; last = pages.at(-1)) {
      pages.push(await follow(`/api/v1/shelf?limit=${limit}`, last.body.next_cursor));
    }
    expect(pages.flatMap(({ body }) => body.data)).toEqual(SHELF);
    expect(pages).toHaveLength(Math.ceil(SHELF.length / limit));
    // A repeated cursor would make a client walk forever.
    const cursors = pages.flatMap(({ body }) => body.next_cursor ?? []);
    expect(new Set(cursors).size).toBe(pages.length - 1);
  });

  test("a walk with changing page sizes returns every item once", async () => {
    const first = await api.send("/api/v1/shelf?limit=2");
    const second = await follow("/api/v1/shelf?limit=5", first.body.next_cursor);
    const third = await follow("/api/v1/shelf", second.body.next_cursor);
    expect([first, second, third].flatMap(({ body }) => body.data)).toEqual(SHELF.slice(0, 2 + 5 + 4));
  });
});

test("the last page has no cursor", async () => {
  const cursor = await cursorOf("/api/v1/shelf?limit=10");
  const second = await follow("/api/v1/shelf?limit=10", cursor);
  const last = await follow("/api/v1/shelf?limit=10", second.body.next_cursor);
  expect(last.body).toMatchObject({ object: "list", has_more: false });
  expect(last.body.next_cursor ?? null).toBeNull();
});

test("an empty cursor requests the first page", async () => {
  expect((await api.send("/api/v1/shelf?cursor=")).body.data).toEqual(SHELF.slice(0, 4));
});

describe("accepted cursors", () => {
  test.for([
    ["the same filters in another order", "/api/v1/shelf?category=a&min_size=5", "/api/v1/shelf?min_size=5&category=a"],
    ["the same value written another way", "/api/v1/shelf?min_size=1000", "/api/v1/shelf?min_size=1e3"],
    ["a default that is spelled out", "/api/v1/shelf", "/api/v1/shelf?sort=up&min_size=0"],
    [
      "the same set in another order",
      "/api/v1/shelf?expand=maker,price",
      "/api/v1/shelf?expand[]=price&expand[]=maker",
    ],
    ["the page size that the list binds", "/api/v1/ranked", "/api/v1/ranked?limit=4"],
    ["an ignored query name", "/api/v1/shelf", "/api/v1/shelf?nonsense=1"],
    ["the deprecated spelling of its list", "/api/v1/shelf", "/api/v1/rack"],
    ["the same path value", "/api/v1/shop/a/shelf", "/api/v1/shop/%61/shelf"],
  ] as const)("a cursor is accepted with %s", async ([, minted, used]) => {
    const response = await follow(used, await cursorOf(minted));
    expect(response.status).toBe(200);
    expect(response.body.data).toEqual(SHELF.slice(4, 8));
  });
});

describe("refused cursors", () => {
  test.for([
    ["a filter added", "/api/v1/shelf", "/api/v1/shelf?category=a"],
    ["a filter dropped", "/api/v1/shelf?category=a", "/api/v1/shelf"],
    ["another value of a filter", "/api/v1/shelf?category=a", "/api/v1/shelf?category=b"],
    [
      "the values of two filters exchanged",
      "/api/v1/shelf?category=down&sort=up",
      "/api/v1/shelf?category=up&sort=down",
    ],
    ["another order", "/api/v1/shelf?sort=up", "/api/v1/shelf?sort=down"],
    ["an empty text instead of none", "/api/v1/shelf", "/api/v1/shelf?category="],
    ["another page size when the list binds it", "/api/v1/ranked?limit=4", "/api/v1/ranked?limit=5"],
    ["another list of the same form", "/api/v1/shelf", "/api/v1/shelf/history"],
    ["another path value", "/api/v1/shop/a/shelf", "/api/v1/shop/b/shelf"],
  ] as const)("a cursor is refused with %s", async ([, minted, used]) => {
    await expectRefused(used, await cursorOf(minted));
  });
});

test("a cursor changed, shortened or extended at any position is refused", async () => {
  const cursor = await cursorOf("/api/v1/shelf");
  for (let at = 0; at < cursor.length; at++) {
    const replacement = cursor[at] === "A" ? "B" : "A";
    await expectRefused("/api/v1/shelf", cursor.slice(0, at) + replacement + cursor.slice(at + 1));
    // An empty cursor requests the first page.
    if (at > 0) await expectRefused("/api/v1/shelf", cursor.slice(0, at));
    await expectRefused("/api/v1/shelf", cursor.slice(0, at) + cursor.slice(at + 1));
  }
});

/** Another text for the same bytes: eleven bytes leave two bits of the last base64 digit unused. */
function setUnusedBit(cursor: string): string {
  return cursor.replace(/(.)\./, (_, digit: string) => `${String.fromCharCode(digit.charCodeAt(0) + 1)}.`);
}

test.for([
  ["a part after the signature", (cursor: string) => `${cursor}.x`],
  ["a full stop after the signature", (cursor: string) => `${cursor}.`],
  ["padding", (cursor: string) => cursor.replace(".", "=.")],
  ["a byte order mark inside", (cursor: string) => `sh_77u_${cursor.slice("sh_".length)}`],
  ["unused bits set in its last digit", setUnusedBit],
  ["a leading blank", (cursor: string) => ` ${cursor}`],
  ["a trailing blank", (cursor: string) => `${cursor} `],
  ["its prefix twice", (cursor: string) => `sh_${cursor}`],
  ["another prefix", (cursor: string) => cursor.replace("sh_", "lbv1_")],
  ["no prefix", (cursor: string) => cursor.slice("sh_".length)],
] as const)("a cursor with %s is refused", async ([, mangle]) => {
  await expectRefused("/api/v1/shelf", mangle(await cursorOf("/api/v1/shelf")));
});

test("a cursor signed with another secret is refused", async () => {
  const otherKernel = openKernel(
    openTestRuntime(databaseUrl, { CURSOR_SECRET: "another-cursor-secret-of-32-bytes-or-more" }),
    TEST_LISTS,
  );
  const cursor = await cursorOf("/api/v1/shelf", otherKernel);
  expect((await follow("/api/v1/shelf", cursor, otherKernel)).status).toBe(200);
  await expectRefused("/api/v1/shelf", cursor);
});

test("a cursor stays valid while the secret that signed it is configured", async () => {
  const rotated = openKernel(
    openTestRuntime(databaseUrl, {
      CURSOR_SECRET: "another-cursor-secret-of-32-bytes-or-more",
      CURSOR_SECRET_PREVIOUS: "test-cursor-secret-of-32-bytes-or-more",
    }),
    TEST_LISTS,
  );
  const cursor = await cursorOf("/api/v1/shelf");
  const page = await follow("/api/v1/shelf", cursor, rotated);
  expect(page.body.data).toEqual(SHELF.slice(4, 8));
  // The next page's cursor is signed with the new secret.
  await expectRefused("/api/v1/shelf", page.body.next_cursor);
  expect((await follow("/api/v1/shelf", page.body.next_cursor, rotated)).body.data).toEqual(SHELF.slice(8, 12));
});

test("a cursor whose position schema has changed since returns cursor_expired", async () => {
  const newer = { ...shelf, cursor: { prefix: "sh_", position: z.object({ behind: z.string() }) } } as typeof shelf;
  const response = await follow(
    "/api/v1/shelf",
    await cursorOf("/api/v1/shelf"),
    openKernel(openTestRuntime(databaseUrl), [newer]),
  );
  expectApiError(response, { status: 400, code: "bad_request", reason: "cursor_expired", param: "cursor" });
  expect(response.headers.has("retry-after")).toBe(false);
});

describe("list whose cursors expire with its filters", () => {
  test("a cursor that expires with its filters is accepted with the same filters and another page size", async () => {
    const response = await follow("/api/v1/dated?limit=2&category=a", await cursorOf("/api/v1/dated?category=a"));
    expect(response.body.data).toEqual(SHELF.slice(4, 6));
  });

  test("a cursor that expires with its filters returns cursor_expired for other filters", async () => {
    const response = await follow("/api/v1/dated?category=b", await cursorOf("/api/v1/dated?category=a"));
    expectApiError(response, { status: 400, code: "bad_request", reason: "cursor_expired", param: "cursor" });
  });

  test("a mangled cursor or one of another list returns invalid_query whatever the filters", async () => {
    const cursor = await cursorOf("/api/v1/dated?category=a");
    await expectRefused("/api/v1/dated?category=b", cursor.slice(0, -1));
    await expectRefused("/api/v1/dated", (await cursorOf("/api/v1/shelf")).replace("sh_", "dt_"));
    await expectRefused("/api/v1/shelf", cursor.replace("dt_", "sh_"));
  });
});

test("an unchanged page has the same cursor", async () => {
  expect(await cursorOf("/api/v1/shelf")).toBe(await cursorOf("/api/v1/shelf"));
});
