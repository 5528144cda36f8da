import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { allOf, count, iso, selectRows } from "./rows.ts";

const component = z.number().nullable();

const SuspiciousTradeRow = z.object({
  id: count,
  score: count,
  /** As the scorer wrote them. Null is not measured or not known. */
  scores: z.object({ timing: component, edge: component, size: component, fresh_wallet: component }),
  evidence: z.record(z.string(), z.unknown()),
  traded_at: z.string(),
  trader_id: count,
  address: z.string(),
  username: z.string().nullable(),
  market_id: count,
  condition_id: z.string(),
  title: z.string().nullable(),
});

export type SuspiciousTradeRow = z.output<typeof SuspiciousTradeRow>;

const COLUMNS = sql`s.id, s.score, s.scores, s.evidence, ${iso(sql`s.traded_at`)} as traded_at, t.id as trader_id, t.address, t.username,
  m.id as market_id, m.condition_id, m.title`;

const JOINED = sql`join traders t on t.id = s.trader_id join markets m on m.id = s.market_id`;

/** The flags that there were at one moment. They are written once, so those up to the newest one of then stay what they were. */
export interface FlagPin {
  /** Row id; null when there was none. */
  readonly newest: number | null;
  readonly total: number;
}

export interface SuspiciousTradePage {
  /** One more than asked when there is a next page. */
  readonly rows: SuspiciousTradeRow[];
  /** The flags that pass, on all pages: those of now, or the ones that were asked for. */
  readonly pin: FlagPin;
}

/**
 * Flags by score, highest first, of one score the newest first.
 *
 * @param filter scores of `minScore` and more; `pin` leaves out what came after it, null leaves out nothing
 */
export async function listSuspiciousTrades(
  db: Database,
  { minScore, pin }: { readonly minScore: number; readonly pin: FlagPin | null },
  { place, limit }: { readonly place: { readonly score: number; readonly id: number } | null; readonly limit: number },
): Promise<SuspiciousTradePage> {
  const where = allOf([
    sql`s.score >= ${minScore}`,
    pin === null ? null : sql`s.id <= ${pin.newest}`,
    place === null ? null : sql`(s.score, s.id) < (${place.score}, ${place.id})`,
  ]);
  const passing =
    pin === null
      ? sql`select count(*) as total, max(s.id) as newest from suspicious_trades s where s.score >= ${minScore}`
      : sql`select ${pin.total}::int as total, ${pin.newest}::bigint as newest`;
  const rows = await selectRows(
    db,
    sql`with page as (
        select ${COLUMNS} from suspicious_trades s ${JOINED} where ${where} order by s.score desc, s.id desc limit ${limit + 1}
      ), passing as (${passing})
      select total, newest, to_jsonb(page) as flag from passing left join page on true order by page.score desc, page.id desc`,
    z.object({ total: count, newest: count.nullable(), flag: SuspiciousTradeRow.nullable() }),
  );
  const { total = 0, newest = null } = rows[0] ?? {};
  return { rows: rows.flatMap((row) => row.flag ?? []), pin: { newest, total } };
}

export async function findSuspiciousTrade(db: Database, id: number): Promise<SuspiciousTradeRow | null> {
  const rows = await selectRows(db, sql`select ${COLUMNS} from suspicious_trades s ${JOINED} where s.id = ${id}`, SuspiciousTradeRow);
  return rows[0] ?? null;
}
