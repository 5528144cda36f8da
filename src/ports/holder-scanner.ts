import type { Env } from "../env.ts";
import { consoleLog, describeError } from "../lib/console-log.ts";

/** The one object that reads the provider's feeds. */
export const PROVIDER_FEED_NAME = "polymarket";

/** Scans a market's holders while a request waits for them. */
export interface HolderScanner {
  /**
   * Resolves when the scan that it started has ended, whole or not; to false when it started none, because as many as may run at once do. Never
   * rejects: what it does not scan the feed's own turn does.
   */
  scan(marketId: number): Promise<boolean>;
}

export const openHolderScanner = (feeds: Pick<Env["PROVIDER_FEED"], "idFromName" | "get">): HolderScanner => ({
  async scan(marketId) {
    try {
      return await feeds.get(feeds.idFromName(PROVIDER_FEED_NAME)).scanHolders(marketId);
    } catch (error) {
      consoleLog.warn("holders.scan_failed", { market_id: marketId, error: describeError(error) });
      return false;
    }
  },
});
