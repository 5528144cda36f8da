import { sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import type { FlowWindow } from "../domain/flow-windows.ts";
import { HOLDER_GRADES, HoldersRow, selectMarketHolders, toHoldersPage, type HoldersPage } from "./holders.ts";
import { MarketFlowRow, selectMarketFlows, toMarketFlows, type FlowCoverage, type MarketFlow } from "./market-flow.ts";
import type { MarketRef } from "./market-ref.ts";
import { selectMarketSnapshot, SnapshotRow } from "./markets.ts";
import { selectRows } from "./rows.ts";

export interface MarketContextRows {
  readonly snapshot: SnapshotRow;
  readonly flow: MarketFlow & FlowCoverage;
  /** The first page of all that are graded. */
  readonly holders: HoldersPage;
}

/** What is told of one market together: what `findMarketSnapshot`, `findMarketFlow` and `findMarketHolders` find. Null when there is no such market. */
export async function findMarketContext(
  db: Database,
  ref: MarketRef,
  { window, mostHolders, holdersMaxAgeSeconds }: { window: FlowWindow; mostHolders: number; holdersMaxAgeSeconds: number },
  now: Date,
): Promise<MarketContextRows | null> {
  const everybody = { outcomeIndex: null, grades: HOLDER_GRADES };
  const [row] = await selectRows(
    db,
    selectMarketHolders(ref, everybody, { offset: 0, limit: mostHolders }, { now, maxAgeSeconds: holdersMaxAgeSeconds }, [
      sql`(select to_jsonb(s) from (${selectMarketSnapshot(ref, now)}) s) as snapshot`,
      sql`(select to_jsonb(f) from (${selectMarketFlows([ref], window, now)}) f) as flow`,
    ]),
    HoldersRow.extend({ snapshot: SnapshotRow, flow: MarketFlowRow }),
  );
  if (row === undefined) return null;
  const { flows, ...coverage } = toMarketFlows([row.flow]);
  const [flow] = flows;
  if (flow === undefined) throw new Error("a market that is there has a flow");
  return { snapshot: row.snapshot, flow: { ...flow, ...coverage }, holders: toHoldersPage(row) };
}
