import { sql, type SQL } from "drizzle-orm";
import { outcomes } from "../../db/schema.ts";
import { columnNames } from "../../db/sql.ts";

/**
 * The outcomes that a condition selects, with the price that their positions are valued at, as a query. Each writer of
 * values of positions reads the prices through it: the rows are locked until the transaction ends, so that the job
 * `value_positions` changes no price between this read and the commit of the values. In the order of row-locks.ts.
 */
export const lockValuedPrices = (condition: SQL): SQL =>
  sql`select ${columnNames(outcomes.id, outcomes.marketId, outcomes.outcomeIndex, outcomes.valuedPrice)}
   from ${outcomes} where ${condition} order by ${outcomes.id} for share`;
