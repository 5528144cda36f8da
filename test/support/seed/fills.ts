import type { Database } from "../../../src/db/client.ts";
import { fillLogs, largeTrades, ledgerEntries } from "../../../src/db/schema.ts";
import { multiplyMicro, parseMicro } from "../../../src/domain/money.ts";
import type { SeededMarket } from "./markets.ts";
import { hex, nextNumber } from "./numbers.ts";
import type { SeededTrader } from "./traders/traders.ts";

export interface FillFacts {
  readonly trader: SeededTrader;
  readonly market: SeededMarket;
  readonly outcome?: 0 | 1;
  readonly side?: "BUY" | "SELL";
  readonly shares?: number;
  readonly price?: string;
  /** ISO. */
  readonly at?: string;
  readonly isTaker?: boolean;
  /** Fills of one transaction share a number; by default each fill has its own. */
  readonly tx?: number;
  readonly kind?: "split" | "merge";
  /** In dollars; null, the default, while it is unknown. */
  readonly fee?: string | null;
}

/** A fill in the ledger, without anything derived from it. */
export async function aFill(db: Database, facts: FillFacts) {
  const {
    trader,
    market,
    outcome = 0,
    side = "BUY",
    shares = 100,
    price = "0.5",
    isTaker = false,
    tx = nextNumber(),
  } = facts;
  const sharesMicro = BigInt(Math.round(shares * 1e6));
  const [entry] = await db
    .insert(ledgerEntries)
    .values({
      txHash: `\\${hex(tx, 64).slice(1)}`,
      traderId: trader.id,
      outcomeId: market.outcomes[outcome].id,
      marketId: market.id,
      kind: facts.kind ?? (side === "BUY" ? "buy" : "sell"),
      sharesMicro,
      ordinal: nextNumber() % 30_000,
      usdMicro: multiplyMicro(sharesMicro, price) ?? 0n,
      price,
      feeMicro: parseMicro(facts.fee ?? ""),
      role: isTaker ? "taker" : null,
      tradedAt: new Date(facts.at ?? "2026-11-20T12:00:00Z"),
    })
    .returning();
  if (entry === undefined) throw new Error("no entry was stored");
  return entry;
}

export type TakerTradeFacts = FillFacts &
  Partial<Pick<typeof largeTrades.$inferInsert, "recordedAt" | "judgedAt" | "category">>;

/** A taker's fill that was captured as a large trade. @returns the large trade's row id */
export async function aTakerTrade(db: Database, facts: TakerTradeFacts): Promise<number> {
  const { recordedAt, judgedAt, category, ...fill } = facts;
  const entry = await aFill(db, { ...fill, isTaker: true });
  const [row] = await db
    .insert(largeTrades)
    .values({
      entryId: entry.id,
      traderId: entry.traderId,
      marketId: entry.marketId,
      outcomeId: entry.outcomeId,
      side: entry.kind === "buy" ? "BUY" : "SELL",
      sizeUsdMicro: entry.usdMicro,
      sharesMicro: entry.sharesMicro,
      price: entry.price,
      tradedAt: entry.tradedAt,
      reviewScore: 0.5,
      gradeAtTradeStatus: "unknown",
      recordedAt: recordedAt ?? entry.tradedAt,
      judgedAt: judgedAt ?? null,
      category: category ?? null,
    })
    .returning({ id: largeTrades.id });
  if (row === undefined) throw new Error("no large trade was stored");
  return row.id;
}

/** The log of an entry on the chain. @param exchange its number in the database; 2 is `ctf_v2` */
export async function aFillLog(
  db: Database,
  entryId: number,
  { ordersMatched, exchange = 2 }: { readonly ordersMatched: number | null; readonly exchange?: number },
): Promise<void> {
  await db.insert(fillLogs).values({
    entryId,
    blockNumber: 90_000_000,
    logIndex: nextNumber(),
    ordersMatchedLogIndex: ordersMatched,
    exchange: ordersMatched === null ? null : exchange,
  });
}
