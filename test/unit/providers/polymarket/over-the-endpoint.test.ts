import { expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import type { Fault, ProviderEndpoint } from "../../../../scripts/provider/index.ts";
import { ProviderRefused, ProviderUnavailable, type Page, type Provider } from "../../../../src/ports/provider.ts";
import { createPolymarketProvider } from "../../../../src/providers/polymarket/client.ts";
import type { GameState } from "../../../../src/providers/polymarket/mapping/game-state.ts";
import type { RtdsTrade } from "../../../../src/providers/polymarket/mapping/live-trade.ts";
import type { Connect } from "../../../../src/providers/polymarket/sockets/socket-port.ts";
import { systemClock } from "../../../../src/providers/polymarket/sockets/socket-port.ts";
import { openSportsSocket } from "../../../../src/providers/polymarket/sockets/sports-socket.ts";
import { openTradesSocket } from "../../../../src/providers/polymarket/sockets/trades-socket.ts";
import { anEndpoint, aReplay, aV1Activity, CONDITION, trades, WALLET } from "../../scripts/provider/recordings.ts";

/** A Wednesday evening with games in play. */
const NOW = Date.parse("2026-11-18T20:04:00Z");

const aSimulation = () => anEndpoint({ kind: "simulate", seed: 7, now: () => NOW });

/** The provider at an endpoint, and the waits it would have made between attempts. */
function aProvider(endpoint: ProviderEndpoint): { provider: Provider; waits: number[] } {
  const waits: number[] = [];
  const provider = createPolymarketProvider({
    config: endpoint,
    fetch: (url, init) => fetch(url, init),
    now: Date.now,
    // The timeout of an attempt is the sleep that can be aborted; it never ends here.
    sleep: (ms, signal) => (signal === undefined ? Promise.resolve(void waits.push(ms)) : new Promise(() => undefined)),
    random: () => 0,
  });
  return { provider, waits };
}

async function walk<Row>(list: (cursor: string | null) => Promise<Page<Row>>, mostPages = Infinity): Promise<Page<Row>> {
  const first = await list(null);
  const rows = [...first.rows];
  const misfits = [...first.misfits];
  let { nextCursor } = first;
  for (let pages = 1; nextCursor !== null && pages < mostPages; pages++) {
    const page = await list(nextCursor);
    rows.push(...page.rows);
    misfits.push(...page.misfits);
    ({ nextCursor } = page);
  }
  return { rows, misfits, nextCursor };
}

test("every route of the provider is read without a misfit, and what one names the others know", async () => {
  const { provider } = aProvider(await aSimulation());
  const takers = await walk((cursor) => provider.listTrades("takers", cursor), 2);
  const all = await walk((cursor) => provider.listTrades("all", cursor), 2);
  const open = await walk((cursor) => provider.listMarkets("open", cursor));
  const closed = await walk((cursor) => provider.listMarkets("closed", cursor), 3);
  expect([takers, all, open, closed].map((page) => page.misfits)).toEqual([[], [], [], []]);
  expect(takers.rows).toHaveLength(2000);
  expect(open.rows.every((market) => !market.closed) && closed.rows.every((market) => market.closed)).toBe(true);

  const asked = [open.rows[0]?.conditionId ?? "", closed.rows[0]?.conditionId ?? "", `0x${"0".repeat(64)}`];
  const found = await provider.findMarkets(asked);
  expect(found.rows.map((market) => market.conditionId)).toEqual(asked.slice(0, 2));

  const [market] = open.rows;
  const books = await provider.findBooks(market?.outcomes.map((outcome) => outcome.tokenId) ?? []);
  expect(books.rows.map((book) => [book.bestBid, book.bestAsk])).toEqual(market?.outcomes.map((outcome) => [outcome.bestBid, outcome.bestAsk]));

  const resolutions = await provider.findResolutions(closed.rows.slice(0, 45).map((row) => row.conditionId));
  expect(resolutions.misfits).toEqual([]);
  expect(resolutions.rows.length).toBeGreaterThan(40);

  const board = await provider.listBoard("week", 50);
  expect(board.rows.map((row) => row.rank)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));

  const wallet = takers.rows[0]?.wallet.address ?? "";
  const activity = await walk((cursor) => provider.listActivity(wallet, null, cursor));
  expect(activity.misfits).toEqual([]);
  const fills = activity.rows.flatMap((row) => (row.kind === "trade" ? [row.trade] : []));
  const { feeMicro: _, ...newest } = { ...takers.rows[0], feeMicro: null };
  expect(fills).toContainEqual(expect.objectContaining(newest));
});

