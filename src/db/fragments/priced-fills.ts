import { sql, type SQL } from "drizzle-orm";
import { CANDLE_MIN_SHARES_MICRO } from "../../scoring/signals/parameters.ts";
import type { ledgerEntries } from "../schema.ts";
import type { Columns } from "../sql.ts";

type Entry = Columns<typeof ledgerEntries, "tradedAt" | "txHash" | "price">;

/**
 * The ledger entry sets a price. A fill that is not dust does; the half dollar of a split or merge does not.
 */
export const isPriced = (entry: Columns<typeof ledgerEntries, "kind" | "sharesMicro">): SQL =>
  sql`(${entry.kind} in ('buy', 'sell') and ${entry.sharesMicro} >= ${sql.raw(String(CANDLE_MIN_SHARES_MICRO))})`;

// The provider's trade times have a resolution of one second. Within a second, transaction and price give a
// fixed order that does not depend on the order of ingest.
export const oldestFillFirst = (entry: Entry): SQL => sql`${entry.tradedAt}, ${entry.txHash}, ${entry.price}`;
export const newestFillFirst = (entry: Entry): SQL =>
  sql`${entry.tradedAt} desc, ${entry.txHash} desc, ${entry.price} desc`;
