import type { Session } from "../../db/client.ts";
import type { DayChange } from "./day-changes.ts";

const COLUMNS = ["realized_micro", "settled_micro", "fees_micro", "rebates_micro", "rewards_micro", "volume_micro", "entry_count"] as const;

type Column = (typeof COLUMNS)[number];

/**
 * SQL that adds the rows of `source` (trader_id, day and the named columns, one row a wallet and day, none all zero) to `trader_days`.
 * A row that comes to nothing goes, so that the table tells only what is true now and not what once was. MERGE would fail on a row that
 * another transaction adds meanwhile; the ledger lock keeps those out.
 */
export function mergeDays(source: string, changed: readonly Column[]): string {
  const after = (name: Column) => (changed.includes(name) ? `d.${name} + c.${name}` : `d.${name}`);
  return `merge into trader_days d using ${source} c on d.trader_id = c.trader_id and d.day = c.day
    when matched and ${COLUMNS.map((name) => `${after(name)} = 0`).join(" and ")} then delete
    when matched then update set ${changed.map((name) => `${name} = ${after(name)}`).join(", ")}
    when not matched then insert (trader_id, day, ${COLUMNS.join(", ")})
      values (c.trader_id, c.day, ${COLUMNS.map((name) => (changed.includes(name) ? `c.${name}` : "0")).join(", ")})`;
}

export async function writeDays(session: Session, days: readonly DayChange[]): Promise<void> {
  if (days.length === 0) return;
  await session.query(
    mergeDays(
      `(select trader_id, date '1970-01-01' + day as day, realized_micro, settled_micro, fees_micro, volume_micro, entry_count
        from unnest($1::bigint[], $2::int[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::int[])
          as t(trader_id, day, realized_micro, settled_micro, fees_micro, volume_micro, entry_count))`,
      ["realized_micro", "settled_micro", "fees_micro", "volume_micro", "entry_count"],
    ),
    [
      days.map((d) => d.traderId),
      days.map((d) => d.day),
      days.map((d) => String(d.realizedMicro)),
      days.map((d) => String(d.settledMicro)),
      days.map((d) => String(d.feesMicro)),
      days.map((d) => String(d.volumeMicro)),
      days.map((d) => d.entryCount),
    ],
  );
}
