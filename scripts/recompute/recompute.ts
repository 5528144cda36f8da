import type { Session } from "../../src/db/client.ts";
import { lockLedger } from "../../src/ingest/ledger/record-ledger-entries.ts";
import { sessionOverTcp, type Client } from "../services/postgres/session-over-tcp.ts";
import { compareComboResults, rewriteComboResults } from "./combo-results.ts";
import { compareComboTakers, rewriteComboTakers } from "./combo-takers.ts";
import { compareTraderRows } from "./compare-trader.ts";
import type { StoredDifference } from "./figures.ts";
import { foldTrader } from "./fold-trader.ts";
import { checkRange } from "./check-range.ts";
import { RangeRows } from "./range-rows.ts";
import { listRanges, readTradersSnapshot, readTraders, type TraderRange } from "./read-traders.ts";
import { revaluePositions } from "./revalue-positions.ts";
import { rewriteTrader } from "./rewrite-trader.ts";
import { compareSettlementDays, rewriteSettlementDays } from "./settlement-days.ts";

export interface RecomputeSettings {
  /** False repairs the differences. */
  readonly verify: boolean;
  readonly onDifference: (difference: StoredDifference) => void;
  readonly onProgress?: (soFar: RecomputeTotals) => void;
}

export interface RecomputeTotals {
  readonly traders: number;
  readonly entries: number;
  readonly differences: number;
}

/** Entries of a range. Two ranges are in memory at once; a trader with more entries is still one range. */
const BATCH_ENTRIES = 20_000;

/**
 * Recomputes every trader from its ledger entries and compares the result with the stored figures. Traders
 * are read one range at a time, each range in one snapshot, so it can run while trades arrive.
 */
export async function recompute(
  client: Client,
  { verify, onDifference, onProgress }: RecomputeSettings,
): Promise<RecomputeTotals> {
  let [wallets, entries, differences] = [0, 0, 0];
  const report = (found: readonly StoredDifference[]) => {
    differences += found.length;
    for (const difference of found) onDifference(difference);
  };
  report(await compareSettlementDays(sessionOverTcp(client)));
  if (!verify && differences > 0) await underLedgerLock(client, rewriteSettlementDays);
  const comboResults = await compareComboResults(sessionOverTcp(client));
  report(comboResults);
  if (!verify && comboResults.length > 0) await underLedgerLock(client, rewriteComboResults);
  const comboTakers = await compareComboTakers(sessionOverTcp(client));
  report(comboTakers);
  if (!verify && comboTakers.length > 0) await underLedgerLock(client, rewriteComboTakers);
  const ranges = await listRanges(client, BATCH_ENTRIES);
  for await (const { range, rows } of readAhead(client, ranges)) {
    const checked = await checkRange(rows);
    for (const traderId of checked.differing) {
      const found = await findDifferences(client, traderId);
      report(found);
      if (!verify && found.length > 0) await rewriteFromNothing(client, traderId);
    }
    wallets += checked.traders;
    entries += checked.entries;
    if (!verify) await repairValues(client, range);
    onProgress?.({ traders: wallets, entries, differences });
  }
  return { traders: wallets, entries, differences };
}

/** Each range with its rows. The next range is already requested, so that Postgres reads it while this one is folded. */
async function* readAhead(
  client: Client,
  ranges: readonly TraderRange[],
): AsyncGenerator<{ range: TraderRange; rows: RangeRows }> {
  const memory: [RangeRows, RangeRows] = [new RangeRows(), new RangeRows()];
  const fetchRange = (range: TraderRange, rows: RangeRows) => rows.read(client, range).then(() => ({ range, rows }));
  let pending: ReturnType<typeof fetchRange> | null = null;
  try {
    for (const [index, range] of ranges.entries()) {
      // The rows of the range before the last one, whose consumer has finished.
      const rows = memory[index % 2 === 0 ? 0 : 1];
      const before = pending;
      pending = fetchRange(range, rows);
      if (before !== null) yield await before;
    }
    if (pending !== null) yield await pending;
  } finally {
    // A consumer that stops early gets its session back without a query in progress.
    await pending?.catch(() => undefined);
  }
}

/** What differs of a trader whose check has failed. Reads it again: the check compares without texts to report. */
async function findDifferences(client: Client, traderId: string): Promise<StoredDifference[]> {
  const { traders, outcomes } = await readTradersSnapshot(client, only(traderId));
  return traders.flatMap(({ facts, stored }) => compareTraderRows(traderId, stored, foldTrader(facts, outcomes)));
}

/** Reads the trader again under the ledger lock, because trades may have arrived since the comparison. */
async function rewriteFromNothing(client: Client, traderId: string): Promise<void> {
  await underLedgerLock(client, async (session) => {
    const range = only(traderId);
    const { traders, outcomes } = await readTraders(client, range);
    for (const { facts, stored } of traders)
      await rewriteTrader(session, traderId, stored, foldTrader(facts, outcomes));
    await revaluePositions(session, range);
  });
}

const only = (traderId: string): TraderRange => ({ after: String(BigInt(traderId) - 1n), upTo: traderId });

const repairValues = (client: Client, range: TraderRange): Promise<void> =>
  underLedgerLock(client, (session) => revaluePositions(session, range));

async function underLedgerLock(client: Client, work: (session: Session) => Promise<void>): Promise<void> {
  const session = sessionOverTcp(client);
  await client.query("begin");
  try {
    await lockLedger(session);
    await work(session);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
