import type pg from "pg";
import { lockLedger } from "../../src/ingest/ledger/record-entries.ts";
import { compareWallet } from "./compare-wallet.ts";
import type { Difference } from "./figures.ts";
import { foldWallet } from "./fold-wallet.ts";
import { listRanges, readMoment, readWallets, type ReadWallets, type WalletRange } from "./read-wallets.ts";
import { revaluePositions } from "./revalue-positions.ts";
import { rewriteWallet } from "./rewrite-wallet.ts";
import { compareSettlementDays, rewriteSettlementDays } from "./settlement-days.ts";

export interface RecomputeSettings {
  /** False puts right what differs. */
  readonly verify: boolean;
  readonly onDifference: (difference: Difference) => void;
  readonly onProgress?: (sofar: Recomputed) => void;
}

export interface Recomputed {
  readonly wallets: number;
  readonly entries: number;
  readonly differences: number;
}

/** Entries of a range. Two ranges are in memory at once, and a wallet that has more is whole. */
const BATCH_ENTRIES = 20_000;

/**
 * Folds every wallet's recorded entries from nothing and holds the result against what is stored. Wallets are read a range at a time, each
 * range as of one moment, so it can run while trades arrive.
 */
export async function recompute(client: pg.ClientBase, { verify, onDifference, onProgress }: RecomputeSettings): Promise<Recomputed> {
  let [wallets, entries, differences] = [0, 0, 0];
  const report = (found: readonly Difference[]) => {
    differences += found.length;
    for (const difference of found) onDifference(difference);
  };
  report(await compareSettlementDays(client));
  if (!verify && differences > 0) await rewriteSettlementDays(client);
  const ranges = await listRanges(client, BATCH_ENTRIES);
  for await (const { range, read } of readAhead(client, ranges)) {
    for (const { facts, stored } of read.wallets) {
      const found = compareWallet(facts.traderId, stored, foldWallet(facts, read.outcomes));
      report(found);
      if (!verify && found.length > 0) await rewriteFromNothing(client, facts.traderId);
      wallets += 1;
      entries += facts.entries.length;
    }
    if (!verify) await rightValues(client, range);
    onProgress?.({ wallets, entries, differences });
  }
  return { wallets, entries, differences };
}

/** Each range with its wallets. The one after it has been asked for by then, so that Postgres reads while this one is folded. */
async function* readAhead(
  client: pg.ClientBase,
  ranges: readonly WalletRange[],
): AsyncGenerator<{ range: WalletRange; read: ReadWallets }> {
  const ask = (range: WalletRange) => readMoment(client, range).then((read) => ({ range, read }));
  let asked: ReturnType<typeof ask> | null = null;
  try {
    for (const range of ranges) {
      const before = asked;
      asked = ask(range);
      if (before !== null) yield await before;
    }
    if (asked !== null) yield await asked;
  } finally {
    // Whoever stops early has its session back with nothing under way.
    await asked?.catch(() => undefined);
  }
}

/** Reads the wallet again under the ledger lock: trades may have arrived since it was compared. */
async function rewriteFromNothing(client: pg.ClientBase, traderId: string): Promise<void> {
  await underLedgerLock(client, async () => {
    const range = { after: String(BigInt(traderId) - 1n), upTo: traderId };
    const { wallets, outcomes } = await readWallets(client, range);
    for (const { facts, stored } of wallets) await rewriteWallet(client, traderId, stored, foldWallet(facts, outcomes));
    await revaluePositions(client, range);
  });
}

const rightValues = (client: pg.ClientBase, range: WalletRange): Promise<void> =>
  underLedgerLock(client, () => revaluePositions(client, range));

async function underLedgerLock(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query("begin");
  try {
    await lockLedger(client);
    await work();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
