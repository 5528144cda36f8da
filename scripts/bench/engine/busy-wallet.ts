import type pg from "pg";
import { createRandom } from "../../provider/simulate/random.ts";
import { rowFields } from "../../recompute/figures.ts";
import { addressOf } from "../../soak/named-objects.ts";
import type { EngineDatabase } from "./engine-database.ts";
import { generateTrade, PAGE_ROWS } from "./generated-trades.ts";
import type { LedgerWriter } from "./ledger-writer.ts";
import { recomputeWallet } from "./recompute-wallet.ts";

export const SEED = 4_242;

/** What trades are drawn over, and where new ones come in time: after all that is stored. */
export interface World {
  readonly wallets: number;
  readonly markets: number;
  readonly nowSeconds: number;
}

/** A wallet with so many fills. */
export interface BusyWallet {
  readonly number: number;
  readonly fills: number;
  readonly traderId: string;
}

/** Adds a wallet that has so many fills and is followed, as all others then are. */
export async function addBusyWallet({ client }: EngineDatabase, writer: LedgerWriter, world: World, fills: number): Promise<BusyWallet> {
  // No generated history has so many wallets.
  const number = 9_000_000 + fills;
  const random = createRandom(SEED, "busy");
  for (let first = 0; first < fills; first += PAGE_ROWS) {
    const rows = Array.from({ length: Math.min(PAGE_ROWS, fills - first) }, (_, n) =>
      generateTrade(random, first + n, number, random.integer(0, world.markets - 1), world.nowSeconds - fills + first + n, SEED),
    );
    await writer.trades("all", rows.toReversed());
  }
  const { rows } = await client.query<{ id: string }>(
    `with followed as (
       insert into wallet_syncs (trader_id, complete_at) select id, now() from traders
       on conflict (trader_id) do update set complete_at = excluded.complete_at
     )
     select id from traders where address = $1`,
    [addressOf(number)],
  );
  const traderId = rows[0]?.id;
  if (traderId === undefined) throw new Error("the busy wallet was not stored");
  return { number, fills, traderId };
}

/** @throws Error when what was kept by differences is not what the wallet's fills give */
export async function compareWithStored(client: pg.Client, { traderId }: BusyWallet): Promise<void> {
  const { folded, grade } = await recomputeWallet(client, traderId);
  const { rows } = await client.query<{ realized: string; settled: string; grade: string | null }>(
    `select t.realized_micro::text as realized, t.settled_micro::text as settled, w.grade
     from trader_totals t join traders w on w.id = t.trader_id where t.trader_id = $1`,
    [traderId],
  );
  const [stored] = rows;
  const totals = rowFields("trader_totals", folded.figures.trader_totals.get("") ?? "");
  if (stored?.realized !== totals["realized_micro"] || stored?.settled !== totals["settled_micro"] || stored?.grade !== grade.grade) {
    throw new Error(`stored ${JSON.stringify(stored)} differs from ${JSON.stringify(totals)} and grade ${grade.grade}`);
  }
}
