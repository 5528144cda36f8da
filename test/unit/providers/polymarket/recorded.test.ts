import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ProviderActivity, ProviderScoreFrame } from "../../../../src/platform/provider.ts";
import { openSportsSocket } from "../../../../src/providers/polymarket/sockets/sports-socket.ts";
import { openTradesSocket } from "../../../../src/providers/polymarket/sockets/trades-socket.ts";
import type { RtdsTrade } from "../../../../src/providers/polymarket/mapping/trades/live-trade.ts";
import { FakeServer, flushMicrotasks } from "../../../support/providers/fake-socket.ts";
import { FakeTime } from "../../../support/providers/fake-time.ts";
import { hasRecordedData, withCurrentNames, readRecorded } from "../../../support/providers/recorded.ts";
import { aScriptedProvider, marketPage, dataPage } from "../../../support/providers/scripted-provider.ts";

const Objects = z.array(z.record(z.string(), z.unknown()));
const EventWithMarkets = z.looseObject({ markets: Objects });
const ComboPositions = z.object({
  data: z
    .array(z.object({ combo_position_id: z.string(), combo_condition_id: z.string(), outcome_index: z.number() }))
    .min(1),
});
const SportsCapture = z.object({ "live_capture_2026-07-29": Objects, provider_documentation_examples: Objects });

const tradeOf = (row: ProviderActivity | undefined) => (row?.kind === "trade" ? row.trade : null);

