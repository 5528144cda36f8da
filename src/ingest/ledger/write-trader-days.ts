import { sql, type SQL } from "drizzle-orm";
import { td } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { constantStatement } from "../../db/constant-statement.ts";
import { constantRecordset, type RecordsetColumns } from "../../db/fragments/recordset.ts";
import { traderDays } from "../../db/schema.ts";
import { alias, columnName, columnNames, run } from "../../db/sql.ts";
import type { DayChange } from "./day-changes.ts";

/** The source of the merge, which has the column names of the table. */
const c = alias(traderDays, "c");

const AMOUNTS = [
  "realizedMicro",
  "settledMicro",
  "feesMicro",
  "rebatesMicro",
  "rewardsMicro",
  "volumeMicro",
  "entryCount",
] as const satisfies readonly (keyof typeof traderDays)[];

type Amount = (typeof AMOUNTS)[number];

/**
 * SQL that adds the rows of `source` to `trader_days`. `source` has trader_id, day and the columns of
 * `changed`, one row per trader and day, none with zeros only. A row whose columns all become 0 is deleted,
 * so that the table holds only current facts. MERGE would fail on a row that another transaction adds
 * concurrently; the ledger lock prevents that.
 */
export function mergeTraderDays(source: SQL, changed: readonly Amount[]): SQL {
  const sum = (name: Amount) => (changed.includes(name) ? sql`${td[name]} + ${c[name]}` : sql`${td[name]}`);
  const becomesZero = AMOUNTS.map((name) => sql`${sum(name)} = 0`);
  const sums = changed.map((name) => sql`${columnName(td[name])} = ${sum(name)}`);
  const added = AMOUNTS.map((name) => (changed.includes(name) ? sql`${c[name]}` : sql`0`));
  const columns = [traderDays.traderId, traderDays.day, ...AMOUNTS.map((name) => traderDays[name])];
  return sql`merge into ${td} using ${source} c on ${td.traderId} = ${c.traderId} and ${td.day} = ${c.day}
    when matched and ${sql.join(becomesZero, sql` and `)} then delete
    when matched then update set ${sql.join(sums, sql`, `)}
    when not matched then insert (${columnNames(...columns)})
      values (${c.traderId}, ${c.day}, ${sql.join(added, sql`, `)})`;
}

const CHANGE_COLUMNS: RecordsetColumns<DayChange> = {
  trader_id: ["bigint", (change) => change.traderId],
  day: ["int", (change) => change.day],
  realized_micro: ["bigint", (change) => String(change.realizedMicro)],
  settled_micro: ["bigint", (change) => String(change.settledMicro)],
  fees_micro: ["bigint", (change) => String(change.feesMicro)],
  volume_micro: ["bigint", (change) => String(change.volumeMicro)],
  entry_count: ["int", (change) => change.entryCount],
};

const ADD_DAYS = constantStatement<readonly DayChange[]>((parameters) =>
  mergeTraderDays(
    sql`(select trader_id, date '1970-01-01' + day as day, realized_micro, settled_micro, fees_micro, volume_micro,
        entry_count
        from ${constantRecordset(parameters, "t", (days) => days, CHANGE_COLUMNS)})`,
    ["realizedMicro", "settledMicro", "feesMicro", "volumeMicro", "entryCount"],
  ),
);

export async function writeTraderDays(session: Session, days: readonly DayChange[]): Promise<void> {
  if (days.length > 0) await run(session, ADD_DAYS(days));
}
