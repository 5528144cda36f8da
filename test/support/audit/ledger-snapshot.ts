import { foldPosition, utcDay, type Entry } from "../../../scripts/audit/fold.ts";
import type { MarketFacts, OutcomeFacts } from "../../../scripts/audit/price.ts";
import type { LargeTradeFacts, TraderFacts } from "../../../scripts/audit/ledger-rows.ts";
import type { LedgerSnapshot } from "../../../scripts/audit/ledger-mirror.ts";

export const NOW = Date.parse("2026-11-22T12:00:00Z");

let nextId = 1;

export function anOutcome(outcome: Partial<OutcomeFacts>): OutcomeFacts {
  return {
    ...{ id: 1, index: 0, tokenId: "1001", label: "Yes", bestBid: null, bestAsk: null, bookSource: null, bookMs: null },
    ...{ lastTradePrice: null, lastTradeMs: null },
    ...outcome,
  };
}

/** An open market of two outcomes that ends tomorrow. */
export function aMarket(market: Partial<MarketFacts>): MarketFacts {
  return {
    ...{
      id: 1,
      conditionId: `0x${"ab".repeat(32)}`,
      eventId: null,
      title: "Rain?",
      category: null,
      closed: false,
      endMs: NOW + 86_400_000,
    },
    ...{
      createdMs: NOW - 86_400_000,
      payoutsPpm: null,
      isUnknownCombo: false,
      resolvedAt: null,
      settledOn: null,
      volumeUsd: null,
    },
    outcomes: [anOutcome({}), anOutcome({ id: 2, index: 1, tokenId: "1002", label: "No" })],
    ...market,
  };
}

/** A buy of 10 shares for 4 dollars, an hour ago. */
export function anEntry(entry: Partial<Entry>): Entry {
  const id = nextId++;
  return {
    ...{
      id,
      traderId: 7,
      outcomeId: 1,
      marketId: 1,
      kind: "buy",
      shares: 10_000_000n,
      usd: 4_000_000n,
      fee: null,
      price: "0.4",
      role: null,
    },
    ...{ txHash: String(id).padStart(64, "0"), ordinal: 0, atMs: NOW - 3_600_000, recordedMs: NOW - 3_000_000 },
    ...entry,
  };
}

export function anAuditTrader(wallet: Partial<TraderFacts>): TraderFacts {
  return {
    ...{ id: 7, address: `0x${"7".repeat(40)}`, username: null, grade: null, score: null, tier: "hot", followed: true },
    ...{ completeAt: "2026-11-22T11:59:00.000Z", gaps: [] },
    ...wallet,
  };
}

/** A moment with the given facts. */
export function aLedgerSnapshot(facts: {
  readonly markets?: readonly MarketFacts[];
  readonly wallets?: readonly TraderFacts[];
  readonly entries?: readonly Entry[];
  readonly rebates?: readonly { readonly traderId: number; readonly usd: bigint; readonly atMs: number }[];
  readonly largeTrades?: readonly LargeTradeFacts[];
  readonly atMs?: number;
}): LedgerSnapshot {
  const { markets = [], wallets = [], entries = [], rebates = [], largeTrades = [], atMs = NOW } = facts;
  const inOrder = entries.toSorted((a, b) => a.atMs - b.atMs);
  const fills = (outcomeId: number) =>
    inOrder.filter(({ kind, outcomeId: of }) => of === outcomeId && (kind === "buy" || kind === "sell"));
  return {
    atMs,
    marketIds: markets.map(({ id }) => id),
    traderIds: wallets.map(({ id }) => id),
    market: (id) => markets.find((market) => market.id === id),
    marketOf: (conditionId) => markets.find((market) => market.conditionId === conditionId),
    trader: (id) => wallets.find((wallet) => wallet.id === id),
    fold(traderId) {
      const own = Map.groupBy(
        entries.filter((entry) => entry.traderId === traderId),
        ({ outcomeId }) => outcomeId,
      );
      const rebated = new Map<string, bigint>();
      for (const rebate of rebates.filter((one) => one.traderId === traderId))
        rebated.set(utcDay(rebate.atMs), rebate.usd);
      return {
        positions: new Map([...own].map(([id, of]) => [id, foldPosition(of)])),
        rebates: rebated,
        rewards: new Map(),
      };
    },
    tradersIn: (id) => [...new Set(entries.filter(({ marketId }) => marketId === id).map(({ traderId }) => traderId))],
    newestFill: (id) => fills(id).at(-1) ?? null,
    pricedFills: fills,
    fillsOf: (traderId, id) => fills(id).filter((fill) => fill.traderId === traderId),
    largeTrades: () => largeTrades,
    largeTradesIn: (id) => largeTrades.filter(({ marketId }) => marketId === id),
  };
}
