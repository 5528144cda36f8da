import { LRUCache } from "lru-cache";
import type { TradeFeed } from "../../platform/provider.ts";
import type { FeedState } from "./checkpoints.ts";

/** What both feeds list within the short overlap of a walk at 500 rows a second. About 5 MB. */
const MAX_FILLS = 20_000;

/** A fill by the provider's identity, including its ordinal. */
export type FillKey = string;

/**
 * The fills that this process has recorded lately. A walk reads rows of the walk before again, and both feeds list the
 * takers' rows: such a row changes nothing, and here it is known without a look-up in Postgres.
 *
 * Ledger entries are never deleted, so a recorded fill is missing only in another state of the database (a restore). That
 * state lacks the checkpoint, too, that was stored with the fill. So everything is forgotten when a feed's checkpoint is
 * not the one that this process stored last, and after a failed transaction. The walk of that feed then reads the fill again.
 */
export class RecentFills {
  /** Whether the fill is recorded with the taker role. */
  readonly #fills: LRUCache<FillKey, boolean>;
  readonly #checkpoints = new Map<TradeFeed, string>();

  constructor(max = MAX_FILLS) {
    this.#fills = new LRUCache({ max });
  }

  /** Call it with the checkpoint that was read, before a page of the feed is applied. */
  observeCheckpoint(feed: TradeFeed, state: FeedState): void {
    const stored = this.#checkpoints.get(feed);
    if (stored !== undefined && stored !== checkpointKey(state)) this.#fills.clear();
  }

  /** Whether a row of the feed is recorded with all that the feed says: its role is known, too. */
  isRecorded(feed: TradeFeed, fill: FillKey): boolean {
    const isTaker = this.#fills.get(fill);
    return isTaker !== undefined && (isTaker || feed === "all");
  }

  /**
   * Runs the transaction of a page and remembers its fills and its checkpoint after the commit.
   *
   * @returns the checkpoint
   */
  async rememberAfterCommit(
    feed: TradeFeed,
    transaction: () => Promise<{ readonly fills: readonly FillKey[]; readonly state: FeedState }>,
  ): Promise<FeedState> {
    try {
      const { fills, state } = await transaction();
      for (const fill of fills) this.#fills.set(fill, feed === "takers" || this.#fills.get(fill) === true);
      this.#checkpoints.set(feed, checkpointKey(state));
      return state;
    } catch (error) {
      this.#fills.clear();
      throw error;
    }
  }
}

const checkpointKey = ({ stored, watermarkMs, deepAtMs, walk }: FeedState): string =>
  JSON.stringify([stored, watermarkMs, deepAtMs, walk?.cursor ?? null]);
