import { createHash } from "node:crypto";

/*
 * The public record of docs/methodology.md, computed claim by claim in plain arithmetic: floating point, two passes for
 * the deviations, no sums that are updated.
 */

export interface RecordMarket {
  readonly id: number;
  readonly eventId: number | null;
  readonly category: string | null;
  readonly isCombination: boolean;
  /** Payout a share by outcome, in dollars; null without a result. */
  readonly payouts: readonly [number, number] | null;
  readonly resultAtMs: number | null;
}

export interface RecordTrade {
  readonly id: number;
  readonly marketId: number;
  readonly outcome: 0 | 1;
  readonly side: "BUY" | "SELL";
  readonly price: string;
  readonly atMs: number;
  readonly gradeAtTrade: string | null;
  readonly flag: { readonly id: number; readonly recordedMs: number } | null;
}

export interface RecordAlert {
  readonly id: number;
  readonly marketId: number;
  readonly side: "yes" | "no";
  readonly price: string | null;
  readonly atMs: number;
}

/** A published pick that was not withdrawn. */
export interface RecordPick {
  readonly id: number;
  readonly marketId: number;
  readonly price: string;
  readonly atMs: number;
  /** By the newest recorded outcome. */
  readonly payout: number | null;
}

export interface RecordWorld {
  readonly markets: readonly RecordMarket[];
  readonly trades: readonly RecordTrade[];
  readonly alerts: readonly RecordAlert[];
  readonly picks: readonly RecordPick[];
}

export type Kind = "flag" | "grade" | "flow_alert" | "pick";

interface Claim {
  readonly id: number;
  readonly market: RecordMarket;
  readonly price: number | null;
  readonly pricedMs: number;
  readonly publishedMs: number;
  readonly payout: number | null;
}

export interface SampleRecord {
  readonly claims: number;
  readonly won: number;
  readonly lost: number;
  readonly void: number;
  readonly pending: number;
  readonly late: number;
  readonly unpriced: number;
  readonly events: number;
  readonly rates: null | {
    readonly hitRate: number;
    readonly expected: number;
    readonly edgePoints: number;
    readonly standardError: number;
    readonly profitPerDollar: number;
  };
}

const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);
const millionths = (price: string) => Math.round(Number(price) * 1e6) / 1e6;

function fateOf({ price, payout, market, publishedMs }: Claim) {
  if (price === null || price <= 0 || price >= 1) return "unpriced";
  if (payout === null) return "pending";
  if (publishedMs >= (market.resultAtMs ?? Infinity)) return "late";
  return payout === 1 ? "won" : payout === 0 ? "lost" : "void";
}

/** The record by month and, under `all`, over all months. */
export function publicRecord(
  world: RecordWorld,
  kind: Kind,
): Map<string, { claim: SampleRecord; random: SampleRecord }> {
  const claims = claimsOf(world, kind);
  const random: Claim[] = [];
  for (const month of new Set(claims.map(({ pricedMs }) => monthOf(pricedMs))))
    random.push(
      ...drawRandom(
        world,
        kind,
        claims.filter(({ pricedMs }) => monthOf(pricedMs) === month),
      ),
    );
  const measured = (own: (claim: Claim) => boolean) => ({
    claim: measure(claims.filter(own)),
    random: measure(random.filter(own)),
  });
  const months = [...new Set(claims.map(({ pricedMs }) => monthOf(pricedMs)))];
  return new Map([
    ["all", measured(() => true)] as const,
    ...months.map((month) => [month, measured(({ pricedMs }) => monthOf(pricedMs) === month)] as const),
  ]);
}

