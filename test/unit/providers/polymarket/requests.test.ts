import { describe, expect, test } from "vitest";
import { ProviderUnavailable } from "../../../../src/platform/provider.ts";
import { CONDITION, SECOND_CONDITION, WALLET, aMarketRow } from "../../../support/providers/payloads.ts";
import {
  aScriptedProvider,
  marketPage,
  dataPage,
  type SentRequest,
} from "../../../support/providers/scripted-provider.ts";

const queryOf = (call: SentRequest | undefined) => {
  const query = Object.fromEntries(call?.url.searchParams ?? []);
  const { _: nonce = null, ...rest } = query;
  return { path: call?.url.pathname, nonce, ...rest };
};

const condition = (number: number) => `0x${number.toString(16).padStart(64, "0")}`;

describe("the trade feeds", () => {
  test.each([
    ["takers", "true"],
    ["all", "false"],
  ] as const)("the feed %s sends its filter with every page", async (feed, takerOnly) => {
    const { provider, sent } = aScriptedProvider(dataPage([], "next"), dataPage([]));
    expect((await provider.listTrades(feed, null)).nextCursor).toBe("next");
    await provider.listTrades(feed, "next");
    const common = { path: "/v2/trades", nonce: expect.any(String), taker_only: takerOnly, limit: "1000" };
    expect(queryOf(sent[0])).toEqual(common);
    // The cursor only holds a position, so the filter is sent with every page.
    expect(queryOf(sent[1])).toEqual({ ...common, cursor: "next" });
  });

  test("every attempt has a unique URL, so that the edge's cache never responds", async () => {
    const { provider, sent } = aScriptedProvider({ status: 503, json: {} }, dataPage([]), dataPage([]));
    await provider.listTrades("takers", null);
    await provider.listTrades("takers", null);
    expect(new Set(sent.map(({ url }) => url.href)).size).toBe(3);
  });
});

describe("requests for a trader's activity", () => {
  const common = {
    path: "/v2/activity",
    nonce: expect.any(String),
    user: WALLET,
    sort_by: "TIMESTAMP",
    sort_direction: "ASC",
    exclude_deposits_withdrawals: "false",
    limit: "1000",
  };

  test("activity from the beginning is requested with start=1, because 0 would mean three years", async () => {
    const { provider, sent } = aScriptedProvider(dataPage([]), dataPage([]));
    await provider.listActivity(WALLET, null, null);
    await provider.listActivity(WALLET, new Date(0), null);
    expect(sent.map(queryOf)).toEqual([
      { ...common, start: "1" },
      { ...common, start: "1" },
    ]);
  });

  test("activity since a time is requested with the same start on every page", async () => {
    const { provider, sent } = aScriptedProvider(dataPage([], "b"), dataPage([]));
    await provider.listActivity(WALLET, new Date("2026-09-21T14:13:20.900Z"), null);
    await provider.listActivity(WALLET, new Date("2026-09-21T14:13:20.900Z"), "b");
    expect(sent.map(queryOf)).toEqual([
      { ...common, start: "1790000000" },
      { ...common, start: "1790000000", cursor: "b" },
    ]);
  });
});

