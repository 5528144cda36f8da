import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAlias, defineOperation } from "../../../src/api/operation.ts";
import { enumParam, expandParam, limitParam, numberParam, textParam } from "../../../src/api/params.ts";
import { createTestDatabase } from "../../support/database.ts";
import { expectApiError } from "../../support/kernel/api-error.ts";
import { openKernel, openTestRuntime, type Kernel } from "../../support/kernel/open-kernel.ts";
import { PLAIN } from "../../support/kernel/plain.ts";

const SHELF = Array.from({ length: 23 }, (_, index) => `item ${index}`);

const Position = z.object({ after: z.number().int() });

/** Pages through the shelf, whatever the filters say. */
const lists = (id: string, path: string) =>
  defineOperation({
    ...PLAIN,
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

const shelf = lists("listShelf", "/api/v1/shelf");
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
const MADE_UP = [
  shelf,
  ranked,
  dated,
  lists("listShelfHistory", "/api/v1/shelf/history"),
  lists("listShop", "/api/v1/shop/{shop}/shelf"),
  defineAlias(shelf, { ...OLD, id: "listRack", path: "/api/v1/rack", mcpTool: null }),
];

let databaseUrl: string;
let api: Kernel;

beforeAll(async () => {
  databaseUrl = (await createTestDatabase()).databaseUrl;
  api = openKernel(openTestRuntime(databaseUrl), MADE_UP);
});

/** The first page's cursor. */
async function cursorOf(path: string, kernel = api): Promise<string> {
  const { body } = await kernel.send(path);
  expect(body.has_more).toBe(true);
  expect(body.next_cursor).toMatch(/^\S+$/);
  return body.next_cursor;
}

const follow = (path: string, cursor: string, kernel = api) =>
  kernel.send(`${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`);

async function expectRefused(path: string, cursor: string, kernel = api): Promise<void> {
  expectApiError(await follow(path, cursor, kernel), { status: 400, code: "bad_request", reason: "invalid_query", param: "cursor" });
}

describe("following the cursors gives every item once, in order", () => {
  test.for([1, 3, 10])("%i at a time", async (limit) => {
    const pages = [await api.send(`/api/v1/shelf?limit=${limit}`)];
    for (let last = pages[0]; last?.body.has_more === true; last = pages.at(-1)) {
      pages.push(await follow(`/api/v1/shelf?limit=${limit}`, last.body.next_cursor));
    }
    expect(pages.flatMap(({ body }) => body.data)).toEqual(SHELF);
    expect(pages).toHaveLength(Math.ceil(SHELF.length / limit));
    // A client that sees a cursor twice would walk for ever.
    const cursors = pages.flatMap(({ body }) => body.next_cursor ?? []);
    expect(new Set(cursors).size).toBe(pages.length - 1);
  });

  test("with pages of different sizes", async () => {
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

test("an empty cursor asks for the first page", async () => {
  expect((await api.send("/api/v1/shelf?cursor=")).body.data).toEqual(SHELF.slice(0, 4));
});

describe("a cursor goes on with", () => {
  test.for([
    ["the same filters in another order", "/api/v1/shelf?category=a&min_size=5", "/api/v1/shelf?min_size=5&category=a"],
    ["the same value written another way", "/api/v1/shelf?min_size=1000", "/api/v1/shelf?min_size=1e3"],
    ["a default that is spelled out", "/api/v1/shelf", "/api/v1/shelf?sort=up&min_size=0"],
    ["the same set in another order", "/api/v1/shelf?expand=maker,price", "/api/v1/shelf?expand[]=price&expand[]=maker"],
    ["the page size a list binds", "/api/v1/ranked", "/api/v1/ranked?limit=4"],
    ["a name that is ignored", "/api/v1/shelf", "/api/v1/shelf?nonsense=1"],
    ["the deprecated spelling of its list", "/api/v1/shelf", "/api/v1/rack"],
    ["the same path value", "/api/v1/shop/a/shelf", "/api/v1/shop/%61/shelf"],
  ] as const)("%s", async ([, minted, used]) => {
    const answer = await follow(used, await cursorOf(minted));
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual(SHELF.slice(4, 8));
  });
});

describe("a cursor is refused with", () => {
  test.for([
    ["a filter added", "/api/v1/shelf", "/api/v1/shelf?category=a"],
    ["a filter dropped", "/api/v1/shelf?category=a", "/api/v1/shelf"],
    ["another value of a filter", "/api/v1/shelf?category=a", "/api/v1/shelf?category=b"],
    ["two filters' values exchanged", "/api/v1/shelf?category=down&sort=up", "/api/v1/shelf?category=up&sort=down"],
    ["another order", "/api/v1/shelf?sort=up", "/api/v1/shelf?sort=down"],
    ["an empty text instead of none", "/api/v1/shelf", "/api/v1/shelf?category="],
    ["another page size where the list binds it", "/api/v1/ranked?limit=4", "/api/v1/ranked?limit=5"],
    ["another list of the same form", "/api/v1/shelf", "/api/v1/shelf/history"],
    ["another path value", "/api/v1/shop/a/shelf", "/api/v1/shop/b/shelf"],
  ] as const)("%s", async ([, minted, used]) => {
    await expectRefused(used, await cursorOf(minted));
  });
});

test("a cursor changed, cut or lengthened at any place is refused", async () => {
  const cursor = await cursorOf("/api/v1/shelf");
  for (let at = 0; at < cursor.length; at++) {
    const other = cursor[at] === "A" ? "B" : "A";
    await expectRefused("/api/v1/shelf", cursor.slice(0, at) + other + cursor.slice(at + 1));
    // Nothing at all is not a cursor cut short but the first page.
    if (at > 0) await expectRefused("/api/v1/shelf", cursor.slice(0, at));
    await expectRefused("/api/v1/shelf", cursor.slice(0, at) + cursor.slice(at + 1));
  }
});

/** Another text for the same bytes: eleven of them leave two bits of the last base64 digit unused. */
function setUnusedBit(cursor: string): string {
  return cursor.replace(/(.)\./, (_, digit: string) => `${String.fromCharCode(digit.charCodeAt(0) + 1)}.`);
}

test.for([
  ["a part behind the signature", (cursor: string) => `${cursor}.x`],
  ["a full stop behind the signature", (cursor: string) => `${cursor}.`],
  ["padding", (cursor: string) => cursor.replace(".", "=.")],
  ["a byte order mark inside", (cursor: string) => `sh_77u_${cursor.slice("sh_".length)}`],
  ["unused bits set in its last digit", setUnusedBit],
  ["a blank before it", (cursor: string) => ` ${cursor}`],
  ["a blank behind it", (cursor: string) => `${cursor} `],
  ["its prefix twice", (cursor: string) => `sh_${cursor}`],
  ["another prefix", (cursor: string) => cursor.replace("sh_", "lbv1_")],
  ["no prefix", (cursor: string) => cursor.slice("sh_".length)],
] as const)("a cursor with %s is refused", async ([, mangle]) => {
  await expectRefused("/api/v1/shelf", mangle(await cursorOf("/api/v1/shelf")));
});

test("a position that somebody else signed is refused", async () => {
  const foreign = openKernel(openTestRuntime(databaseUrl, { CURSOR_SECRET: "another-cursor-secret-of-32-bytes-or-more" }), MADE_UP);
  const cursor = await cursorOf("/api/v1/shelf", foreign);
  expect((await follow("/api/v1/shelf", cursor, foreign)).status).toBe(200);
  await expectRefused("/api/v1/shelf", cursor);
});

test("a cursor whose position has had another form since is expired", async () => {
  const newer = { ...shelf, cursor: { prefix: "sh_", position: z.object({ behind: z.string() }) } } as typeof shelf;
  const answer = await follow("/api/v1/shelf", await cursorOf("/api/v1/shelf"), openKernel(openTestRuntime(databaseUrl), [newer]));
  expectApiError(answer, { status: 400, code: "bad_request", reason: "cursor_expired", param: "cursor" });
  expect(answer.headers.has("retry-after")).toBe(false);
});

describe("where a list's cursors expire with its filters, one", () => {
  test("goes on with the same filters, and with another page size", async () => {
    const answer = await follow("/api/v1/dated?limit=2&category=a", await cursorOf("/api/v1/dated?category=a"));
    expect(answer.body.data).toEqual(SHELF.slice(4, 6));
  });

  test("of other filters is expired", async () => {
    const answer = await follow("/api/v1/dated?category=b", await cursorOf("/api/v1/dated?category=a"));
    expectApiError(answer, { status: 400, code: "bad_request", reason: "cursor_expired", param: "cursor" });
  });

  test("that is mangled, or of another list, is refused whatever the filters", async () => {
    const cursor = await cursorOf("/api/v1/dated?category=a");
    await expectRefused("/api/v1/dated?category=b", cursor.slice(0, -1));
    await expectRefused("/api/v1/dated", (await cursorOf("/api/v1/shelf")).replace("sh_", "dt_"));
    await expectRefused("/api/v1/shelf", cursor.replace("dt_", "sh_"));
  });
});

test("an unchanged page gives the same cursor again", async () => {
  expect(await cursorOf("/api/v1/shelf")).toBe(await cursorOf("/api/v1/shelf"));
});
