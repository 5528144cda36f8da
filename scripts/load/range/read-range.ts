import { sql } from "drizzle-orm";
import { z } from "zod";
import { m, o } from "../../../src/db/aliases.ts";
import { isUnknownCombinationSql } from "../../../src/db/fragments/completeness.ts";
import { renderSql, selectRows } from "../../../src/db/sql.ts";
import type { OutcomePayout, Receipts, RecordedEntry } from "../../recompute/fold-trader.ts";
import { selectReceipts, TYPES, type TraderRange } from "../../recompute/read-traders.ts";
import { sessionOverTcp, type Client } from "../../services/postgres/session-over-tcp.ts";
import { copyOut } from "./copy-rows.ts";

/** An entry with its source: `id` is the row of `bulk_load.fills`, or that of the ledger. */
export interface RangeEntry extends RecordedEntry {
  readonly isStaged: boolean;
}

export interface Outcome extends OutcomePayout {
  /** Whether its market has settled, so that its bets are scored again. */
  readonly hasPayouts: boolean;
}

/** SQL condition on the trader ids of a range. The ids are numbers from the database. */
export const isWithin = (column: string, { after, upTo }: TraderRange): string =>
  `${column} > ${BigInt(after)} and ${column} <= ${BigInt(upTo)}`;

/**
 * The next traders with staged fills, of about `fills` fills in total, or null at the end. A trader is never split.
 */
export async function findNextRange(client: Client, after: string, fills: number): Promise<TraderRange | null> {
  const { rows } = await client.query<{ up_to: string | null }>(
    `select coalesce(
       (select trader_id from bulk_load.fills where trader_id > $1 order by trader_id offset $2 limit 1),
       (select max(trader_id) from bulk_load.fills where trader_id > $1)
     )::text as up_to`,
    [after, fills],
  );
  const upTo = rows[0]?.up_to ?? null;
  return upTo === null ? null : { after, upTo };
}

const STAGED = `s.row, s.trader_id, s.outcome_id, s.kind, encode(s.tx_hash, 'hex'), s.shares_micro, s.ordinal, s.usd_micro,
  s.fee_micro, s.traded_ms, null::bigint, true from bulk_load.fills s`;
const RECORDED = `e.id, e.trader_id, e.outcome_id, e.kind, encode(e.tx_hash, 'hex'), e.shares_micro, e.ordinal, e.usd_micro,
  e.fee_micro, (extract(epoch from e.traded_at) * 1000)::float8, e.realized_micro, false from ledger_entries e`;

/** The staged fills of a range and the recorded entries of these traders, by trader. */
export async function readEntries(
  client: Client,
  range: TraderRange,
  known: readonly string[],
): Promise<Map<string, RangeEntry[]>> {
  const recorded = known.length === 0 ? "" : ` union all select ${RECORDED} where e.trader_id in (${known.join(", ")})`;
  const traders = new Map<string, RangeEntry[]>();
  for await (const lines of copyOut(client, `select ${STAGED} where ${isWithin("s.trader_id", range)}${recorded}`)) {
    for (const line of lines) {
      const [id, traderId, outcomeId, kind, tx, shares, ordinal, usd, fee, ms, realized, isStaged] = line.split(",");
      const entry: RangeEntry = {
        id: String(id),
        outcomeId: String(outcomeId),
        // The column has a check constraint, or its value comes from `stageFile`.
        kind: kind as RecordedEntry["kind"],
        txHash: String(tx),
        sharesMicro: BigInt(shares ?? ""),
        ordinal: Number(ordinal),
        usdMicro: BigInt(usd ?? ""),
        feeMicro: toBigInt(fee),
        tradedAtMs: Number(ms),
        realizedMicro: toBigInt(realized),
        isStaged: isStaged === "t",
      };
      const entries = traders.get(String(traderId));
      if (entries === undefined) traders.set(String(traderId), [entry]);
      else entries.push(entry);
    }
  }
  return traders;
}

const toBigInt = (text: string | undefined): bigint | null => (text === undefined || text === "" ? null : BigInt(text));

const OutcomeRow = z.object({
  id: z.string(),
  marketId: z.string(),
  isExcluded: z.boolean(),
  payoutPpm: z.number().nullable(),
  settledOn: z.number().nullable(),
  hasPayouts: z.boolean(),
});

/** The outcomes of all entries that `readEntries` returns. */
export async function readOutcomes(
  client: Client,
  range: TraderRange,
  known: readonly string[],
): Promise<Map<string, Outcome>> {
  const recorded =
    known.length === 0 ? "" : ` union select outcome_id from ledger_entries where trader_id in (${known.join(", ")})`;
  const rows = await selectRows(
    sessionOverTcp(client),
    sql`select ${o.id}::text, ${o.marketId}::text as "marketId", ${isUnknownCombinationSql(m)} as "isExcluded",
       case when not ${isUnknownCombinationSql(m)} then ${m.payoutsPpm}[${o.outcomeIndex} + 1] end as "payoutPpm",
       ${m.settledOn} - date '1970-01-01' as "settledOn", ${m.payoutsPpm} is not null as "hasPayouts"
     from ${o} join ${m} on ${m.id} = ${o.marketId}
     where ${o.id} in (select outcome_id from bulk_load.fills
       where ${sql.raw(isWithin("trader_id", range))}${sql.raw(recorded)})`,
    OutcomeRow,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Rebates and rewards of the range's traders, by trader. */
export async function readReceipts(client: Client, range: TraderRange): Promise<Map<string, Receipts[]>> {
  const { sql: text } = renderSql(selectReceipts(range));
  const { rows } = await client.query<Receipts & { readonly traderId: string }>({ text, types: TYPES });
  return Map.groupBy(rows, ({ traderId }) => traderId);
}
