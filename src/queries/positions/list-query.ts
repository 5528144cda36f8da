import type { SQL } from "drizzle-orm";
import type { PositionListCursor } from "./filters.ts";

/**
 * The query parts of one kind of position list. They differ by kind, because a statement is planned for every
 * request and should contain only what its filters need.
 */
export interface ListQuery {
  /**
   * CTEs, of which `passing` contains the first `rows` rows of the list after the cursor, and possibly later
   * ones: `trader_id`, `outcome_id`, `value_micro`, `market_id`, `address`, `condition_id`, `outcome_index`.
   */
  passing(cursor: PositionListCursor | null, rows: number): SQL;
  /** A select of at most `rows` candidates of the list. It may read those CTEs. */
  candidates(rows: number): SQL;
  /** Joins for candidates `p` that remove those that are not listed. */
  readonly listedJoins: SQL;
  /**
   * A select of the open positions that match the filters but cannot be rows of the list: `cost_micro`, and
   * `is_known` (the cost follows from the trader's whole activity). Null where the list only contains
   * positions with known values. It may read those CTEs.
   */
  readonly unlisted: SQL | null;
}