describe.runIf(hasRecordedData)("recorded provider responses", () => {
  test("recorded trades are read with exact shares, dollars and prices", async () => {
    const { provider } = aScriptedProvider({ json: readRecorded("provider-samples/v2_trades.json") });
    const { rows, quarantined, nextCursor } = await provider.listTrades("takers", null);
    expect(quarantined).toEqual([]);
    expect(nextCursor).toMatch(/^eyJ/);
    expect(
      rows.map(({ sharesMicro, usdMicro, price, outcomeIndex }) => [sharesMicro, usdMicro, price, outcomeIndex]),
    ).toEqual([
      [22_840_000n, 11_876_800n, "0.52", null],
      [5_000_000n, 10_000n, "0.002", null],
    ]);
  });

  test("recorded activity has the fees of the fee formula", async () => {
    const { provider } = aScriptedProvider({ json: readRecorded("provider-samples/v2_activity.json") });
    const { rows, quarantined } = await provider.listActivity("0x379a410a36c101e3b8dfb6c90d1176eb0def4b1a", null, null);
    expect(quarantined).toEqual([]);
    // 0.05 x 22.84 x 0.52 x 0.48 and 0.05 x 7.44 x 0.9 x 0.1
    expect(rows.map((row) => tradeOf(row)?.feeMicro)).toEqual([285_040n, 33_480n]);
  });

  test("recorded activity of July 2026 has every type, and each fee is 5 % of shares times p(1-p) or zero", async () => {
    const old = Objects.parse(readRecorded("data/provider-responses/data-api/activity_all.0x09b428f7.2026-07.json"));
    const { provider } = aScriptedProvider(dataPage(old.map(withCurrentNames)));
    const { rows, quarantined } = await provider.listActivity("0x09b428f7c2b469786286214aa5c90dd9015f7320", null, null);
    expect(quarantined).toEqual([]);
    expect(rows).toHaveLength(50);
    const kinds = Map.groupBy(rows, (row) => (row.kind === "trade" ? "TRADE" : row.activity.type));
    expect([...kinds].map(([type, all]) => [type, all.length])).toEqual([
      ["MAKER_REBATE", 1],
      ["REWARD", 4],
      ["TAKER_REBATE", 1],
      ["REDEEM", 2],
      ["TRADE", 42],
    ]);
    const fees = rows
      .flatMap((row) => tradeOf(row) ?? [])
      .map(({ feeMicro, sharesMicro, price }) => {
        const expected = 0.05 * Number(sharesMicro) * Number(price) * (1 - Number(price));
        return { feeMicro, ratio: Number(feeMicro) / expected };
      });
    const paid = fees.filter(({ feeMicro }) => feeMicro !== 0n);
    expect(fees.every(({ feeMicro }) => feeMicro !== null)).toBe(true);
    expect(paid.length).toBe(7);
    expect(paid.every(({ ratio }) => Math.abs(ratio - 1) < 1e-4)).toBe(true);
  });

  test("recorded resolutions are read as decided and as pending", async () => {
    const { provider } = aScriptedProvider(
      { json: readRecorded("provider-samples/v2_resolutions_resolved.json") },
      { json: readRecorded("provider-samples/v2_resolutions_pending.json") },
    );
    const decided = await provider.findResolutions([
      "0x789f0872f66cfffd21a33020e5c90e11f95f947e03be77ac2df7e86b0cb71527",
    ]);
    expect(decided).toMatchObject({
      quarantined: [],
      rows: [{ status: "resolved", payoutsPpm: [1_000_000, 0], resolvedAt: new Date("2026-09-09T21:19:19Z") }],
    });
    const pending = await provider.findResolutions([`0x${"0".repeat(64)}`]);
    expect(pending).toMatchObject({
      quarantined: [],
      rows: [
        { status: "disputed", payoutsPpm: null },
        { status: "proposed", payoutsPpm: null },
      ],
    });
  });

  test("the recorded leaderboard, status and order book are read", async () => {
    const { provider } = aScriptedProvider(
      { json: readRecorded("provider-samples/v2_leaderboard.json") },
      { json: readRecorded("provider-samples/v2_status.json") },
      { json: [readRecorded("provider-samples/clob_book.json")] },
    );
    expect((await provider.listLeaderboard("week", 2)).rows).toMatchObject([
      {
        rank: 1,
        pnlUsd: "2492743.86776",
        volumeShares: "12942959.982390001",
        trader: { username: "00gringo00", profileImage: null },
      },
      { rank: 2, pnlUsd: "1156385.8796739983" },
    ]);
    expect(await provider.getServingLag()).toBe(4);
    expect((await provider.findBooks(["1"])).rows).toMatchObject([
      { bestBid: "0.1", bestAsk: "0.14", bidDepthUsd: "12.500000", askDepthUsd: "98.700000", lastTradePrice: null },
    ]);
  });

  test.each([
    ["provider-samples/gamma_market.json", { closed: false, category: null, tags: [] }],
    ["provider-samples/gamma_market_closed_nonbinary_legacy.json", { category: "Crypto", closed: true }],
    [
      "provider-samples/gamma_market_sports_moneyline.json",
      { category: "Esports", gameId: "1427074", gameStartAt: new Date("2026-04-05T15:10:00Z") },
    ],
    [
      "data/provider-responses/gamma-clob/gamma_market_closed_binary_accepting_true.json",
      { closed: true, gameStartAt: null },
    ],
    ["data/provider-responses/gamma-clob/gamma_market_closed_binary_accepting_false.json", { closed: true }],
    ["data/provider-responses/gamma-clob/gamma_market_closed_zero_zero_legacy.json", { category: "Politics" }],
    ["data/provider-responses/gamma-clob/gamma_market_sports_market_map_handicap.json", { category: "Esports" }],
  ])("the recorded market %s is read", async (path, expected) => {
    const { provider } = aScriptedProvider(marketPage([readRecorded(path)]));
    const { rows, quarantined } = await provider.listMarkets("open", null);
    expect(quarantined).toEqual([]);
    expect(rows).toMatchObject([expected]);
    expect(rows[0]?.outcomes).toHaveLength(2);
  });

  test("the recorded five-minute market has quotes of both sides", async () => {
    const { provider } = aScriptedProvider(marketPage([readRecorded("provider-samples/gamma_market.json")]));
    expect((await provider.listMarkets("open", null)).rows[0]).toMatchObject({
      conditionId: "0x78443f961b9a65869dcb39359de9960165c7e5cbad0904eac7f29cd77872a63b",
      providerMarketId: "1557558",
      event: { slug: "btc-updown-5m-1773307200", seriesSlug: "btc-up-or-down-5m" },
      volumeUsd: "9.999997",
      liquidityUsd: "20328.3747",
      outcomes: [
        { label: "Up", price: "0.505", bestBid: "0.5", bestAsk: "0.51", lastTradePrice: "0.51" },
        { label: "Down", price: "0.495", bestBid: "0.49", bestAsk: "0.5", lastTradePrice: "0.49" },
      ],
    });
  });

  test("the recorded event gives its markets their category and tags", async () => {
    const event = EventWithMarkets.parse(readRecorded("provider-samples/gamma_event.json"));
    const { provider } = aScriptedProvider(marketPage([{ ...event.markets[0], events: [event] }]));
    const { rows } = await provider.listMarkets("open", null);
    expect(rows).toMatchObject([{ category: "Politics", negRisk: true, event: { providerEventId: "30829" } }]);
    expect(rows[0]?.tags).toContain("world-elections");
  });

  test.each(["gamma_event_game", "gamma_event_game_child"])(
    "the recorded game %s gives its markets their kick-off and sport",
    async (name) => {
      const market = Objects.element.parse(readRecorded("provider-samples/gamma_market.json"));
      const { provider } = aScriptedProvider(
        marketPage([{ ...market, events: [readRecorded(`provider-samples/${name}.json`)] }]),
      );
      const { rows, quarantined } = await provider.listMarkets("open", null);
      expect(quarantined).toEqual([]);
      expect(rows).toMatchObject([
        name === "gamma_event_game"
          ? { category: "Baseball", gameId: "10079774", gameStartAt: new Date("2026-10-08T02:00:00Z") }
          : { category: "Soccer", gameId: "90115236", gameStartAt: new Date("2026-12-15T19:45:00Z") },
      ]);
    },
  );

  test("recorded positions of combinations follow the rule of the ids", () => {
    const { data } = ComboPositions.parse(readRecorded("provider-samples/v2_combo_positions.json"));
    for (const row of data) {
      const id = BigInt(row.combo_position_id);
      expect(`0x${(id >> 8n).toString(16).padStart(62, "0")}`).toBe(row.combo_condition_id);
      expect(Number(id & 0xffn)).toBe(row.outcome_index);
    }
  });

  test("recorded frames of the live and the sports sockets are read", async () => {
    const server = new FakeServer();
    const trades: RtdsTrade[] = [];
    const games: ProviderScoreFrame[] = [];
    const quarantined: unknown[] = [];
    const common = {
      url: "",
      connect: server.connect,
      clock: new FakeTime(),
      random: () => 0.5,
      onState: () => undefined,
    };
    openTradesSocket({
      ...common,
      onTrade: (trade) => trades.push(trade),
      onQuarantined: (record) => quarantined.push(record),
    }).start();
    await flushMicrotasks();
    server.socket.receive(JSON.stringify(readRecorded("provider-samples/rtds_activity_trades.json")));
    openSportsSocket({
      ...common,
      onGame: (game) => games.push(game),
      onQuarantined: (record) => quarantined.push(record),
    }).start();
    await flushMicrotasks();
    server.socket.receive(JSON.stringify(readRecorded("provider-samples/sports_ws.json")));
    const captured = SportsCapture.parse(readRecorded("data/sports/sports-ws-frames.json"));
    server.socket.receive(
      JSON.stringify([...captured["live_capture_2026-07-29"], ...captured.provider_documentation_examples]),
    );
    expect(quarantined).toEqual([]);
    // 2.7027 x 0.26 = 0.702702
    expect(trades).toMatchObject([
      { wallet: "0x510f4963b66b1b18505faab74b0bb943d1dda43c", sharesMicro: 2_702_700n, usdMicro: 702_702n },
    ]);
    expect(games.map(({ gameId }) => gameId)).toEqual([
      "6365478",
      "1697663",
      "id2704029570673024",
      "90106111",
      "90103874",
      "id2703220173085554",
      "1597550",
      "19439",
      "1317359",
    ]);
  });
});
