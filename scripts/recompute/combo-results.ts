import { sql } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../src/db/aliases.ts";
import type { Session } from "../../src/db/client.ts";
import { comboLegs, combos, markets } from "../../src/db/schema.ts";
import { alias, integer, selectRows } from "../../src/db/sql.ts";
import { settleCombos } from "../../src/ingest/combos/settle-combos.ts";
import { settlePositions } from "../../src/ingest/markets/settle-positions.ts";
import type { StoredDifference } from "./figures.ts";

const combo = alias(combos, "combo");
const leg = alias(comboLegs, "leg");
const lm = alias(markets, "lm");

const ComboRow = z.object({
  id: integer,
  condition_id: z.string(),
  stored: z.array(z.number()).nullable(),
  /** What each leg pays; null while it is not resolved. */
  paid: z.array(z.number().nullable()),
});

type ComboRow = z.output<typeof ComboRow>;

/** The known combos whose stored payouts do not follow from the results of their legs. */
export async function compareComboResults(session: Session): Promise<StoredDifference[]> {
  const rows = await readCombos(session);
  return rows
    .map((row) => ({ row, stored: textOf(row.stored), computed: textOf(payoutsOf(row.paid)) }))
    .filter(({ stored, computed }) => stored !== computed)
    .map(({ row, stored, computed }) => ({
      table: "markets" as const,
      key: `condition_id ${row.condition_id}`,
      field: "payouts_ppm",
      stored,
      computed,
    }));
}

const readCombos = (session: Session): Promise<ComboRow[]> =>
  selectRows(
    session,
    sql`select ${m.id}, ${m.conditionId}, ${m.payoutsPpm} as stored, array(
       select ${lm.payoutsPpm}[${leg.outcomeIndex} + 1]
       from ${leg} left join ${lm} on ${lm.id} = ${leg.legMarketId} where ${leg.marketId} = ${m.id}
     ) as paid
     from ${combo} join ${m} on ${m.id} = ${combo.marketId} and ${m.hydratedAt} is not null
     order by ${m.id}`,
    ComboRow,
  );

const textOf = (payouts: readonly number[] | null): string | null => payouts?.join(",") ?? null;

/** Not `comboPayoutsPpm`: the product runs in fractions of a millionth, and is cut off once. */
function payoutsOf(paid: ComboRow["paid"]): readonly number[] | null {
  if (paid.includes(0)) return [0, 1_000_000];
  if (paid.length === 0 || paid.includes(null)) return null;
  const [numerator, denominator] = paid.reduce(([n, d], ppm) => [n * BigInt(ppm ?? 0), d * 1_000_000n] as const, [
    1_000_000n,
    1n,
  ] as readonly [bigint, bigint]);
  const yes = Number(numerator / denominator);
  return [yes, 1_000_000 - yes];
}

/** In the caller's transaction, which holds the ledger lock. */
export async function rewriteComboResults(session: Session): Promise<void> {
  const rows = await readCombos(session);
  await settlePositions(
    session,
    await settleCombos(
      session,
      rows.map(({ id }) => id),
    ),
  );
}
