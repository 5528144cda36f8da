import { isLargeTrade } from "../../../src/domain/trades/large-trade.ts";
import { WARM_MIN_FILL_USD } from "../../../src/domain/traders/tracking.ts";
import { captureLargeTrades } from "../../../src/ingest/feeds/capture-large-trades.ts";
import type { LedgerEntry } from "../../../src/ingest/ledger/ledger-entry.ts";
import { recordLedgerEntries } from "../../../src/ingest/ledger/record-ledger-entries.ts";
import { writeRealized } from "../../../src/ingest/ledger/write-ledger.ts";
import { markSettled } from "../../../src/ingest/skill/mark-due.ts";
import { rewarmTraders, trackTraders, tradersToWarm } from "../../../src/ingest/traders/track-traders.ts";
import { chunk } from "../../../src/lib/chunk.ts";
import { toMicro } from "../../../src/scoring/dollar-floor.ts";
import { FIGURES_TABLES } from "../../recompute/figures.ts";
import { sessionOverTcp, type Client } from "../../services/postgres/session-over-tcp.ts";
import { copyBinary } from "./copy-rows.ts";
import { figuresColumns, LEDGER_COLUMNS, RangeFold } from "./fold-range.ts";
import { mergeEntries, toLedgerEntry, type MergedTrader } from "./merge-entries.ts";
import { listKnownTraders, readLedger, readOutcomes, readReceipts } from "./read-range.ts";
import type { StagedRange } from "./staged-ranges.ts";

/** The product's own page size. */
const ENTRIES_AT_ONCE = 1_000;

/** What follows from the fills of a range after they are in the ledger. */
export interface InsertedRange {
  readonly added: number;
  readonly traderIds: readonly number[];
  readonly settledMarkets: readonly string[];
  /** The fills that make their trader warm or hot, or that may be large trades. */
  readonly tracking: readonly LedgerEntry[];
}

/**
 * Adds the staged fills of a range to the ledger and replaces the figures of its traders, in a transaction that has the
 * ledger lock.
 *
 * @param isFirst no trader has recorded entries
 */
export async function insertRange(
  client: Client,
  range: StagedRange,
  { largeTradeMinUsd, hasRepeats, isFirst }: { largeTradeMinUsd: number; hasRepeats: boolean; isFirst: boolean },
): Promise<InsertedRange> {
  const session = sessionOverTcp(client);
  const known = isFirst ? [] : await listKnownTraders(client, [...range.traders.keys()]);
  const ledger = await readLedger(client, known);
  const receipts = await readReceipts(client, range);
  const traders = new Map<string, MergedTrader>();
  const filledIn: LedgerEntry[] = [];
  for (const [traderId, staged] of range.traders) {
    const merged = mergeEntries(traderId, staged, ledger.get(traderId) ?? [], hasRepeats);
    filledIn.push(...merged.filledIn);
    if (merged.fresh.length > 0) traders.set(traderId, merged);
  }
  for (const part of chunk(filledIn, ENTRIES_AT_ONCE)) await recordLedgerEntries(session, part);

  const fold = new RangeFold(await readOutcomes(client, outcomesOf(traders)));
  // Figures may exist already.
  const stale = [...traders.keys()].filter((traderId) => ledger.has(traderId) || receipts.has(traderId));
  await copyBinary(client, `ledger_entries (${LEDGER_COLUMNS})`, fold.ledger(traders, receipts));
  await writeRealized(session, fold.changed);
  for (const table of FIGURES_TABLES) {
    if (stale.length > 0) await client.query(`delete from ${table} where trader_id = any($1::bigint[])`, [stale]);
    await copyBinary(client, `${table} (${figuresColumns(table)})`, fold.figures(table));
  }
  return {
    added: [...traders.values()].reduce((sum, { fresh }) => sum + fresh.length, 0),
    traderIds: [...traders.keys()].map(Number),
    settledMarkets: [...fold.settledMarkets],
    tracking: listTrackingFills(range, largeTradeMinUsd),
  };
}

/** What ingest does after a page: captures large trades and follows traders. */
export async function trackRange(
  client: Client,
  { tracking, traderIds, settledMarkets }: InsertedRange,
  largeTradeMinUsd: number,
): Promise<void> {
  const session = sessionOverTcp(client);
  const large = tracking.filter((fill) => isLargeTrade(fill, largeTradeMinUsd));
  for (const part of chunk(large, ENTRIES_AT_ONCE)) await captureLargeTrades(session, part, largeTradeMinUsd);
  await trackTraders(
    session,
    large.map(({ traderId }) => traderId),
    "hot",
  );
  await trackTraders(session, tradersToWarm(tracking), "warm");
  await rewarmTraders(session, traderIds);
  await markSettled(session, settledMarkets);
}

function outcomesOf(traders: ReadonlyMap<string, MergedTrader>): string[] {
  const ids = new Set<string>();
  for (const { fresh, recorded } of traders.values()) {
    for (const { outcomeId } of fresh) ids.add(outcomeId);
    for (const { outcomeId } of recorded) ids.add(outcomeId);
  }
  return [...ids];
}

/** The staged fills that make their trader warm or hot, or that may be large trades; also recorded ones. */
function listTrackingFills(range: StagedRange, largeTradeMinUsd: number): LedgerEntry[] {
  // A cent less: dollar floors compare in rounded cents.
  const floor = toMicro(Math.min(WARM_MIN_FILL_USD, largeTradeMinUsd)) - 10_000n;
  const fills: LedgerEntry[] = [];
  for (const [traderId, staged] of range.traders)
    for (const fill of staged) if (fill.usdMicro >= floor) fills.push(toLedgerEntry(traderId, fill));
  return fills;
}
