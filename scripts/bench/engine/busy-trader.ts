import type pg from "pg";
import { createRandom } from "../../provider/simulate/random.ts";
import { rowFields } from "../../recompute/figures.ts";
import { addressOf } from "../../soak/named-objects.ts";
import type { EngineDatabase } from "./engine-database.ts";
import { generateTrade, PAGE_ROWS } from "./generated-trades.ts";
import type { LedgerWriter } from "./ledger-writer.ts";
import { recomputeTrader } from "./recompute-trader.ts";

export const SEED = 4_242;

/** The ranges that trades are drawn from, and the time of new ones: after all stored trades. */
export interface TradeDrawSettings {
  readonly wallets: number;
  readonly markets: number;
  readonly nowSeconds: number;
}

/** A trader with a given number of fills. */
export interface BusyTrader {
  readonly number: number;
  readonly fills: number;
  readonly traderId: string;
}

/** Adds a trader with `fills` fills and marks it, like all others, as followed. */
export async function addBusyTrader(
  { client }: EngineDatabase,
  writer: LedgerWriter,
  world: TradeDrawSettings,
  fills: number,
): Promise<BusyTrader> {
  // No generated history has a trader with such a number.
  const number = 9_000_000 + fills;
  const random = createRandom(SEED, "busy");
  for (let first = 0; first < fills; first += PAGE_ROWS) {
    const rows = Array.from({ length: Math.min(PAGE_ROWS, fills - first) }, (_, n) =>
      generateTrade(
        random,
        first + n,
        number,
        random.integer(0, world.markets - 1),
        world.nowSeconds - fills + first + n,
        SEED,
      ),
    );
    await writer.writeTrades("all", rows.toReversed());
  }
  const { rows } = await client.query<{ id: string }>(
    `with followed as (
       insert into trader_syncs (trader_id, complete_at) select id, now() from traders
       on conflict (trader_id) do update set complete_at = excluded.complete_at
     )
     select id from traders where address = $1`,
    [addressOf(number)],
  );
  const traderId = rows[0]?.id;
  if (traderId === undefined) throw new Error("the busy trader was not stored");
  return { number, fills, traderId };
}

/** @throws Error when incrementally maintained figures differ from a recompute of the trader's fills */
export async function compareWithStored(client: pg.Client, { traderId }: BusyTrader): Promise<void> {
  const { folded, grade } = await recomputeTrader(client, traderId);
  const { rows } = await client.query<{ realized: string; settled: string; grade: string | null }>(
    `select t.realized_micro::text as realized, t.settled_micro::text as settled, w.grade
     from trader_totals t join traders w on w.id = t.trader_id where t.trader_id = $1`,
    [traderId],
  );
  const [stored] = rows;
  const totals = rowFields("trader_totals", folded.figures.trader_totals.get("") ?? "");
  if (
    stored?.realized !== totals["realized_micro"] ||
    stored?.settled !== totals["settled_micro"] ||
    stored?.grade !== grade.grade
  ) {
    throw new Error(`stored ${JSON.stringify(stored)} differs from ${JSON.stringify(totals)} and grade ${grade.grade}`);
  }
}