function claimsOf({ markets, trades, alerts, picks }: RecordWorld, kind: Kind): Claim[] {
  const byId = new Map(markets.map((market) => [market.id, market]));
  const marketOf = (id: number): RecordMarket => {
    const market = byId.get(id);
    if (market === undefined) throw new Error(`no market ${id}`);
    return market;
  };
  const claims = {
    flag: () =>
      trades.flatMap(({ flag, ...trade }): Claim[] => {
        if (flag === null) return [];
        const market = marketOf(trade.marketId);
        const isSale = trade.side === "SELL";
        const paid = millionths(trade.price);
        return [
          {
            ...{ id: flag.id, market, price: isSale ? Math.round((1 - paid) * 1e6) / 1e6 : paid },
            ...{ pricedMs: trade.atMs, publishedMs: flag.recordedMs },
            payout: market.payouts?.[isSale ? 1 - trade.outcome : trade.outcome] ?? null,
          },
        ];
      }),
    grade: () =>
      trades
        .filter(({ side, gradeAtTrade }) => side === "BUY" && (gradeAtTrade === "S" || gradeAtTrade === "A"))
        .map((trade) => purchaseOf(trade, marketOf(trade.marketId))),
    flow_alert: () =>
      alerts.map(({ id, marketId, side, price, atMs }) => {
        const market = marketOf(marketId);
        const payout = market.payouts?.[side === "yes" ? 0 : 1] ?? null;
        return {
          id,
          market,
          price: price === null ? null : millionths(price),
          pricedMs: atMs,
          publishedMs: atMs,
          payout,
        };
      }),
    pick: () =>
      picks.map(({ id, marketId, price, atMs, payout }) => ({
        ...{ id, market: marketOf(marketId), price: millionths(price), pricedMs: atMs, publishedMs: atMs, payout },
      })),
  }[kind]();
  return claims.filter(({ market }) => !market.isCombination);
}

const purchaseOf = ({ id, outcome, price, atMs }: RecordTrade, market: RecordMarket): Claim => ({
  ...{ id, market, price: millionths(price), pricedMs: atMs, publishedMs: atMs },
  payout: market.payouts?.[outcome] ?? null,
});

/** One purchase for each claim of one month, where one is left. */
function drawRandom({ markets, trades }: RecordWorld, kind: Kind, claims: readonly Claim[]): Claim[] {
  const claimed = new Set(claims.map(({ market }) => market.id));
  const byId = new Map(markets.map((market) => [market.id, market]));
  const pool = trades.flatMap((trade): Claim[] => {
    const market = byId.get(trade.marketId);
    if (market === undefined || market.isCombination || trade.side !== "BUY") return [];
    if (kind === "flag" && trade.flag !== null) return [];
    if (kind === "grade" && ["S", "A"].includes(trade.gradeAtTrade ?? "")) return [];
    if ((kind === "flow_alert" || kind === "pick") && claimed.has(market.id)) return [];
    const purchase = purchaseOf(trade, market);
    return fateOf(purchase) === "unpriced" ? [] : [purchase];
  });
  const cellOf = ({ pricedMs, market, price }: Claim) =>
    [
      new Date(pricedMs).toISOString().slice(0, 10),
      market.category ?? "",
      Math.floor(Math.round((price ?? 0) * 1e6) / 50_000),
    ].join("|");
  const byCell = Map.groupBy(pool, cellOf);
  for (const purchases of byCell.values()) {
    const hashOf = ({ id }: Claim) => createHash("md5").update(`record-1:${kind}:wt_${id}`).digest("hex");
    purchases.sort((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1));
  }
  return claims
    .filter((claim) => !["unpriced", "late"].includes(fateOf(claim)))
    .toSorted((a, b) => a.id - b.id)
    .flatMap((claim) => byCell.get(cellOf(claim))?.shift() ?? []);
}

function measure(claims: readonly Claim[]): SampleRecord {
  const count = (fate: string) => claims.filter((claim) => fateOf(claim) === fate).length;
  const decided = claims.filter((claim) => ["won", "lost"].includes(fateOf(claim)));
  const settled = claims.filter((claim) => ["won", "lost", "void"].includes(fateOf(claim)));
  const edgeOf = ({ payout, price }: Claim) => 100 * ((payout ?? Number.NaN) - (price ?? Number.NaN));
  const byEvent = Map.groupBy(decided, ({ market }) => market.eventId ?? `market ${market.id}`);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const edgePoints = mean(decided.map(edgeOf));
  const squares = [...byEvent.values()].map(
    (own) => own.reduce((sum, claim) => sum + edgeOf(claim) - edgePoints, 0) ** 2,
  );
  const groups = byEvent.size;
  const variance = ((groups / (groups - 1)) * squares.reduce((sum, square) => sum + square, 0)) / decided.length ** 2;
  return {
    ...{ claims: claims.length, won: count("won"), lost: count("lost"), void: count("void") },
    ...{ pending: count("pending"), late: count("late"), unpriced: count("unpriced"), events: groups },
    rates:
      groups < 10
        ? null
        : {
            hitRate: count("won") / decided.length,
            expected: mean(decided.map(({ price }) => price ?? Number.NaN)),
            edgePoints,
            standardError: Math.sqrt(variance),
            profitPerDollar: mean(
              settled.map(({ payout, price }) => (payout ?? Number.NaN) / (price ?? Number.NaN) - 1),
            ),
          },
  };
}
