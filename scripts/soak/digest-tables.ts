import { sql, type AnyColumn, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, m, o, s, t } from "../../src/db/aliases.ts";
import {
  comboFills,
  largeTrades,
  ledgerEntries,
  markets,
  outcomes,
  positions,
  traderActivity,
  traderDays,
  traders,
  traderTotals,
} from "../../src/db/schema.ts";
import { alias, selectRow } from "../../src/db/sql.ts";
import { sessionOverTcp, type Client } from "../services/postgres/session-over-tcp.ts";

/**
 * A digest of every table of facts, independent of row order, with the provider's ids instead of ours:
 * databases that ingested the same facts in different ways have equal digests. It sums 64 bits a row, so it
 * needs no memory.
 */
export async function digestTables(client: Client): Promise<Readonly<Record<string, string>>> {
  const session = sessionOverTcp(client);
  const digests: Record<string, string> = {};
  for (const [table, { columns, from }] of Object.entries(TABLES)) {
    const row = await selectRow(
      session,
      sql`select count(*)::text || ' rows, ' ||
         coalesce(sum(hashtextextended(row(${columns})::text, 0)::numeric), 0)::text as digest from ${from}`,
      z.object({ digest: z.string() }),
    );
    digests[table] = String(row?.digest);
  }
  return digests;
}

const ofTrader = (x: { readonly traderId: AnyColumn }): SQL => sql`join ${t} on ${t.id} = ${x.traderId}`;

const ofOutcome = (x: {
  readonly traderId: AnyColumn;
  readonly outcomeId: AnyColumn;
  readonly marketId: AnyColumn;
}): SQL => sql`${ofTrader(x)} join ${o} on ${o.id} = ${x.outcomeId} join ${m} on ${m.id} = ${x.marketId}`;

const seconds = (instant: AnyColumn): SQL => sql`extract(epoch from ${instant})`;

const entry = alias(ledgerEntries, "x");
const position = alias(positions, "x");
const totalsRow = alias(traderTotals, "x");
const day = alias(traderDays, "x");
const activity = alias(traderActivity, "x");
const trade = alias(largeTrades, "x");
const comboFill = alias(comboFills, "x");
const market = alias(markets, "x");
const outcome = alias(outcomes, "x");
const trader = alias(traders, "x");

const TABLES: Readonly<Record<string, { columns: SQL; from: SQL }>> = {
  ledger_entries: {
    columns: sql`${entry.txHash}, ${t.address}, ${o.tokenId}, ${m.conditionId}, ${entry.kind}, ${entry.sharesMicro},
      ${entry.ordinal}, ${entry.usdMicro}, ${entry.feeMicro}, ${entry.price}, ${entry.role},
      ${seconds(entry.tradedAt)}, ${entry.realizedMicro}`,
    from: sql`${entry} ${ofOutcome(entry)}`,
  },
  positions: {
    columns: sql`${t.address}, ${o.tokenId}, ${m.conditionId}, ${position.sharesMicro}, ${position.costMicro},
      ${position.realizedMicro}, ${position.settledMicro}, ${position.boughtSharesMicro},
      ${position.boughtUsdMicro}, ${position.soldSharesMicro}, ${position.soldUsdMicro}, ${position.feesMicro},
      ${position.unmatchedSharesMicro}, ${position.unmatchedUsdMicro}, ${position.entryCount},
      ${seconds(position.firstAt)}, ${seconds(position.lastAt)}, ${position.valueMicro}`,
    from: sql`${position} ${ofOutcome(position)}`,
  },
  trader_totals: {
    columns: sql`${t.address}, ${totalsRow.realizedMicro}, ${totalsRow.settledMicro}, ${totalsRow.volumeMicro},
      ${totalsRow.feesMicro}, ${totalsRow.rebatesMicro}, ${totalsRow.rewardsMicro}, ${totalsRow.entryCount},
      ${seconds(totalsRow.firstAt)}, ${seconds(totalsRow.lastAt)}, ${totalsRow.marketsTraded},
      ${totalsRow.marketsResolved}, ${totalsRow.marketsWon}, ${totalsRow.marketsDecided},
      ${totalsRow.unmatchedPositions}, ${totalsRow.unmatchedUsdMicro}, ${totalsRow.combinationMarkets},
      ${totalsRow.combinationVolumeMicro}`,
    from: sql`${totalsRow} ${ofTrader(totalsRow)}`,
  },
  trader_days: {
    columns: sql`${t.address}, ${day.day}, ${day.realizedMicro}, ${day.settledMicro}, ${day.volumeMicro},
      ${day.feesMicro}, ${day.rebatesMicro}, ${day.rewardsMicro}, ${day.entryCount}`,
    from: sql`${day} ${ofTrader(day)}`,
  },
  trader_activity: {
    columns: sql`${activity.txHash}, ${t.address}, ${activity.type}, ${activity.conditionId}, ${activity.tokenId},
      ${activity.sharesMicro}, ${activity.ordinal}, ${activity.usdMicro}, ${seconds(activity.happenedAt)}`,
    from: sql`${activity} ${ofTrader(activity)}`,
  },
  large_trades: {
    columns: sql`${e.txHash}, ${e.ordinal}, ${t.address}, ${o.tokenId}, ${m.conditionId}, ${trade.side},
      ${trade.sizeUsdMicro}, ${trade.sharesMicro}, ${trade.price}, ${seconds(trade.tradedAt)},
      ${trade.category}, ${trade.reviewScore}`,
    from: sql`${trade} join ${e} on ${e.id} = ${trade.entryId} ${ofOutcome(trade)}`,
  },
  combo_fills: {
    columns: sql`${e.txHash}, ${e.ordinal}, ${t.address}, ${o.tokenId}, ${m.conditionId}, ${seconds(comboFill.tradedAt)},
      ${comboFill.isBuy}, ${comboFill.sharesMicro}, ${comboFill.usdMicro}, ${comboFill.isListed}, ${comboFill.isTaker}`,
    from: sql`${comboFill} join ${e} on ${e.id} = ${comboFill.entryId} ${ofOutcome(e)}`,
  },
  markets: {
    columns: sql`${market.conditionId}, ${market.title}, ${market.resolutionStatus}, ${market.payoutsPpm},
      ${market.settledOn}, ${seconds(market.resolvedAt)}, ${market.largeTradeCount},
      ${market.largeTradeUsdMicro}, ${seconds(market.largeTradeLastAt)}`,
    from: sql`${market}`,
  },
  outcomes: {
    columns: sql`${outcome.tokenId}, ${m.conditionId}, ${outcome.outcomeIndex}, ${outcome.label}`,
    from: sql`${outcome} join ${m} on ${m.id} = ${outcome.marketId}`,
  },
  traders: {
    columns: sql`${trader.address}, ${trader.username}, ${trader.tier}, ${s.traderId} is not null`,
    from: sql`${trader} left join ${s} on ${s.traderId} = ${trader.id}`,
  },
};
