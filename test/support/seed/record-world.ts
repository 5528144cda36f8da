import { eq } from "drizzle-orm";
import type { Random } from "../../../scripts/provider/simulate/random.ts";
import type { Database } from "../../../src/db/client.ts";
import {
  largeTrades,
  ledgerEntries,
  markets,
  outcomes,
  publishedFlowAlerts,
  suspiciousTrades,
} from "../../../src/db/schema.ts";
import type { RecordAlert, RecordMarket, RecordPick, RecordTrade, RecordWorld } from "../oracles/public-record.ts";
import { anEvent } from "./markets.ts";
import { hex, nextNumber } from "./numbers.ts";
import { aPick } from "./picks/picks.ts";
import { aSeededTrader } from "./traders/traders.ts";
import { DAY_MS } from "../../../src/scoring/utc-calendar.ts";

const PPM = 1_000_000;

export interface RecordWorldSize {
  readonly markets: number;
  readonly trades: number;
  readonly alerts: number;
  readonly picks: number;
}

/** A random world with every kind of claim, in the last days of a month and the first of the next. */
export async function aRecordWorld(
  db: Database,
  random: Random,
  size: RecordWorldSize,
  { from, days }: { readonly from: Date; readonly days: number },
): Promise<RecordWorld> {
  const instant = () => from.getTime() + random.integer(0, days * 24 * 60) * 60_000;
  const price = () => String(random.chance(0.03) ? random.pick([0, 1]) : random.integer(1, 99) / 100);
  const ordinary = await storeMarkets(db, random, size.markets, instant);
  const trades = await storeTrades(db, random, size.trades, { markets: ordinary, instant, price });
  const alerts = await storeAlerts(db, random, size.alerts, { markets: ordinary, instant, price });
  const picked = await storePicks(db, random, size.picks, instant);
  return { markets: [...ordinary, ...picked.markets], trades, alerts, picks: picked.picks };
}

type StoredMarket = RecordMarket & { readonly outcomeIds: readonly [number, number] };

const settlement = (random: Random): readonly [number, number] =>
  random.pick([
    [1, 0],
    [0, 1],
    [1, 0],
    [0, 1],
    [0.5, 0.5],
  ]);

const toPpm = (payouts: readonly [number, number] | null) => payouts?.map((payout) => payout * PPM) ?? null;

async function storeMarkets(
  db: Database,
  random: Random,
  count: number,
  instant: () => number,
): Promise<StoredMarket[]> {
  const events = await Promise.all(Array.from({ length: Math.ceil(count / 3) }, () => anEvent(db)));
  const facts = Array.from({ length: count }, () => {
    const isResolved = random.chance(0.8);
    return {
      eventId: random.chance(0.7) ? random.pick(events) : null,
      category: random.pick(["Soccer", "Politics", null]),
      isCombination: random.chance(0.05),
      payouts: isResolved ? settlement(random) : null,
      resultAtMs: isResolved ? instant() + 3 * DAY_MS : null,
    };
  });
  const stored = await db
    .insert(markets)
    .values(
      facts.map(({ eventId, category, isCombination, payouts, resultAtMs }) => ({
        conditionId: isCombination ? `0x03${hex(nextNumber(), 60).slice(2)}` : hex(nextNumber(), 64),
        ...{ eventId, category, payoutsPpm: toPpm(payouts), closed: payouts !== null },
        resolvedAt: resultAtMs === null ? null : new Date(resultAtMs),
        settledOn: resultAtMs === null ? null : new Date(resultAtMs).toISOString().slice(0, 10),
      })),
    )
    .returning({ id: markets.id });
  const sides = await db
    .insert(outcomes)
    .values(
      stored.flatMap(({ id }) =>
        [0, 1].map((outcomeIndex) => ({ marketId: id, outcomeIndex, tokenId: String(1_000_000 + nextNumber()) })),
      ),
    )
    .returning({ id: outcomes.id });
  return facts.map((fact, index) => ({
    ...fact,
    id: stored[index]?.id ?? 0,
    outcomeIds: [sides[2 * index]?.id ?? 0, sides[2 * index + 1]?.id ?? 0],
  }));
}

interface Source {
  readonly markets: readonly StoredMarket[];
  readonly instant: () => number;
  readonly price: () => string;
}

