import { sql, type AnyColumn, type SQL } from "drizzle-orm";
import { e, o } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { constantStatement } from "../../db/constant-statement.ts";
import { isPriced, newestFillFirst } from "../../db/fragments/priced-fills.ts";
import { constantRecordset, type RecordsetColumns } from "../../db/fragments/recordset.ts";
import { ledgerEntries, outcomes } from "../../db/schema.ts";
import { alias, columnName, run, type Columns } from "../../db/sql.ts";
import { toBytea, type LedgerEntry } from "./ledger-entry.ts";

/** The columns of a trade. `tx` is null when the provider has given only a last price. */
interface TradeColumns {
  readonly price: SQL | AnyColumn;
  readonly at: SQL | AnyColumn;
  readonly tx: SQL | AnyColumn;
}

type LastTrade = Columns<typeof outcomes, "lastTradePrice" | "lastTradeAt" | "lastTradeTx">;

/** SQL condition: the trade is newer than the last trade of an outcome, in the order of fills. */
const isNewerTrade = ({ price, at, tx }: TradeColumns, outcome: LastTrade): SQL =>
  sql`(${price} is not null and (${outcome.lastTradeAt} is null or (${at}, coalesce(${tx}, ''::bytea), ${price})
    > (${outcome.lastTradeAt}, coalesce(${outcome.lastTradeTx}, ''::bytea), ${outcome.lastTradePrice})))`;

/**
 * SQL condition: the provider's last price replaces the last trade of an outcome. It has no transaction and sorts before every
 * fill of its instant, so it replaces a fill only when it is strictly newer. The price that is stored already changes nothing:
 * its first time is nearer to the trade.
 */
export const isNewLastPrice = (price: SQL, at: SQL, outcome: LastTrade): SQL =>
  sql`(${price} is distinct from ${outcome.lastTradePrice} and ${isNewerTrade({ price, at, tx: NO_TRANSACTION }, outcome)})`;

const NO_TRANSACTION = sql`null::bytea`;

// The reported fills, which have the column names of the table.
const n = alias(ledgerEntries, "n");

const FILL_COLUMNS: RecordsetColumns<LedgerEntry> = {
  outcome_id: ["bigint", (fill) => fill.outcomeId],
  kind: ["text", (fill) => fill.kind],
  shares_micro: ["bigint", (fill) => String(fill.sharesMicro)],
  price: ["numeric", (fill) => fill.price],
  tx_hash: ["bytea", (fill) => toBytea(fill.txHash)],
  traded_ms: ["float8", (fill) => fill.tradedAtMs],
};

const UPDATE_FROM_ENTRIES = constantStatement<readonly LedgerEntry[]>((parameters) =>
  updateFrom(
    sql`select outcome_id, kind, shares_micro, price, tx_hash, to_timestamp(traded_ms / 1000) as traded_at
      from ${constantRecordset(parameters, "t", (fills) => fills, FILL_COLUMNS)}`,
  ),
);

/** Updates the last trades of outcomes from ledger entries. The order of the entries does not matter. */
export async function writeLastTrades(session: Session, entries: readonly LedgerEntry[]): Promise<void> {
  const fills = entries.filter(({ kind }) => kind === "buy" || kind === "sell");
  if (fills.length > 0) await run(session, UPDATE_FROM_ENTRIES(fills));
}

/**
 * Updates the last trades of outcomes from the rows of a query with the columns outcome_id, kind, shares_micro, price,
 * tx_hash and traded_at.
 */
export async function updateLastTrades(session: Session, fills: SQL): Promise<void> {
  await run(session, updateFrom(fills));
}

function updateFrom(fills: SQL): SQL {
  return sql`with newest as (
       select distinct on (${e.outcomeId}) e.*
       from (${fills}) e
       where ${isPriced(e)} order by ${e.outcomeId}, ${newestFillFirst(e)}
     )
     update ${o} set ${columnName(outcomes.lastTradePrice)} = ${n.price},
       ${columnName(outcomes.lastTradeAt)} = ${n.tradedAt}, ${columnName(outcomes.lastTradeTx)} = ${n.txHash}
     from newest n where ${o.id} = ${n.outcomeId}
       and ${isNewerTrade({ price: n.price, at: n.tradedAt, tx: n.txHash }, o)}`;
}