describe("requests for markets", () => {
  test("a market walk follows the cursor, not the number of rows", async () => {
    const { provider, sent } = aScriptedProvider(marketPage([], "b"), marketPage([aMarketRow()]));
    expect(await provider.listMarkets("closed", null)).toEqual({ rows: [], quarantined: [], nextCursor: "b" });
    expect((await provider.listMarkets("closed", "b")).nextCursor).toBeNull();
    const common = {
      path: "/markets/keyset",
      nonce: null,
      closed: "true",
      order: "startDate",
      ascending: "false",
      include_tag: "true",
      limit: "100",
    };
    expect(sent.map(queryOf)).toEqual([common, { ...common, after_cursor: "b" }]);
  });

  test("a market lookup requests the open markets first and the closed ones for the rest", async () => {
    const [open, closed, unknown] = [condition(1), condition(2), condition(3)];
    const { provider, sent } = aScriptedProvider(
      marketPage([aMarketRow({ conditionId: open })]),
      marketPage([aMarketRow({ conditionId: closed, closed: true })]),
    );
    const { rows } = await provider.findMarkets([open, closed, unknown]);
    expect(rows.map((row) => row.conditionId)).toEqual([open, closed]);
    expect(sent.map(({ url }) => [url.searchParams.get("closed"), url.searchParams.getAll("condition_ids")])).toEqual([
      ["false", [open, closed, unknown]],
      ["true", [closed, unknown]],
    ]);
  });

  test("a market found open is not requested again", async () => {
    const { provider, sent } = aScriptedProvider(marketPage([aMarketRow()]));
    await provider.findMarkets([CONDITION]);
    expect(sent).toHaveLength(1);
  });

  test("one URL contains at most a hundred ids, with second-protocol ids in both widths", async () => {
    const ids = Array.from({ length: 60 }, (_, number) => `0x02${number.toString(16).padStart(60, "0")}`);
    const { provider, sent } = aScriptedProvider(marketPage([]), marketPage([]), marketPage([]), marketPage([]));
    await provider.findMarkets(ids);
    expect(sent.map(({ url }) => url.searchParams.getAll("condition_ids").length)).toEqual([100, 100, 20, 20]);
    expect(sent[0]?.url.searchParams.getAll("condition_ids").slice(0, 2)).toEqual([ids[0], `${ids[0]}00`]);
  });

  test("a market found by its padded id counts as the requested one", async () => {
    const { provider, sent } = aScriptedProvider(marketPage([aMarketRow({ conditionId: `${SECOND_CONDITION}00` })]));
    expect((await provider.findMarkets([SECOND_CONDITION])).rows.map((row) => row.conditionId)).toEqual([
      SECOND_CONDITION,
    ]);
    expect(sent).toHaveLength(1);
  });

  test("a response with markets that were not requested fails, because the filter was ignored", async () => {
    const { provider } = aScriptedProvider(marketPage([aMarketRow({ conditionId: condition(9) })]));
    await expect(provider.findMarkets([CONDITION])).rejects.toBeInstanceOf(ProviderUnavailable);
  });

  test("a market lookup ends when its cursors lead in a circle", async () => {
    const { provider, sent } = aScriptedProvider(marketPage([], "a"), marketPage([], "b"), marketPage([], "a"));
    await expect(provider.findMarkets([CONDITION])).rejects.toBeInstanceOf(ProviderUnavailable);
    expect(sent).toHaveLength(3);
  });
});

describe("requests for resolutions", () => {
  const rows = (...ids: string[]) => ({
    json: { data: ids.map((condition_id) => ({ condition_id, status: "proposed" })) },
  });

  test("one call requests at most twenty resolutions", async () => {
    const { provider, sent } = aScriptedProvider(rows(), rows());
    await provider.findResolutions(Array.from({ length: 21 }, (_, number) => condition(number)));
    expect(sent.map(({ url }) => url.searchParams.get("condition")?.split(",").length)).toEqual([20, 1]);
  });

  test("a second-protocol id refused in one width is requested separately in the other", async () => {
    const refused = { status: 400, json: { code: "invalid_request" } };
    const { provider, sent } = aScriptedProvider(rows(CONDITION), refused, rows(`${SECOND_CONDITION}00`));
    const found = await provider.findResolutions([SECOND_CONDITION, CONDITION]);
    expect(found.rows.map((row) => row.conditionId)).toEqual([CONDITION, SECOND_CONDITION]);
    expect(sent.map(({ url }) => url.searchParams.get("condition"))).toEqual([
      CONDITION,
      SECOND_CONDITION,
      `${SECOND_CONDITION}00`,
    ]);
  });

  test("a condition refused in both widths is quarantined without affecting the others", async () => {
    const refused = { status: 400, json: { code: "invalid_request" } };
    const { provider } = aScriptedProvider(rows(CONDITION), refused, refused);
    const found = await provider.findResolutions([SECOND_CONDITION, CONDITION]);
    expect(found.rows.map((row) => row.conditionId)).toEqual([CONDITION]);
    expect(found.quarantined.map(({ record }) => record)).toEqual([{ condition_ids: [SECOND_CONDITION] }]);
  });
});

test("order books are requested with a flat array of at most five hundred tokens", async () => {
  const { provider, sent } = aScriptedProvider({ json: [] }, { json: [] });
  await provider.findBooks(Array.from({ length: 501 }, (_, number) => String(number)));
  expect(sent.map(({ method, url, body }) => [method, url.pathname, Array.isArray(body) ? body.length : null])).toEqual(
    [
      ["POST", "/books", 500],
      ["POST", "/books", 1],
    ],
  );
  expect(sent[1]?.body).toEqual([{ token_id: "500" }]);
});
