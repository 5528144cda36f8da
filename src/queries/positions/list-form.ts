import type { SQL } from "drizzle-orm";
import type { PositionPlace } from "./filters.ts";

/** How a list is read, which depends on what it is a list of: statements are planned anew each time, and hold no more than their filters need. */
export interface ListForm {
  /**
   * Common table expressions, of which `passing` has the first `rows` of the list behind the place, and may have others that come later:
   * `trader_id`, `outcome_id`, `value_micro`, `market_id`, `address`, `condition_id`, `outcome_index`.
   */
  passing(place: PositionPlace | null, rows: number): SQL;
  /** A select of the list's candidates, at most `rows` of them. It may read those common table expressions. */
  candidates(rows: number): SQL;
  /** What has to be joined to candidates `p` to leave out those that are not listed. */
  readonly listed: SQL;
  /**
   * A select (`cost_micro`, and `is_known`: whether that follows from all the wallet ever did) of the open positions that match the filters and
   * cannot be rows; null where the list is of known values by its nature. It may read those common table expressions.
   */
  readonly unlisted: SQL | null;
}