test("a wallet's activity is oldest first and begins where it is told to", async () => {
  const endpoint = await aReplay({ "activity.ndjson": [3, 2, 1].map((number) => aV1Activity(number)) });
  const { provider } = aProvider(endpoint);
  const whole = await provider.listActivity(WALLET, null, null);
  const times = whole.rows.map((row) => (row.kind === "trade" ? row.trade.tradedAt : null));
  expect(times).toEqual([1, 2, 3].map((second) => new Date((1_760_000_000 + second) * 1000)));
  const rest = await provider.listActivity(WALLET, times[1] ?? null, null);
  expect(rest.rows).toEqual(whole.rows.slice(1));
});

const PASSING: readonly Fault[] = [
  { path: "/data", kind: "garbage" },
  { path: "/data", kind: "truncated_json" },
  { path: "/data", kind: "cut" },
  { path: "/data", kind: "closed" },
  { path: "/data", kind: "status", status: 500 },
  { path: "/data", kind: "status", status: 429, retryAfterSeconds: 3 },
];

test.each(PASSING)("$kind $status once costs one more attempt and nothing else", async (fault) => {
  const endpoint = await aReplay({ "t.ndjson": trades(3) });
  const { provider, waits } = aProvider(endpoint);
  const untroubled = await provider.listTrades("takers", null);
  expect(untroubled.rows).toHaveLength(3);
  endpoint.setFaults([fault]);
  expect(await provider.listTrades("takers", null)).toEqual(untroubled);
  expect(waits.length).toBeGreaterThan(0);
  if (fault.retryAfterSeconds !== undefined) expect(Math.max(...waits)).toBeGreaterThanOrEqual(2900);
});

test("a provider that stays away is unavailable after four attempts, with the time it asked for", async () => {
  const endpoint = await aReplay({ "t.ndjson": trades(3) }, [{ path: "/data", kind: "status", status: 503, retryAfterSeconds: 2, times: 4 }]);
  const { provider } = aProvider(endpoint);
  const failure = await provider.listTrades("takers", null).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ProviderUnavailable);
  expect(failure).toMatchObject({ retryAfterMs: 2000 });
  expect((await provider.listTrades("takers", null)).rows).toHaveLength(3);
});

test("a longer rest than a read may take is left to the caller at once", async () => {
  const endpoint = await aReplay({ "t.ndjson": trades(3) }, [{ path: "/data", kind: "status", status: 429, retryAfterSeconds: 120 }]);
  const { provider, waits } = aProvider(endpoint);
  await expect(provider.listTrades("takers", null)).rejects.toMatchObject({ name: "ProviderUnavailable", retryAfterMs: 120_000 });
  expect(waits).toEqual([]);
});

test.each([400, 404, 422])("status %i is a refusal, and is not asked again", async (status) => {
  const endpoint = await aReplay({ "t.ndjson": trades(3) }, [{ path: "/data", kind: "status", status }]);
  const { provider, waits } = aProvider(endpoint);
  await expect(provider.listTrades("takers", null)).rejects.toBeInstanceOf(ProviderRefused);
  expect(waits).toEqual([]);
});

test("broken records come back whole beside the page's good ones", async () => {
  const endpoint = await aReplay({ "t.ndjson": trades(6) });
  const { provider } = aProvider(endpoint);
  const sound = await provider.listTrades("takers", null);
  endpoint.setFaults([{ path: "/data", kind: "malformed_records", records: 5 }]);
  const page = await provider.listTrades("takers", null);
  expect(page.rows).toEqual(sound.rows);
  expect(page.misfits).toHaveLength(5);
  expect(page.misfits.map(({ record }) => record)).toContainEqual({ unexpected: true });
  expect(page.misfits.find(({ record }) => record === null)?.reason).toMatch(/record/);
});

