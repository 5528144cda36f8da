import { bookEntries, type BookedLedger } from "./book-entries.ts";
import { checkDefinitions, type Definition } from "./check-definitions.ts";
import { comparePosition, foldEntries } from "./compare-position.ts";
import type { ComparedPosition } from "./compared-position.ts";
import type { RecordingFacts, FileReport, ProviderTotal } from "./recording-facts.ts";
import { readRecording } from "./read-recording.ts";
import { listFailures, summarize, type Summary } from "./summarize.ts";

export interface Reconciliation {
  readonly positions: readonly ComparedPosition[];
  /** Figures about whole wallets: never compared; the last of each kind and wallet. */
  readonly totals: readonly (ProviderTotal & { readonly rows: number })[];
  /** Positions that we can compute but the provider has no figure for: never compared. */
  readonly unmatched: readonly UnmatchedPosition[];
  readonly definitions: readonly Definition[];
  readonly files: readonly FileReport[];
  /** Reasons why the product's own schema refused recorded trades. */
  readonly refusedTrades: readonly string[];
  readonly summary: Summary;
  /** Empty when the run passes. */
  readonly failures: readonly string[];
}

export interface UnmatchedPosition {
  readonly wallet: string;
  readonly tokenId: string;
  readonly movements: number;
  /** Over the recorded fills only, which may be incomplete. */
  readonly realizedMicro: bigint;
}

/** Reads a recording and compares our figures with the provider's. */
export async function reconcileRecording(dir: string): Promise<Reconciliation> {
  return reconcile(await readRecording(dir));
}

export function reconcile(facts: RecordingFacts): Reconciliation {
  const books = bookEntries(facts);
  const positions = facts.positions.map((position) => comparePosition(position, books));
  const summary = summarize(positions, facts.files, books.refusedTrades);
  return {
    positions,
    totals: latestTotals(facts.totals),
    unmatched: listUnmatched(books, positions),
    definitions: checkDefinitions(positions, facts.totals),
    files: facts.files,
    refusedTrades: books.refusedTrades,
    summary,
    failures: listFailures(summary),
  };
}

function latestTotals(totals: readonly ProviderTotal[]): (ProviderTotal & { rows: number })[] {
  return [...Map.groupBy(totals, ({ file, wallet, figure }) => [file, wallet, figure].join("\n")).values()].flatMap(
    (rows) => {
      const last = rows.at(-1);
      return last === undefined ? [] : [{ ...last, rows: rows.length }];
    },
  );
}

function listUnmatched(books: BookedLedger, positions: readonly ComparedPosition[]): UnmatchedPosition[] {
  const matched = new Set(positions.map(({ position }) => `${position.wallet} ${position.tokenId}`));
  return [...books.positions].flatMap(([key, movements]) => {
    const [wallet = "", tokenId = ""] = key.split(" ");
    if (matched.has(key)) return [];
    return [{ wallet, tokenId, movements: movements.length, realizedMicro: foldEntries(movements).realizedMicro }];
  });
}
