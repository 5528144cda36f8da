import { describe, expect, test } from "vitest";
import { CONDITION, OTHER_CONDITION, aReplay, aV1Trade, getJson } from "./provider-recordings.ts";

/** A row of a flattened market list, as a recorder stored it. */
const aFlatMarket = (number: number, fields: Record<string, unknown> = {}) => ({
  event_id: String(500 + number),
  event_slug: `event-${number}`,
  event_title: `Event ${number}`,
  market_id: String(number),
  market_question: `Question ${number}?`,
  market_slug: `market-${number}`,
  condition_id: `0x${String(number).padStart(64, "0")}`,
  tag_labels: "all|music",
  start_date: "2026-01-01T00:00:00Z",
  end_date: "2026-02-01T00:00:00Z",
  closed_time: "2026-02-02 09:06:01+00",
  closed: "False",
  volume_usd: "12.5",
  outcomes: "Yes|No",
  resolved_outcome: "",
  ...fields,
});

describe("the replayed /markets/keyset", () => {
  test("closed markets are returned only on request", async () => {
    const { gammaUrl } = await aReplay({
      "m.ndjson": [aFlatMarket(1), aFlatMarket(2, { closed: "True", resolved_outcome: "No" })],
    });
    const ids = async (query: string) =>
      (await getJson(`${gammaUrl}/markets/keyset?${query}`)).body.markets.map((market: any) => market.id);
    expect(await ids("")).toEqual(["1"]);
    expect(await ids("closed=true")).toEqual(["2"]);
    expect(await ids(`condition_ids=0x${"2".padStart(64, "0")}`)).toEqual([]);
    expect(
      await ids(`closed=true&condition_ids=0x${"2".padStart(64, "0")}&condition_ids=0x${"1".padStart(64, "0")}`),
    ).toEqual(["2"]);
  });

  test("market pages follow the cursor, whose absence ends the walk, and contain at most 100 rows", async () => {
    const { gammaUrl } = await aReplay({
      "m.ndjson": Array.from({ length: 130 }, (_, index) => aFlatMarket(index + 1)),
    });
    const first = await getJson(`${gammaUrl}/markets/keyset?limit=500`);
    expect(first.body.markets).toHaveLength(100);
    const second = await getJson(`${gammaUrl}/markets/keyset?limit=500&after_cursor=${first.body.next_cursor}`);
    expect(second.body.markets).toHaveLength(30);
    expect(second.body).not.toHaveProperty("next_cursor");
    expect(new Set([...first.body.markets, ...second.body.markets].map((market: any) => market.id)).size).toBe(130);
  });

  test("bracketed and misspelt filters are ignored, and an offset or an unknown order field returns 422", async () => {
    const { gammaUrl } = await aReplay({ "m.ndjson": [aFlatMarket(1), aFlatMarket(2)] });
    const get = (query: string) => getJson(`${gammaUrl}/markets/keyset?${query}`);
    expect((await get(`condition_ids[]=0x${"1".padStart(64, "0")}`)).body.markets).toHaveLength(2);
    expect((await get("slugg=market-1")).body.markets).toHaveLength(2);
    expect((await get("offset=1")).status).toBe(422);
    expect(await get("order=volume_24hr")).toMatchObject({
      status: 422,
      body: { error: "order fields are not valid" },
    });
  });

  test("lists are strings of JSON arrays, dates have both formats, and tags are returned only on request", async () => {
    const { gammaUrl } = await aReplay({ "m.ndjson": [aFlatMarket(1, { closed: "True", resolved_outcome: "No" })] });
    const { body } = await getJson(`${gammaUrl}/markets/keyset?closed=true`);
    const [market] = body.markets;
    expect(JSON.parse(market.outcomes)).toEqual(["Yes", "No"]);
    expect(JSON.parse(market.clobTokenIds)).toHaveLength(2);
    expect(JSON.parse(market.outcomePrices)).toEqual(["0", "1"]);
    expect(market).toMatchObject({
      volume: "12.5",
      volumeNum: 12.5,
      closedTime: "2026-02-02 09:06:01+00",
      endDate: "2026-02-01T00:00:00.000Z",
    });
    expect(market).not.toHaveProperty("tags");
    expect(market.events[0]).toMatchObject({ id: "501", slug: "event-1" });
    const tagged = await getJson(`${gammaUrl}/markets/keyset?closed=true&include_tag=true`);
    expect(tagged.body.markets[0].tags.map((tag: any) => tag.slug)).toEqual(["all", "music"]);
  });
});

