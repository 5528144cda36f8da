import { sql } from "drizzle-orm";
import { z } from "zod";
import { m, o } from "../../../src/db/aliases.ts";
import { isUnknownCombinationSql } from "../../../src/db/fragments/completeness.ts";
import { outcomes } from "../../../src/db/schema.ts";
import { array, renderSql, selectRows } from "../../../src/db/sql.ts";
import { lockValuedPrices } from "../../../src/ingest/ledger/valued-prices.ts";
import type { OutcomePayout, Receipts, RecordedEntry } from "../../recompute/fold-trader.ts";
import { selectReceipts, TYPES, type TraderRange } from "../../recompute/read-traders.ts";
import { sessionOverTcp, type Client } from "../../services/postgres/session-over-tcp.ts";
import { copyOut } from "./copy-rows.ts";

/** An entry of the ledger. */
export interface LedgerRow extends RecordedEntry {
  readonly isStaged: false;
  feeMicro: bigint | null;
  role: "taker" | null;
}

export interface Outcome extends OutcomePayout {
  /** Whether its market has settled, so that its bets are scored again. */
  readonly hasPayouts: boolean;
  /** The price that its positions are valued at, in millionths; null without one. */
  readonly valuedPriceMicro: bigint | null;
}

/** Those of the traders that have recorded entries. */
export async function listKnownTraders(client: Client, traderIds: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select t.id::text from unnest($1::bigint[]) as t(id)
     where exists (select from ledger_entries e where e.trader_id = t.id)`,
    [traderIds],
  );
  return rows.map((row) => row.id);
}

const RECORDED = `e.id, e.trader_id, e.outcome_id, e.kind, encode(e.tx_hash, 'hex'), e.shares_micro, e.ordinal, e.usd_micro,
  e.fee_micro, (extract(epoch from e.traded_at) * 1000)::float8, e.realized_micro, e.role from ledger_entries e`;

/** All recorded entries of the traders, by trader. */
export async function readLedger(client: Client, traderIds: readonly string[]): Promise<Map<string, LedgerRow[]>> {
  const traders = new Map<string, LedgerRow[]>();
  if (traderIds.length === 0) return traders;
  const ids = traderIds.map((id) => BigInt(id)).join(",");
  for await (const lines of copyOut(client, `select ${RECORDED} where e.trader_id = any('{${ids}}'::bigint[])`)) {
    for (const line of lines) {
      const [id, traderId, outcomeId, kind, tx, shares, ordinal, usd, fee, ms, realized, role] = line.split(",");
      const entry: LedgerRow = {
        isStaged: false,
        id: String(id),
        outcomeId: String(outcomeId),
        // The column has a check constraint.
        kind: kind as RecordedEntry["kind"],
        txHash: String(tx),
        sharesMicro: BigInt(shares ?? ""),
        ordinal: Number(ordinal),
        usdMicro: BigInt(usd ?? ""),
        feeMicro: toBigInt(fee),
        tradedAtMs: Number(ms),
        realizedMicro: toBigInt(realized),
        role: role === "taker" ? "taker" : null,
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
  valuedPriceMicro: z.string().transform(BigInt).nullable(),
});

export async function readOutcomes(client: Client, outcomeIds: readonly string[]): Promise<Map<string, Outcome>> {
  const rows = await selectRows(
    sessionOverTcp(client),
    sql`select ${o.id}::text, ${o.marketId}::text as "marketId", ${isUnknownCombinationSql(m)} as "isExcluded",
       case when not ${isUnknownCombinationSql(m)} then ${m.payoutsPpm}[${o.outcomeIndex} + 1] end as "payoutPpm",
       ${m.settledOn} - date '1970-01-01' as "settledOn", ${m.payoutsPpm} is not null as "hasPayouts",
       (round(${o.valuedPrice}, 6) * 1000000)::bigint::text as "valuedPriceMicro"
     from (${lockValuedPrices(sql`${outcomes.id} = any(${array(outcomeIds, "bigint")})`)}) o
     join ${m} on ${m.id} = ${o.marketId}`,
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
