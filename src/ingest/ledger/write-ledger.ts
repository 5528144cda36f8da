import { sql } from "drizzle-orm";
import { e, o } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { constantStatement } from "../../db/constant-statement.ts";
import { constantRecordset, recordset, type RecordsetColumns } from "../../db/fragments/recordset.ts";
import { ledgerEntries, outcomes, positions, traderTotals } from "../../db/schema.ts";
import { columnName, columnNames, excluded, run, setEach } from "../../db/sql.ts";
import { positionValue } from "./position-value.ts";
import { lockValuedPrices } from "./valued-prices.ts";
import { toBytea, type LedgerEntry } from "./ledger-entry.ts";
import type { FoldedPosition, TotalsChange } from "./fold-positions.ts";

const text = (value: bigint | null) => (value === null ? null : String(value));

const LEDGER_COLUMNS = columnNames(
  ledgerEntries.txHash,
  ledgerEntries.traderId,
  ledgerEntries.outcomeId,
  ledgerEntries.marketId,
  ledgerEntries.kind,
  ledgerEntries.sharesMicro,
  ledgerEntries.ordinal,
  ledgerEntries.usdMicro,
  ledgerEntries.feeMicro,
  ledgerEntries.price,
  ledgerEntries.role,
  ledgerEntries.tradedAt,
  ledgerEntries.realizedMicro,
);

interface RealizedEntry {
  readonly entry: LedgerEntry;
  readonly realizedMicro: bigint | null;
}

const ENTRY_COLUMNS: RecordsetColumns<RealizedEntry> = {
  tx_hash: ["bytea", ({ entry }) => toBytea(entry.txHash)],
  trader_id: ["bigint", ({ entry }) => entry.traderId],
  outcome_id: ["bigint", ({ entry }) => entry.outcomeId],
  market_id: ["bigint", ({ entry }) => entry.marketId],
  kind: ["text", ({ entry }) => entry.kind],
  shares_micro: ["bigint", ({ entry }) => text(entry.sharesMicro)],
  ordinal: ["smallint", ({ entry }) => entry.ordinal],
  usd_micro: ["bigint", ({ entry }) => text(entry.usdMicro)],
  fee_micro: ["bigint", ({ entry }) => text(entry.feeMicro)],
  price: ["numeric", ({ entry }) => entry.price],
  role: ["text", ({ entry }) => entry.role],
  traded_ms: ["float8", ({ entry }) => entry.tradedAtMs],
  realized_micro: ["bigint", ({ realizedMicro }) => text(realizedMicro)],
};

const INSERT_ENTRIES = constantStatement<readonly RealizedEntry[]>(
  (parameters) => sql`insert into ${ledgerEntries} (${LEDGER_COLUMNS})
     select tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, fee_micro, price, role,
       to_timestamp(traded_ms / 1000), realized_micro
     from ${constantRecordset(parameters, "t", (entries) => entries, ENTRY_COLUMNS)}`,
);

export async function writeLedgerEntries(session: Session, entries: readonly RealizedEntry[]): Promise<void> {
  if (entries.length > 0) await run(session, INSERT_ENTRIES(entries));
}

export async function writeRealized(
  session: Session,
  changed: readonly { id: string; realizedMicro: bigint | null }[],
): Promise<void> {
  if (changed.length === 0) return;
  const rows = recordset("t", changed, {
    id: ["bigint", (row) => row.id],
    realized_micro: ["bigint", (row) => text(row.realizedMicro)],
  });
  await run(
    session,
    sql`update ${e} set ${columnName(e.realizedMicro)} = t.realized_micro from ${rows} where ${e.id} = t.id`,
  );
}

const POSITION_KEY = [positions.traderId, positions.outcomeId];
/** The columns that follow from the position's fold. */
const POSITION_FIGURES = [
  positions.sharesMicro,
  positions.costMicro,
  positions.realizedMicro,
  positions.settledMicro,
  positions.boughtSharesMicro,
  positions.boughtUsdMicro,
  positions.soldSharesMicro,
  positions.soldUsdMicro,
  positions.feesMicro,
  positions.unmatchedSharesMicro,
  positions.unmatchedUsdMicro,
  positions.entryCount,
  positions.firstAt,
  positions.lastAt,
  positions.valueMicro,
];

const POSITION_COLUMNS: RecordsetColumns<FoldedPosition> = {
  trader_id: ["bigint", (p) => p.key.traderId],
  outcome_id: ["bigint", (p) => p.key.outcomeId],
  market_id: ["bigint", (p) => p.key.marketId],
  shares_micro: ["bigint", (p) => text(p.state.sharesMicro)],
  cost_micro: ["bigint", (p) => text(p.state.costMicro)],
  realized_micro: ["bigint", (p) => text(p.state.realizedMicro)],
  settled_micro: ["bigint", (p) => text(p.settledMicro)],
  bought_shares_micro: ["bigint", (p) => text(p.state.boughtSharesMicro)],
  bought_usd_micro: ["bigint", (p) => text(p.state.boughtUsdMicro)],
  sold_shares_micro: ["bigint", (p) => text(p.state.soldSharesMicro)],
  sold_usd_micro: ["bigint", (p) => text(p.state.soldUsdMicro)],
  fees_micro: ["bigint", (p) => text(p.state.feesMicro)],
  unmatched_shares_micro: ["bigint", (p) => text(p.state.unmatchedSharesMicro)],
  unmatched_usd_micro: ["bigint", (p) => text(p.state.unmatchedUsdMicro)],
  entry_count: ["int", (p) => p.state.entryCount],
  first_ms: ["float8", (p) => p.firstAtMs],
  last_ms: ["float8", (p) => p.lastAtMs],
};

