import { sql } from "drizzle-orm";
import { z } from "zod";
import { currentEpoch, e, m, o, s, t, totals } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { selectHistoryFacts } from "../../db/fragments/completeness.ts";
import { bigintText, epochMs, integer, isoText, selectRow, selectRows } from "../../db/sql.ts";
import { HISTORY_FACTS, traderCompleteness } from "../../domain/traders/trader-completeness.ts";
import { COMMIT_HORIZON } from "../../events/outbox/outbox-reader.ts";
import type { Snapshot } from "../jobs/lease.ts";
import { presentTrade, TradeRow, type ExportHead } from "./trader-export-formats.ts";
import type { Source, SourcePage } from "./source.ts";

const HeadRow = z.object({
  epoch: z.number().int(),
  horizon: z.string(),
  selected_at: z.number(),
  id: integer,
  address: z.string(),
  username: z.string().nullable(),
  ...HISTORY_FACTS,
  trades: integer,
  first_day: z.string().nullable(),
});

/** The snapshot of an export, with the state of the trader's record in it. */
export interface TraderSnapshot {
  readonly snapshot: Snapshot;
  readonly head: ExportHead;
}

const IS_TRADE = sql`${e.kind} in ('buy', 'sell')`;

/**
 * Reads the trader and counts its trades, in the caller's REPEATABLE READ transaction. The transaction is the
 * snapshot: ledger entries have no commit horizon of their own, so the file is written within it.
 */
export async function selectTraderSnapshot(
  session: Session,
  traderId: number,
  newId: () => string,
): Promise<TraderSnapshot> {
  const row = await selectRow(
    session,
    sql`select (select max(${currentEpoch.epoch}) from ${currentEpoch}) as epoch, ${COMMIT_HORIZON}::text as horizon,
        ${epochMs(sql`now()`)} as selected_at, ${t.id}, ${t.address}, ${t.username},
        ${selectHistoryFacts(totals, s)}, counted.trades,
        (counted.first_at at time zone 'UTC')::date::text as first_day
      from ${t} left join ${s} on ${s.traderId} = ${t.id} left join ${totals} on ${totals.traderId} = ${t.id}
        cross join lateral (
          select count(*) as trades, min(${e.tradedAt}) as first_at from ${e} where ${e.traderId} = ${t.id} and ${IS_TRADE}
        ) counted
      where ${t.id} = ${traderId}`,
    HeadRow,
  );
  if (row === null) throw new Error(`there is no trader ${traderId}`);
  const generationId = newId();
  const selectedAt = new Date(row.selected_at);
  const completeness = traderCompleteness(row);
  return {
    snapshot: { generationId, selectedAt, epoch: row.epoch, horizonXid: row.horizon, totalTrades: row.trades },
    head: {
      trader: { id: row.id, address: row.address, username: row.username },
      generationId,
      selectedAt: selectedAt.toISOString(),
      completeness: { status: completeness.status, detail: "detail" in completeness ? completeness.detail : null },
      syncedAt: row.synced_at,
      rows: row.trades,
      firstDay: row.first_day,
    },
  };
}

const StoredTrade = TradeRow.extend({ id: integer, shares_micro: bigintText, usd_micro: bigintText });

/** The trades of one trader, oldest first, from a server-side cursor: one sort, then pages. */
export class TraderExportSource implements Source {
  readonly #session: Session;
  readonly #traderId: number;
  readonly #pageRows: number;
  #isOpen = false;

  constructor(session: Session, traderId: number, pageRows: number) {
    this.#session = session;
    this.#traderId = traderId;
    this.#pageRows = pageRows;
  }

  async readPage(): Promise<SourcePage> {
    if (!this.#isOpen) await this.#open();
    this.#isOpen = true;
    const rows = await selectRows(this.#session, sql.raw(`fetch ${this.#pageRows} from trades`), StoredTrade);
    return { rows: rows.map(presentTrade), position: null, isLast: rows.length < this.#pageRows };
  }

  async #open(): Promise<void> {
    // A cursor takes no parameters over this driver; the id is a number of ours.
    const id = sql.raw(String(this.#traderId));
    await this.#session.execute(sql`declare trades no scroll cursor for
      select ${e.id}, ${isoText(e.tradedAt)} as traded_at, ${e.kind}, ${m.conditionId}, ${m.title}, ${m.slug},
        ${o.outcomeIndex}, ${o.label}, ${o.tokenId}, ${e.sharesMicro}, ${e.usdMicro}, ${e.feeMicro}::text as fee_micro,
        ${e.price}::text as price, ${e.role}, '0x' || encode(${e.txHash}, 'hex') as tx_hash
      from ${e} join ${m} on ${m.id} = ${e.marketId} join ${o} on ${o.id} = ${e.outcomeId}
      where ${e.traderId} = ${id} and ${IS_TRADE} order by ${e.tradedAt}, ${e.id}`);
  }
}