test("a market known only from trades exists with recognisably derived ids", async () => {
  const { gammaUrl, clobUrl } = await aReplay({ "t.ndjson": [aV1Trade(1)] });
  const { body } = await getJson(`${gammaUrl}/markets/keyset?condition_ids=${CONDITION}`);
  const [yes, no] = JSON.parse(body.markets[0].clobTokenIds);
  expect(body.markets[0]).toMatchObject({
    slug: "will-it-rain",
    question: "Will it rain?",
    id: expect.stringMatching(/^900\d{15}$/),
  });
  expect(JSON.parse(body.markets[0].outcomes)).toEqual(["Yes", "No"]);
  expect(yes).toBe("111");
  expect(BigInt(no).toString(16)).toMatch(/^fab12ca7ed/);
  expect((await getJson(`${gammaUrl}/markets/${body.markets[0].id}`)).body.conditionId).toBe(CONDITION);
  expect((await getJson(`${clobUrl}/markets/${CONDITION}`)).body.tokens.map((token: any) => token.outcome)).toEqual([
    "Yes",
    "No",
  ]);
  expect((await getJson(`${gammaUrl}/markets/42`)).status).toBe(404);
});

test("events contain their markets unless the request excludes them, and the search finds events by words", async () => {
  const { gammaUrl } = await aReplay({
    "m.ndjson": [aFlatMarket(1), aFlatMarket(2, { event_slug: "event-1", event_id: "501" })],
  });
  const { body } = await getJson(`${gammaUrl}/events/keyset?slug=event-1`);
  expect(body.events[0].markets.map((market: any) => market.id)).toEqual(["1", "2"]);
  const bare = await getJson(`${gammaUrl}/events/keyset?slug=event-1&include_markets=false`);
  expect(bare.body.events[0]).not.toHaveProperty("markets");
  const found = await getJson(`${gammaUrl}/public-search?q=question%202`);
  expect(found.body.events.map((event: any) => event.slug)).toEqual(["event-1"]);
});

describe("the replayed /v2/resolutions", () => {
  const aResolution = (condition: string, fields: Record<string, unknown>) => ({
    condition_id: condition,
    market_id: "1",
    resolved_outcome: null,
    payout_yes: null,
    payout_no: null,
    resolved_at: null,
    file: "map",
    ...fields,
  });

  test("only recorded results with consistent payouts are resolutions", async () => {
    const third = `0x${"c3".repeat(32)}`;
    const { dataUrl } = await aReplay({
      "r.ndjson": [
        aResolution(CONDITION, { resolved_outcome: "NO", payout_no: 1, resolved_at: "2025-10-26T12:00:00.000Z" }),
        aResolution(OTHER_CONDITION, { error: "No market_id available" }),
        aResolution(third, { resolved_outcome: "YES", payout_yes: 0, payout_no: 1 }),
      ],
    });
    const { body } = await getJson(`${dataUrl}/v2/resolutions?condition=${CONDITION},${OTHER_CONDITION},${third}`);
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({
      condition_id: CONDITION,
      status: "resolved",
      payouts: [0, 1_000_000],
      resolved_at: "2025-10-26T12:00:00Z",
    });
  });

  test("a resolutions request needs exactly one scope and at most 20 conditions", async () => {
    const { dataUrl } = await aReplay({ "r.ndjson": [aResolution(CONDITION, {})] });
    expect((await getJson(`${dataUrl}/v2/resolutions`)).status).toBe(400);
    expect((await getJson(`${dataUrl}/v2/resolutions?condition=${CONDITION}&event_id=1`)).status).toBe(400);
    const many = Array.from({ length: 21 }, (_, index) => `0x${String(index).padStart(64, "0")}`).join(",");
    expect((await getJson(`${dataUrl}/v2/resolutions?condition=${many}`)).status).toBe(400);
  });
});
