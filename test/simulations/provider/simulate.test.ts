import { afterAll, describe, expect, test } from "vitest";
import { createSimulatedWorld } from "../../../scripts/provider/simulate/simulated-world.ts";
import { listLatentSkills } from "../../../scripts/provider/simulate/wallets.ts";
import type { ActivityRecord, ProviderWorld } from "../../../scripts/provider/provider-world.ts";
import { anEndpoint, getJson } from "../../unit/scripts/provider/provider-recordings.ts";

const NOW = Date.parse("2026-11-18T20:00:00Z");
const DAY = 86_400;

const visible = (world: ProviderWorld) => world.activity.all.filter((row) => row.timestamp <= world.feedHorizon());
const factsOf = (row: ActivityRecord) => [
  row.type,
  row.sequence,
  row.timestamp,
  row.wallet.address,
  row.tokenId,
  row.side,
  row.size,
  row.price,
  row.transactionHash,
];

const worlds = new Map<number, ProviderWorld>();
afterAll(() => worlds.clear());

/** The world of a seed at NOW, generated once: these tests only read it. */
function worldAtNow(seed: number): ProviderWorld {
  const world = worlds.get(seed) ?? createSimulatedWorld(seed, () => NOW);
  worlds.set(seed, world);
  return world;
}

describe("the simulated world", () => {
  test("a simulated world is the same for the same seed and time, and different for another seed", () => {
    const historyOf = (world: ProviderWorld) => visible(world).map(factsOf);
    const history = historyOf(worldAtNow(7));
    expect(historyOf(createSimulatedWorld(7, () => NOW))).toEqual(history);
    expect(historyOf(worldAtNow(8))[0]).not.toEqual(history[0]);
  });

  test("a simulated world that is started later lists the same history", () => {
    let now = NOW;
    const early = createSimulatedWorld(7, () => now);
    // Six hours later a new week has begun: the later start does not list events of the oldest week.
    now = NOW + DAY * 250;
    early.refresh();
    const late = createSimulatedWorld(7, () => now);
    const before = new Map(visible(early).map((row) => [row.sequence, factsOf(row)]));
    const shared = visible(late).filter((row) => before.has(row.sequence));
    expect(shared.length).toBeGreaterThan(10_000);
    expect(shared.map(factsOf)).toEqual(shared.map((row) => before.get(row.sequence)));
  });

  test("a simulated provider still serves a five-minute market that a later start does not list", async () => {
    const early = worldAtNow(7);
    const market = early.catalog.markets.find((one) => one.slug.includes("updown") && (one.closedAtMs ?? 0) > NOW);
    const { dataUrl, gammaUrl } = await anEndpoint({ kind: "simulate", seed: 7, now: () => NOW + 7_200_000 });
    const condition = market?.conditionId ?? "";
    expect((await getJson(`${gammaUrl}/markets/keyset?slug=${market?.slug}&closed=true`)).body.markets).toEqual([]);
    const { body } = await getJson(`${dataUrl}/v2/resolutions?condition=${condition}`);
    expect(body.data[0]).toMatchObject({
      condition_id: condition,
      status: "resolved",
      payouts: market?.resolution?.payoutsPpm,
    });
    expect(
      (await getJson(`${gammaUrl}/markets/keyset?condition_ids=${condition}&closed=true`)).body.markets[0].slug,
    ).toBe(market?.slug);
  });

  test("a simulated world has 7 to 14 days and at most 80,000 fills", () => {
    for (const days of [0, 3, 6]) {
      const now = NOW + days * DAY * 1000;
      const world = days === 0 ? worldAtNow(7) : createSimulatedWorld(7, () => now);
      const rows = visible(world);
      const age = now / 1000 - (rows[0]?.timestamp ?? 0);
      expect(age).toBeGreaterThan(6.9 * DAY);
      expect(age).toBeLessThan(14.1 * DAY);
      expect(rows.filter((row) => row.type === "TRADE").length).toBeLessThan(80_000);
    }
  });

  test("a simulated world continues at about two taker trades a second", () => {
    let now = NOW;
    const world = createSimulatedWorld(7, () => now);
    now = NOW + 1_800_000;
    world.refresh();
    const live = visible(world).filter((row) => row.role === "taker" && row.timestamp * 1000 > NOW);
    expect(live.length / 1800).toBeGreaterThan(1.2);
    expect(live.length / 1800).toBeLessThan(4);
  });

  test("a simulated transaction settles like the provider's: the taker's size is the sum of its makers', at their average price", () => {
    const trades = visible(worldAtNow(7)).filter((row) => row.type === "TRADE");
    const settlements = [...Map.groupBy(trades, (row) => row.transactionHash).values()];
    const wrong = settlements.filter((rows) => {
      const takers = rows.filter((row) => row.role === "taker");
      const makers = rows.filter((row) => row.role === "maker");
      const [taker] = takers;
      if (takers.length !== 1 || taker === undefined || makers.length === 0) return true;
      // A maker of the other token counts at one minus its price.
      const paid = makers.reduce(
        (sum, row) => sum + row.size * (row.tokenId === taker.tokenId ? row.price : 1 - row.price),
        0,
      );
      const size = makers.reduce((sum, row) => sum + row.size, 0);
      return Math.abs(size - taker.size) > 1e-5 || Math.abs(paid / size - taker.price) > 1e-6;
    });
    expect(settlements.length).toBeGreaterThan(5000);
    expect(wrong).toEqual([]);
  });

  test("simulated takers pay the fee of the provider's formula, and makers none", () => {
    const world = worldAtNow(7);
    const trades = visible(world).filter((row) => row.type === "TRADE" && row.market !== null);
    const wrong = trades.filter((row) => {
      const usd = row.size * row.price;
      const fee = row.side === "BUY" ? row.usdcSize - usd : usd - row.usdcSize;
      const due = row.role === "maker" ? 0 : row.size * (row.market?.feeRate ?? 0) * row.price * (1 - row.price);
      return Math.abs(fee - due) > 2e-5;
    });
    expect(wrong).toEqual([]);
  });

  test("no simulated trader sells shares that it does not have", () => {
    const openShares = new Map<string, number>();
    const short: string[] = [];
    for (const row of visible(worldAtNow(7))) {
      const pairs = row.type === "SPLIT" ? row.size : row.type === "MERGE" ? -row.size : 0;
      const move = (tokenId: string, shares: number) => {
        const key = `${row.wallet.address} ${tokenId}`;
        openShares.set(key, (openShares.get(key) ?? 0) + shares);
        if ((openShares.get(key) ?? 0) < -1e-4) short.push(key);
      };
      if (pairs !== 0) for (const tokenId of row.market?.tokenIds ?? []) move(tokenId, pairs);
      if (row.type === "TRADE") move(row.tokenId, row.side === "BUY" ? row.size : -row.size);
      if (row.type === "CONVERSION") move(row.tokenId, -row.size);
    }
    expect(short).toEqual([]);
  });

  test("a simulated conversion has one row per question, one size, and a dollar per share for every question but one", () => {
    const world = worldAtNow(7);
    const rows = visible(world).filter((row) => row.type === "CONVERSION");
    const conversions = [...Map.groupBy(rows, (row) => row.transactionHash).values()];
    expect(conversions.length).toBeGreaterThan(50);
    for (const ofOne of conversions) {
      const [first] = ofOne;
      const questions = first?.market?.event.markets ?? [];
      expect(first?.market?.event.negRisk).toBe(true);
      expect(
        new Set(ofOne.map((row) => `${row.wallet.address} ${row.timestamp} ${row.size} ${row.market?.event.id}`)).size,
      ).toBe(1);
      expect(new Set(ofOne.map((row) => row.market)).size).toBe(ofOne.length);
      expect(ofOne.length).toBeGreaterThan(1);
      expect(ofOne.length).toBeLessThan(questions.length);
      expect(ofOne.map((row) => row.tokenId)).toEqual(ofOne.map((row) => row.market?.tokenIds[1]));
      expect(ofOne.reduce((sum, row) => sum + row.usdcSize, 0)).toBeCloseTo((ofOne.length - 1) * (first?.size ?? 0), 5);
      expect((first?.timestamp ?? 0) * 1000).toBeLessThan(first?.market?.resolution?.atMs ?? 0);
    }
  });

  test("the profit of simulated converting traders in a settled group equals their cash flow", () => {
    const world = worldAtNow(7);
    const all = visible(world);
    let compared = 0;
    for (const { wallet, market } of all.filter((row) => row.type === "CONVERSION" && row.usdcSize > 0).slice(0, 40)) {
      const event = market?.event;
      if (event === undefined || (event.markets[0]?.resolution?.atMs ?? Infinity) > NOW) continue;
      const positions = world.listPositions(wallet.address).filter((position) => position.market.event === event);
      const profit = positions.reduce(
        (sum, p) => sum + p.realizedPnl + p.currentSize * ((p.currentPrice ?? 0) - p.averagePrice),
        0,
      );
      const openValue = positions.reduce((sum, p) => sum + p.currentSize * (p.currentPrice ?? 0), 0);
      let cash = 0;
      for (const row of all) {
        if (row.wallet !== wallet || row.market?.event !== event) continue;
        const usd = row.type === "TRADE" ? row.size * row.price : row.usdcSize;
        cash += row.side === "BUY" || row.type === "SPLIT" ? -usd : usd;
      }
      expect(profit).toBeCloseTo(cash + openValue, 2);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(10);
  });

  test("the holders of a simulated question include traders that got shares by a conversion", async () => {
    const world = worldAtNow(7);
    const conversion = visible(world).findLast((row) => row.type === "CONVERSION");
    const questionRows = visible(world).filter((row) => row.transactionHash === conversion?.transactionHash);
    const givenMarket = conversion?.market?.event.markets.find((market) =>
      questionRows.every((row) => row.market !== market),
    );
    if (conversion === undefined || givenMarket === undefined) throw new Error("seed 7 has conversions");
    const position = world
      .listPositions(conversion.wallet.address)
      .find((one) => one.market === givenMarket && one.outcomeIndex === 0);
    expect(position?.totalSize).toBeGreaterThanOrEqual(conversion.size);
    const holders = world.listHolders(givenMarket).filter((holder) => holder.outcomeIndex === 0);
    const amount = holders.find((holder) => holder.wallet === conversion.wallet)?.amount ?? 0;
    expect(amount).toBe(position?.currentSize);
  });

  test("simulated groups resolve to exactly one winner, and some markets half and half", () => {
    const { catalog } = worldAtNow(7);
    const groups = catalog.events.filter((event) => event.negRisk);
    const winners = groups.map(
      (event) => event.markets.filter((market) => market.resolution?.payoutsPpm[0] === 1_000_000).length,
    );
    expect(new Set(winners)).toEqual(new Set([1]));
    const seeds = [1, 2, 3, 4].flatMap((seed) => worldAtNow(seed).catalog.markets);
    expect(seeds.some((market) => market.resolution?.payoutsPpm[0] === 500_000)).toBe(true);
  });

  test("simulated traders of latent skill win more often than their prices imply, the others do not", () => {
    const skill = new Map(
      [1, 2, 3].flatMap((seed) => listLatentSkills(seed).map((row) => [row.address, row] as const)),
    );
    const edges = { skilled: [] as number[], noise: [] as number[] };
    for (const seed of [1, 2, 3]) {
      for (const row of visible(worldAtNow(seed))) {
        const archetype = skill.get(row.wallet.address)?.archetype;
        if (
          row.type !== "TRADE" ||
          row.role !== "taker" ||
          row.side !== "BUY" ||
          row.market === null ||
          row.outcomeIndex === null
        )
          continue;
        const payout = (row.market.resolution?.payoutsPpm[row.outcomeIndex] ?? 0) / 1e6;
        if (archetype === "skilled" || archetype === "noise") edges[archetype].push(payout - row.price);
      }
    }
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(edges.skilled.length).toBeGreaterThan(500);
    expect(mean(edges.skilled)).toBeGreaterThan(0.03);
    expect(Math.abs(mean(edges.noise))).toBeLessThan(0.03);
  });

  test("simulated large trades have the form of recorded ones: few of all, by dozens of wallets, of which ten make about half", () => {
    for (const seed of [1, 2, 3]) {
      const takers = visible(worldAtNow(seed)).filter(
        (row) => row.type === "TRADE" && row.role === "taker" && row.market,
      );
      const large = takers.filter((row) => row.size * row.price >= 5_000);
      const counts = [...Map.groupBy(large, (row) => row.wallet).values()].map((own) => own.length);
      const topTen = counts.toSorted((a, b) => b - a).slice(0, 10);
      const singles = counts.filter((count) => count === 1);
      const sizes = large.map((row) => row.size * row.price).sort((a, b) => a - b);
      // Recordings: 0.2 to 1.7 % of trades; 30 to 153 wallets; ten make 46 to 70 %; 40 to 80 % have one; median $6,700 to $10,400.
      expect(large.length / takers.length).toBeGreaterThan(0.01);
      expect(large.length / takers.length).toBeLessThan(0.03);
      expect(counts.length).toBeGreaterThan(30);
      expect(topTen.reduce((sum, count) => sum + count, 0) / large.length).toBeGreaterThan(0.4);
      expect(topTen.reduce((sum, count) => sum + count, 0) / large.length).toBeLessThan(0.85);
      expect(singles.length / counts.length).toBeGreaterThan(0.25);
      expect(sizes[Math.floor(sizes.length / 2)]).toBeGreaterThan(7_000);
      expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThan(12_000);
    }
  });

  test("simulated trades arrive steadily from the start on, and skilled wallets make large ones within minutes", () => {
    for (const seed of [1, 2, 3]) {
      let now = NOW;
      const world = createSimulatedWorld(seed, () => now);
      const archetypes = new Map(listLatentSkills(seed).map((row) => [row.address, row.archetype]));
      now = NOW + 600_000;
      world.refresh();
      const live = visible(world).filter((row) => row.role === "taker" && row.market && row.timestamp * 1000 > NOW);
      const minuteOf = (row: ActivityRecord) => Math.floor((row.timestamp - NOW / 1000) / 60);
      const byMinute = [...Map.groupBy(live, minuteOf)].map(([, rows]) => rows.length);
      expect(byMinute.length).toBeGreaterThanOrEqual(10);
      expect(Math.min(...byMinute.slice(0, 9))).toBeGreaterThan(50);
      const large = live.filter(
        (row) => row.size * row.price >= 5_000 && archetypes.get(row.wallet.address) === "skilled",
      );
      expect(new Set(large.map(minuteOf)).size).toBeGreaterThanOrEqual(4);
    }
  });

  test("every simulated name says that it is generated", () => {
    const world = worldAtNow(7);
    expect(world.describe()).toContain("generated");
    expect(world.catalog.events.filter((event) => !event.slug.startsWith("sim-"))).toEqual([]);
    expect(world.catalog.markets.filter((market) => !/\(sim(ulated)?\)/.test(market.question))).toEqual([]);
    expect(world.catalog.markets.filter((market) => !market.conditionId.startsWith("0x5eed"))).toEqual([]);
  });
});

test("fresh simulated rows get their enrichment only after a while", async () => {
  let now = NOW;
  const { dataUrl } = await anEndpoint({ kind: "simulate", seed: 7, now: () => now });
  const rows = async () => (await getJson(`${dataUrl}/v2/trades?limit=1000&condition=${condition}`)).body.data;
  const { body } = await getJson(`${dataUrl}/v2/trades?limit=200`);
  const fresh = body.data.find((row: any) => row.outcome_index === 999);
  const condition = fresh.condition_id;
  expect(fresh.event_slug).toBe("");
  now = NOW + 120_000;
  const enrichedRow = (await rows()).find((row: any) => row.transaction_hash === fresh.transaction_hash);
  expect(enrichedRow.outcome_index).toBeLessThan(2);
  expect(enrichedRow.event_slug).not.toBe("");
});

test("simulated positions, holders and leaderboards follow from the fills", async () => {
  const { dataUrl } = await anEndpoint({ kind: "simulate", seed: 7, now: () => NOW });
  const board = (await getJson(`${dataUrl}/v2/leaderboard?time_period=week&limit=5`)).body.data;
  expect(board.map((row: any) => row.rank)).toEqual([1, 2, 3, 4, 5]);
  const { user_id: user } = board[0];
  const leaderboardRow = await getJson(`${dataUrl}/v2/leaderboard?time_period=week&user=${user}`);
  expect(leaderboardRow.body.data).toMatchObject({ user_id: user, pnl: board[0].pnl, rank_pnl: 1 });
  const [position] = (await getJson(`${dataUrl}/v2/positions?user=${user}&status=OPEN&limit=1`)).body.data;
  expect(position.unrealized_pnl).toBeCloseTo(position.current_value - position.entry_cost_usdc, 3);
  const holders = (await getJson(`${dataUrl}/v2/holders?condition=${position.condition_id}&limit=1000`)).body.data;
  const own = holders
    .find((group: any) => group.token_id === position.token_id)
    .holders.find((row: any) => row.proxy_wallet === user);
  expect(own.amount).toBeCloseTo(position.current_size, 3);
});
