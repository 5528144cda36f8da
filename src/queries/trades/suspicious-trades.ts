import { sql } from "drizzle-orm";
import { z } from "zod";
import { m, t } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { suspiciousTrades } from "../../db/schema.ts";
import { alias, allOf, integer, isoText, selectRow, selectRows } from "../../db/sql.ts";
import type { PageRequest } from "../page-request.ts";

const flag = alias(suspiciousTrades, "s");

const component = z.number().nullable();

const SuspiciousTradeRow = z.object({
  id: integer,
  score: integer,
  /** As written by the scoring; null is not measured or unknown. */
  scores: z.object({ timing: component, edge: component, size: component, fresh_wallet: component }),
  evidence: z.record(z.string(), z.unknown()),
  traded_at: z.string(),
  trader_id: integer,
  address: z.string(),
  username: z.string().nullable(),
  market_id: integer,
  condition_id: z.string(),
  title: z.string().nullable(),
});

export type SuspiciousTradeRow = z.output<typeof SuspiciousTradeRow>;

const COLUMNS = sql`${flag.id}, ${flag.score}, ${flag.scores}, ${flag.evidence}, ${isoText(flag.tradedAt)} as traded_at,
  ${t.id} as trader_id, ${t.address}, ${t.username}, ${m.id} as market_id, ${m.conditionId}, ${m.title}`;

const JOINS = sql`join ${t} on ${t.id} = ${flag.traderId} join ${m} on ${m.id} = ${flag.marketId}`;

/**
 * The set of flags at one point in time. Flags are written once, so all flags up to the newest one of that
 * time are unchanged.
 */
export interface FlagPin {
  /** Row id; null when there was none. */
  readonly newest: number | null;
  readonly total: number;
}

export interface SuspiciousTradePage {
  /** One more than the limit when there is a next page. */
  readonly rows: SuspiciousTradeRow[];
  /** The flags that pass, on all pages: the current ones, or those of the given pin. */
  readonly pin: FlagPin;
}

/**
 * Lists flags by score, highest first, then newest first.
 *
 * @param filter flags with at least `minScore`; `pin` excludes later flags, null excludes none
 */
export async function listSuspiciousTrades(
  db: Database,
  { minScore, pin }: { readonly minScore: number; readonly pin: FlagPin | null },
  page: PageRequest<{ readonly score: number; readonly id: number }>,
): Promise<SuspiciousTradePage> {
  const where = allOf([
    sql`${flag.score} >= ${minScore}`,
    pin === null ? null : sql`${flag.id} <= ${pin.newest}`,
    page.cursor === null ? null : sql`(${flag.score}, ${flag.id}) < (${page.cursor.score}, ${page.cursor.id})`,
  ]);
  const passing =
    pin === null
      ? sql`select count(*) as total, max(${flag.id}) as newest from ${flag} where ${flag.score} >= ${minScore}`
      : sql`select ${pin.total}::int as total, ${pin.newest}::bigint as newest`;
  const rows = await selectRows(
    db,
    sql`with page as (
        select ${COLUMNS} from ${flag} ${JOINS} where ${where} order by ${flag.score} desc, ${flag.id} desc
          limit ${page.limit + 1}
      ), passing as (${passing})
      select total, newest, to_jsonb(page) as flag from passing left join page on true order by page.score desc,
        page.id desc`,
    z.object({ total: integer, newest: integer.nullable(), flag: SuspiciousTradeRow.nullable() }),
  );
  const { total = 0, newest = null } = rows[0] ?? {};
  return { rows: rows.flatMap((row) => row.flag ?? []), pin: { newest, total } };
}

export const findSuspiciousTrade = (db: Database, id: number): Promise<SuspiciousTradeRow | null> =>
  selectRow(db, sql`select ${COLUMNS} from ${flag} ${JOINS} where ${flag.id} = ${id}`, SuspiciousTradeRow);