const UPSERT_POSITIONS = constantStatement<readonly FoldedPosition[]>((parameters) => {
  const value = positionValue({ shares: sql`shares_micro`, settled: sql`settled_micro`, price: o.valuedPrice });
  const outcomeIds = parameters.array((folded) => folded.map(({ key }) => key.outcomeId), "bigint");
  return sql`insert into ${positions} (${columnNames(...POSITION_KEY, positions.marketId, ...POSITION_FIGURES)})
     select trader_id, outcome_id, t.market_id, shares_micro, cost_micro, realized_micro, settled_micro,
       bought_shares_micro, bought_usd_micro, sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro,
       unmatched_usd_micro, entry_count, to_timestamp(first_ms / 1000), to_timestamp(last_ms / 1000), ${value}
     from ${constantRecordset(parameters, "t", (folded) => folded, POSITION_COLUMNS)}
     left join (${lockValuedPrices(sql`${outcomes.id} = any(${outcomeIds})`)}) o
       on ${o.id} = t.outcome_id
     on conflict (${columnNames(...POSITION_KEY)}) do update set ${setEach(POSITION_FIGURES, excluded)}`;
});

/** Writes positions and values them at the same price as the other positions of their outcome. */
export async function writePositions(session: Session, folded: readonly FoldedPosition[]): Promise<void> {
  await run(session, UPSERT_POSITIONS(folded));
}

/** The columns that a change adds to. */
const TOTALS_SUMS = [
  traderTotals.realizedMicro,
  traderTotals.settledMicro,
  traderTotals.volumeMicro,
  traderTotals.feesMicro,
  traderTotals.entryCount,
  traderTotals.marketsTraded,
  traderTotals.marketsResolved,
  traderTotals.marketsWon,
  traderTotals.marketsDecided,
  traderTotals.unmatchedPositions,
  traderTotals.unmatchedUsdMicro,
  traderTotals.combinationMarkets,
  traderTotals.combinationVolumeMicro,
];

const TOTALS_COLUMNS: RecordsetColumns<TotalsChange> = {
  trader_id: ["bigint", (t) => t.traderId],
  realized_micro: ["bigint", (t) => text(t.realizedMicro)],
  settled_micro: ["bigint", (t) => text(t.settledMicro)],
  volume_micro: ["bigint", (t) => text(t.volumeMicro)],
  fees_micro: ["bigint", (t) => text(t.feesMicro)],
  entry_count: ["int", (t) => t.entryCount],
  first_ms: ["float8", (t) => t.firstAtMs],
  last_ms: ["float8", (t) => t.lastAtMs],
  markets_traded: ["int", (t) => t.marketsTraded],
  markets_resolved: ["int", (t) => t.marketsResolved],
  markets_won: ["int", (t) => t.marketsWon],
  markets_decided: ["int", (t) => t.marketsDecided],
  unmatched_positions: ["int", (t) => t.unmatchedPositions],
  unmatched_usd_micro: ["bigint", (t) => text(t.unmatchedUsdMicro)],
  combination_markets: ["int", (t) => t.combinationMarkets],
  combination_volume_micro: ["bigint", (t) => text(t.combinationVolumeMicro)],
};

const ADD_TOTALS = constantStatement<readonly TotalsChange[]>((parameters) => {
  const { traderId, firstAt, lastAt } = traderTotals;
  return sql`insert into ${traderTotals} (${columnNames(traderId, firstAt, lastAt, ...TOTALS_SUMS)})
     select trader_id, to_timestamp(first_ms / 1000), to_timestamp(last_ms / 1000), realized_micro, settled_micro,
       volume_micro, fees_micro, entry_count, markets_traded, markets_resolved, markets_won, markets_decided,
       unmatched_positions, unmatched_usd_micro, combination_markets, combination_volume_micro
     from ${constantRecordset(parameters, "t", (totals) => totals, TOTALS_COLUMNS)}
     on conflict (${columnName(traderId)}) do update set
       ${columnName(firstAt)} = least(${firstAt}, ${excluded(firstAt)}),
       ${columnName(lastAt)} = greatest(${lastAt}, ${excluded(lastAt)}),
       ${setEach(TOTALS_SUMS, (column) => sql`${column} + ${excluded(column)}`)}`;
});

export async function writeTotals(session: Session, totals: readonly TotalsChange[]): Promise<void> {
  await run(session, ADD_TOTALS(totals));
}