async function storeTrades(
  db: Database,
  random: Random,
  count: number,
  { markets: from, instant, price }: Source,
): Promise<RecordTrade[]> {
  const trader = await aSeededTrader(db);
  const facts = Array.from({ length: count }, () => ({
    market: random.pick(from),
    outcome: random.pick([0, 1] as const),
    side: random.chance(0.8) ? ("BUY" as const) : ("SELL" as const),
    price: price(),
    atMs: instant(),
    gradeAtTrade: random.pick(["S", "A", "B", "F", null, null]),
    recordedMs: random.chance(0.3) ? random.integer(0, 6 * DAY_MS) : null,
  }));
  const entries = await db
    .insert(ledgerEntries)
    .values(
      facts.map(({ market, outcome, side, price: paid, atMs }) => ({
        ...{ txHash: `\\${hex(nextNumber(), 64).slice(1)}`, traderId: trader.id, marketId: market.id },
        ...{ outcomeId: market.outcomeIds[outcome], kind: side.toLowerCase(), sharesMicro: 10_000_000_000n },
        ...{ ordinal: 0, usdMicro: 6_000_000_000n, price: paid, role: "taker", tradedAt: new Date(atMs) },
      })),
    )
    .returning();
  const trades = await db
    .insert(largeTrades)
    .values(
      entries.map(
        ({ id, traderId, marketId, outcomeId, kind, sharesMicro, usdMicro, price: paid, tradedAt }, index) => ({
          ...{
            entryId: id,
            traderId,
            marketId,
            outcomeId,
            side: kind.toUpperCase(),
            sharesMicro,
            price: paid,
            tradedAt,
          },
          ...{ sizeUsdMicro: usdMicro, reviewScore: 0.5, gradeAtTradeStatus: "graded" },
          gradeAtTrade: facts[index]?.gradeAtTrade ?? null,
        }),
      ),
    )
    .returning({ id: largeTrades.id });
  const flagged = facts.flatMap((fact, index) =>
    fact.recordedMs === null ? [] : [{ index, ...fact, recordedMs: fact.atMs + fact.recordedMs }],
  );
  const flags = await db
    .insert(suspiciousTrades)
    .values(
      flagged.map(({ index, market, outcome, side, atMs, recordedMs }) => ({
        ...{ largeTradeId: trades[index]?.id ?? 0, traderId: trader.id, marketId: market.id, track: "whale" },
        side: (side === "BUY") === (outcome === 0) ? "yes" : "no",
        ...{ score: 70, scores: {}, evidence: {}, tradedAt: new Date(atMs), recordedAt: new Date(recordedMs) },
      })),
    )
    .returning({ id: suspiciousTrades.id });
  const flagOf = new Map(
    flagged.map(({ index, recordedMs }, n) => [index, { id: flags[n]?.id ?? 0, recordedMs }] as const),
  );
  return facts.map(({ market, outcome, side, price: paid, atMs, gradeAtTrade }, index) => ({
    ...{ id: trades[index]?.id ?? 0, marketId: market.id, outcome, side, price: paid, atMs, gradeAtTrade },
    flag: flagOf.get(index) ?? null,
  }));
}

async function storeAlerts(
  db: Database,
  random: Random,
  count: number,
  { markets: from, instant, price }: Source,
): Promise<RecordAlert[]> {
  const facts = Array.from({ length: count }, () => ({
    ...{ marketId: random.pick(from).id, side: random.pick(["yes", "no"] as const), atMs: instant() },
    price: random.chance(0.1) ? null : price(),
  }));
  const stored = await db
    .insert(publishedFlowAlerts)
    .values(facts.map(({ atMs, ...alert }) => ({ ...alert, window: "24h", publishedAt: new Date(atMs) })))
    .returning({ id: publishedFlowAlerts.id });
  return facts.map((fact, index) => ({ ...fact, id: stored[index]?.id ?? 0 }));
}

const PAYOUT = { win: 1, loss: 0, void: 0.5 } as const;

async function storePicks(
  db: Database,
  random: Random,
  count: number,
  instant: () => number,
): Promise<{ markets: RecordMarket[]; picks: RecordPick[] }> {
  const found: { markets: RecordMarket[]; picks: RecordPick[] } = { markets: [], picks: [] };
  for (let rank = 1; rank <= count; rank += 1) {
    const atMs = instant();
    const outcome = random.pick(["win", "loss", "loss", "void", null] as const);
    const isWithdrawn = random.chance(0.15);
    const isSlot = random.chance(0.1);
    const price = (random.integer(150_000, 850_000) / PPM).toFixed(6);
    const pick = await aPick(db, {
      ...{ date: new Date(atMs).toISOString().slice(0, 10), rank: ((rank - 1) % 15) + 1, price, isWithdrawn },
      ...{ publishedAt: isSlot ? null : new Date(atMs), kickoff: new Date(atMs + 3_600_000) },
      outcomes: outcome === null || isSlot ? [] : [outcome],
    }).catch(() => null);
    // Two of one day and rank.
    if (pick === null) continue;
    const resultAtMs = outcome === null ? null : atMs + 4 * 3_600_000;
    if (resultAtMs !== null)
      await db
        .update(markets)
        .set({ payoutsPpm: [0, PPM], resolvedAt: new Date(resultAtMs) })
        .where(eq(markets.id, pick.market.id));
    const [row] = await db.select().from(markets).where(eq(markets.id, pick.market.id));
    found.markets.push({
      ...{ id: pick.market.id, eventId: row?.eventId ?? null, category: row?.category ?? null },
      ...{ isCombination: false, payouts: null, resultAtMs },
    });
    if (!isWithdrawn && !isSlot)
      found.picks.push({
        ...{ id: pick.id, marketId: pick.market.id, price, atMs },
        payout: outcome === null ? null : PAYOUT[outcome],
      });
  }
  return found;
}