test("short pages lose nothing, and a cursor that leads to itself never becomes a walk without end", async () => {
  const endpoint = await aReplay({ "t.ndjson": trades(6) }, [{ path: "/data", kind: "short_page", times: 2 }]);
  const { provider } = aProvider(endpoint);
  const whole = await walk((cursor) => provider.listTrades("takers", cursor));
  expect(whole.rows.map((trade) => trade.tradedAt.getTime() / 1000 - 1_760_000_000)).toEqual([6, 5, 4, 3, 2, 1]);

  endpoint.setFaults([{ path: "/data", kind: "short_page" }]);
  const { nextCursor } = await provider.listTrades("takers", null);
  endpoint.setFaults([
    { path: "/data", kind: "short_page" },
    { path: "/data", kind: "repeated_page", times: 3 },
  ]);
  // The fault repeats the route's last answer, whose cursor is the one just followed or its successor's.
  await expect(walk((cursor) => provider.listTrades("takers", cursor ?? nextCursor), 10)).resolves.toMatchObject({ nextCursor: null });
});

const connect: Connect = (url) =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.once("open", () => resolve(socket));
    socket.once("error", reject);
  });

test("the live socket tells trades that the trade feed has a moment later", async () => {
  const startedAt = performance.now();
  const endpoint = await anEndpoint({ kind: "simulate", seed: 7, now: () => NOW + (performance.now() - startedAt) });
  const heard: RtdsTrade[] = [];
  const misfits: unknown[] = [];
  const states: string[] = [];
  const socket = openTradesSocket({
    url: endpoint.tradesSocketUrl,
    connect,
    clock: systemClock,
    random: Math.random,
    onTrade: (trade) => heard.push(trade),
    onMisfit: (misfit) => misfits.push(misfit),
    onState: (state) => states.push(state.kind),
  });
  socket.start();
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(0), { timeout: 10_000, interval: 50 });
  socket.stop();
  expect(states).toEqual(["connecting", "live", "stopped"]);
  expect(misfits).toEqual([]);
  const [first] = heard;
  const { provider } = aProvider(endpoint);
  await vi.waitFor(
    async () => {
      const { rows } = await provider.listTrades("all", null);
      expect(rows).toContainEqual(
        expect.objectContaining({ txHash: first?.txHash, tokenId: first?.tokenId, side: first?.side, sharesMicro: first?.sharesMicro, usdMicro: first?.usdMicro }),
      );
    },
    { timeout: 15_000, interval: 250 },
  );
}, 30_000);

test("the sports socket tells games in the ids their markets carry", async () => {
  const endpoint = await aSimulation();
  const games: GameState[] = [];
  const misfits: unknown[] = [];
  const socket = openSportsSocket({
    url: endpoint.sportsSocketUrl,
    connect,
    clock: systemClock,
    random: Math.random,
    onGame: (game) => games.push(game),
    onMisfit: (misfit) => misfits.push(misfit),
    onState: () => undefined,
  });
  socket.start();
  await vi.waitFor(() => expect(games.length).toBeGreaterThan(0), { timeout: 10_000, interval: 50 });
  socket.stop();
  expect(misfits).toEqual([]);
  const { provider } = aProvider(endpoint);
  const open = await walk((cursor) => provider.listMarkets("open", cursor));
  expect(open.rows.map((market) => market.gameId)).toEqual(expect.arrayContaining(games.filter((game) => !game.ended).map((game) => game.gameId)));
});

test("a market the trade feed names is found by the condition the row carries", async () => {
  const { provider } = aProvider(await aReplay({ "t.ndjson": trades(1) }));
  const { rows } = await provider.listTrades("takers", null);
  expect(rows[0]?.market).toEqual({ conditionId: CONDITION, title: "Will it rain?", slug: "will-it-rain", eventSlug: "rain", icon: null });
  expect((await provider.findMarkets([CONDITION])).rows.map((market) => market.conditionId)).toEqual([CONDITION]);
});
