import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import type { FlowWindow } from "../../domain/markets/flow-windows.ts";
import { HOLDER_GRADES, HoldersRow, selectMarketHolders, toHoldersPage, type HoldersPage } from "./market-holders.ts";
import {
  MarketFlowRow,
  selectMarketFlows,
  toMarketFlows,
  type FlowCoverage,
  type MarketFlowDetail,
} from "./market-flows.ts";
import type { MarketRef } from "./is-market.ts";
import { selectMarketSnapshot, SnapshotRow } from "./market-snapshot.ts";
import { selectRows } from "../../db/sql.ts";

export interface MarketContextRows {
  readonly snapshot: SnapshotRow;
  readonly flow: MarketFlowDetail & FlowCoverage;
  /** The first page of all graded holders. */
  readonly holders: HoldersPage;
}

/**
 * Finds snapshot, flow and holders of one market in one statement, as `findMarketSnapshot`, `findMarketFlow`
 * and `findMarketHolders` do. Null when the market does not exist.
 */
export async function findMarketContext(
  db: Database,
  ref: MarketRef,
  {
    window,
    mostHolders,
    holdersMaxAgeSeconds,
  }: { window: FlowWindow; mostHolders: number; holdersMaxAgeSeconds: number },
  now: Date,
): Promise<MarketContextRows | null> {
  const allHolders = { outcomeIndex: null, grades: HOLDER_GRADES };
  const [row] = await selectRows(
    db,
    selectMarketHolders(
      ref,
      allHolders,
      { offset: 0, limit: mostHolders },
      { now, maxAgeSeconds: holdersMaxAgeSeconds },
      [
        sql`(select to_jsonb(s) from (${selectMarketSnapshot(ref, now)}) s) as snapshot`,
        sql`(select to_jsonb(f) from (${selectMarketFlows([ref], window, now)}) f) as flow`,
      ],
    ),
    HoldersRow.extend({ snapshot: SnapshotRow, flow: MarketFlowRow }),
  );
  if (row === undefined) return null;
  const { flows, ...coverage } = toMarketFlows([row.flow]);
  const [flow] = flows;
  if (flow === undefined) throw new Error("the market context has no flow");
  return { snapshot: row.snapshot, flow: { ...flow, ...coverage }, holders: toHoldersPage(row) };
}
