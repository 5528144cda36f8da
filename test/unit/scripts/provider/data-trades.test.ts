import { describe, expect, test } from "vitest";
import {
  CONDITION,
  OTHER_CONDITION,
  OTHER_WALLET,
  WALLET,
  aReplay,
  aV1Activity,
  aV1Trade,
  getJson,
  trades,
  walk,
} from "./provider-recordings.ts";

describe("the replayed /v2/trades", () => {
  test("replayed trades are served newest first with today's field names and every recorded value", async () => {
    const { dataUrl } = await aReplay({ "t.ndjson.gz": trades(2) });
    const { body } = await getJson(`${dataUrl}/v2/trades?limit=1`);
    expect(body.data).toEqual([
      {
        proxy_wallet: WALLET,
        side: "BUY",
        token_id: "111",
        condition_id: CONDITION,
        size: 10,
        price: 0.5,
        timestamp: 1_760_000_002,
        title: "Will it rain?",
        slug: "will-it-rain",
        icon: "",
        event_slug: "rain",
        outcome: "Yes",
        outcome_index: 0,
        name: "ada",
        pseudonym: "Ada",
        bio: "",
        profile_image: "",
        profile_image_optimized: "",
        transaction_hash: `0x${"2".padStart(64, "0")}`,
      },
    ]);
    expect(body.pagination).toMatchObject({ limit: 1, offset: 0, has_more: true, next_cursor: expect.any(String) });
  });

  test("a cursor walk of trades returns every row once and ends with a null cursor", async () => {
    const { dataUrl } = await aReplay({ "t.ndjson": trades(7) });
    const rows = await walk(`${dataUrl}/v2/trades?limit=3`);
    expect(rows.map((row) => row.timestamp - 1_760_000_000)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  test("a trades cursor contains the page size, and a limit beside it has no effect", async () => {
    const { dataUrl } = await aReplay({ "t.ndjson": trades(7) });
    const first = await getJson(`${dataUrl}/v2/trades?limit=2`);
    const { body } = await getJson(`${dataUrl}/v2/trades?limit=5&cursor=${first.body.pagination.next_cursor}`);
    expect(body.data).toHaveLength(2);
    expect(body.pagination.limit).toBe(2);
  });

  test("rows of makers and of unknown roles are served only without the taker filter", async () => {
    const { dataUrl } = await aReplay({
      "trades.ndjson": [aV1Trade(1)],
      "activity.ndjson": [aV1Activity(2, { proxyWallet: OTHER_WALLET })],
    });
    const count = async (query: string) => (await getJson(`${dataUrl}/v2/trades?limit=10${query}`)).body.data.length;
    expect(await count("")).toBe(1);
    expect(await count("&taker_only=true")).toBe(1);
    expect(await count("&taker_only=false")).toBe(2);
    expect(await count("&takerOnly=false")).toBe(2);
    expect(await count(`&user=${OTHER_WALLET}`)).toBe(1);
  });

  test("trades are filtered by user, condition, event, side and cash", async () => {
    const { dataUrl, gammaUrl } = await aReplay({
      "t.ndjson": [
        aV1Trade(4, { size: 100, price: 0.9 }),
        aV1Trade(3, { side: "SELL" }),
        aV1Trade(2, { conditionId: OTHER_CONDITION, asset: "222", slug: "other", eventSlug: "other" }),
        aV1Trade(1, { proxyWallet: OTHER_WALLET }),
      ],
    });
    const times = async (query: string) =>
      (await getJson(`${dataUrl}/v2/trades?limit=10&${query}`)).body.data.map(
        (row: any) => row.timestamp - 1_760_000_000,
      );
    const event = await getJson(`${gammaUrl}/events/slug/other`);
    expect(await times(`user=${WALLET}`)).toEqual([4, 3, 2]);
    expect(await times(`user=${WALLET},${OTHER_WALLET}`)).toEqual([]);
    expect(await times(`condition=${OTHER_CONDITION}`)).toEqual([2]);
    expect(await times(`condition=${CONDITION},${OTHER_CONDITION}`)).toEqual([4, 3, 2, 1]);
    expect(await times(`event_id=${event.body.id}`)).toEqual([2]);
    expect(await times("side=SELL")).toEqual([3]);
    expect(await times("filter_type=CASH&filter_amount=50")).toEqual([4]);
    expect(await times(`user=${WALLET}&start=1760000003&end=1760000003`)).toEqual([3]);
    expect(await times("start=1760000003")).toEqual([4, 3, 2, 1]);
  });

  test.each([
    ["offset=10", "offset"],
    ["limit=1001", "limit"],
    ["condition=0x12", "condition"],
    ["cursor=bm90LW91cnM", "cursor"],
    ["taker_only=maybe", "taker_only"],
  ])("a trades request with ?%s returns 400 invalid_request with the parameter's name", async (query, parameter) => {
    const { dataUrl } = await aReplay({ "t.ndjson": trades(1) });
    const { status, body } = await getJson(`${dataUrl}/v2/trades?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "invalid_request", retryable: false, parameter });
  });

  test("a cursor of another endpoint is refused", async () => {
    const { dataUrl } = await aReplay({ "t.ndjson": trades(3) });
    const { body } = await getJson(`${dataUrl}/v2/trades?limit=1`);
    const answer = await getJson(`${dataUrl}/v2/activity?user=${WALLET}&cursor=${body.pagination.next_cursor}`);
    expect(answer.status).toBe(400);
  });

  test("unknown parameters are ignored, and unknown paths return 404", async () => {
    const { dataUrl } = await aReplay({ "t.ndjson": trades(1) });
    expect((await getJson(`${dataUrl}/v2/trades?_=nonce&colour=red`)).body.data).toHaveLength(1);
    expect(await getJson(`${dataUrl}/v2/nothing`)).toMatchObject({ status: 404, body: { code: "not_found" } });
  });
});

describe("the replayed /v2/activity", () => {
  const files = {
    "a.ndjson": [
      aV1Activity(5, {
        type: "REDEEM",
        side: "",
        asset: "",
        outcomeIndex: 999,
        outcome: "",
        size: 40,
        usdcSize: 40,
        price: 0,
      }),
      aV1Activity(4, { side: "SELL", usdcSize: 4.9 }),
      aV1Activity(3, {
        type: "MAKER_REBATE",
        conditionId: "",
        side: "",
        asset: "",
        outcomeIndex: 999,
        title: "",
        slug: "",
        usdcSize: 1.5,
      }),
      aV1Activity(2),
    ],
  };

  test("activity contains trades and other rows with their cash", async () => {
    const { dataUrl } = await aReplay(files);
    const { body } = await getJson(`${dataUrl}/v2/activity?user=${WALLET}`);
    expect(body.data.map((row: any) => [row.type, row.usdc_size, row.outcome_index])).toEqual([
      ["REDEEM", 40, 999],
      ["TRADE", 4.9, 0],
      ["MAKER_REBATE", 1.5, 999],
      ["TRADE", 5, 0],
    ]);
    expect(body.data[2]).toMatchObject({ condition_id: "", token_id: "", title: "" });
  });

  test("an ascending activity walk keeps its direction through the cursor", async () => {
    const { dataUrl } = await aReplay(files);
    const rows = await walk(`${dataUrl}/v2/activity?user=${WALLET}&limit=1&sort_direction=ASC&start=1`);
    expect(rows.map((row) => row.timestamp - 1_760_000_000)).toEqual([2, 3, 4, 5]);
  });

  test("activity is filtered by one type, several types in one value are ignored, and a repeated type returns 400", async () => {
    const { dataUrl } = await aReplay(files);
    const url = `${dataUrl}/v2/activity?user=${WALLET}`;
    expect((await getJson(`${url}&type=REDEEM`)).body.data).toHaveLength(1);
    expect((await getJson(`${url}&type=REDEEM,TRADE`)).body.data).toHaveLength(4);
    expect((await getJson(`${url}&type=REDEEM&type=TRADE`)).status).toBe(400);
  });

  test("activity without a user or with a limit above 1000 is refused", async () => {
    const { dataUrl } = await aReplay(files);
    expect(await getJson(`${dataUrl}/v2/activity`)).toMatchObject({ status: 400, body: { parameter: "user" } });
    expect(await getJson(`${dataUrl}/v2/activity?user=${WALLET}&limit=1001`)).toMatchObject({
      status: 400,
      body: { parameter: "limit" },
    });
  });
});
