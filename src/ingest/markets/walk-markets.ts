import type { Pool } from "@neondatabase/serverless";
import { inTransaction, sessionOf } from "../../db/client.ts";
import { ProviderRefused, type Provider } from "../../platform/provider.ts";
import { applyMarkets } from "./apply-markets.ts";
import { findCheckpoint, MarketWalkState, saveCheckpoint } from "../feeds/checkpoints.ts";

const FEED = "markets";
const NEW_WALK: MarketWalkState = {
  cursor: null,
  closed: false,
  walks: 0,
  stored: 0,
  startedMs: null,
  listedSinceMs: null,
};

/**
 * Reads and applies the next page of the provider's markets: the open ones and, in the first walk of an
 * unlimited backfill, the closed ones too.
 *
 * @param everything whether the first walk includes closed markets (an unlimited backfill)
 * @returns whether the walk has more pages
 */
export async function walkMarkets(
  pool: Pool,
  provider: Provider,
  everything: boolean,
  now: () => Date,
): Promise<boolean> {
  const checkpoint = (await findCheckpoint(sessionOf(pool), FEED, MarketWalkState)) ?? NEW_WALK;
  const state =
    checkpoint.cursor === null && !checkpoint.closed ? { ...checkpoint, startedMs: now().getTime() } : checkpoint;
  const page = await provider
    .listMarkets(state.closed ? "closed" : "open", state.cursor)
    .catch(async (error: unknown) => {
      if (error instanceof ProviderRefused && state.cursor !== null) {
        await inTransaction(pool, (session) => saveCheckpoint(session, FEED, { ...state, cursor: null }));
      }
      throw error;
    });
  const stored = state.stored + page.rows.length;
  const after = afterMarketPage({ ...state, stored }, page.nextCursor, everything);
  await applyMarkets(pool, page.rows, page.quarantined, now(), (last) => saveCheckpoint(last, FEED, after));
  return after.walks === state.walks;
}

function afterMarketPage(state: MarketWalkState, nextCursor: string | null, everything: boolean): MarketWalkState {
  if (nextCursor !== null) return { ...state, cursor: nextCursor };
  const closedFollows = everything && state.walks === 0 && !state.closed;
  if (closedFollows) return { ...state, cursor: null, closed: true };
  return { ...state, cursor: null, closed: false, walks: state.walks + 1, listedSinceMs: state.startedMs };
}
