import type { Pool } from "@neondatabase/serverless";
import { inTransaction, sessionOf } from "../../db/client.ts";
import type { ChainFill } from "../../platform/chain.ts";
import { ProviderRefused, ProviderUnavailable, type ProviderTrade, type TradeFeed } from "../../platform/provider.ts";
import { recordTrades, type RecordSettings } from "../feeds/apply-trade-page.ts";
import type { Difference } from "./compare-fills.ts";
import { describeTokens, listKnownTokens, type TokenProvider } from "./describe-tokens.ts";
import { toProviderTrade } from "./to-provider-trade.ts";

export interface RecordFillsSettings extends RecordSettings {
  /** Describes tokens whose market is not known; null leaves their fills out. */
  readonly provider: TokenProvider | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The fields of a fill that are recorded, and its place on the chain. */
export type RecordableFill = Omit<ChainFill, "blockHash" | "exchange" | "orderHash" | "counterparty">;

/** Why a fill was not recorded. */
export type UnrecordedReason = "unknown_market" | "no_price" | "differing_transaction";

export interface UnrecordedFill {
  readonly fill: RecordableFill;
  readonly reason: UnrecordedReason;
}

export interface RecordedFills {
  /** How many fills were new. */
  readonly added: number;
  readonly unrecorded: readonly UnrecordedFill[];
}

/** A page of the provider's feed has as many rows at most. */
const PAGE_ROWS = 1_000;

/**
 * Records what the ledger lacks: missing fills, and the taker role where it is missing. All fills of such a transaction
 * are recorded, because equal fills are counted from the first. A transaction in which the ledger contradicts the chain
 * is left out: one of its fills could count twice.
 *
 * @param chain whole transactions in the order of the chain, with their differences from the ledger
 */
export async function recordLacking(
  pool: Pool,
  chain: readonly ChainFill[],
  differences: readonly Difference[],
  settings: RecordFillsSettings,
): Promise<RecordedFills> {
  const lacking = new Set(differences.flatMap(lackingTransaction));
  const contradicted = new Set(differences.flatMap(contradictedTransaction));
  const fills = chain.filter(({ txHash }) => lacking.has(txHash) && !contradicted.has(txHash));
  const recorded = await recordFills(pool, fills, settings);
  const leftOut = differences.flatMap((difference): UnrecordedFill[] =>
    difference.kind === "missing_in_ledger" && contradicted.has(difference.chain.txHash)
      ? [{ fill: difference.chain, reason: "differing_transaction" }]
      : [],
  );
  return { ...recorded, unrecorded: [...recorded.unrecorded, ...leftOut] };
}

function lackingTransaction(difference: Difference): string[] {
  if (difference.kind === "missing_in_ledger") return [difference.chain.txHash];
  return difference.kind === "role" && difference.chain.isTaker ? [difference.chain.txHash] : [];
}

function contradictedTransaction(difference: Difference): string[] {
  if (difference.kind === "missing_on_chain") return [difference.ledger.txHash];
  return difference.kind === "shares" ? [difference.chain.txHash] : [];
}

/**
 * Records fills of the chain as pages of the provider's feeds are recorded, first those of all parties, then those of
 * takers. Fills that are recorded change nothing. Of a page that is interrupted between the two, the roles are lacking, which
 * the next comparison finds.
 *
 * @param fills in the order of the chain; of a transaction, all fills in a token
 */
export async function recordFills(
  pool: Pool,
  fills: readonly RecordableFill[],
  settings: RecordFillsSettings,
): Promise<RecordedFills> {
  const tokens = await findTokens(pool, fills, settings);
  const unrecorded: UnrecordedFill[] = [];
  const trades = fills.flatMap((fill) => {
    const token = tokens.get(fill.tokenId);
    const trade = token === undefined ? null : toProviderTrade(fill, token);
    if (trade !== null) return [{ trade, isTaker: fill.isTaker }];
    unrecorded.push({ fill, reason: token === undefined ? "unknown_market" : "no_price" });
    return [];
  });
  let added = 0;
  for (const page of pagesOf(trades)) {
    const record = (feed: TradeFeed, rows: readonly ProviderTrade[]) =>
      settings.rowIds.cacheAfterCommit(() =>
        inTransaction(pool, (session) => recordTrades(session, feed, { rows, carry: null }, settings)),
      );
    const all = await record(
      "all",
      page.map(({ trade }) => trade),
    );
    await record(
      "takers",
      page.filter(({ isTaker }) => isTaker).map(({ trade }) => trade),
    );
    added += all.added;
  }
  return { added, unrecorded };
}

/** A provider that does not answer must not delay the fills of known markets. */
async function findTokens(pool: Pool, fills: readonly RecordableFill[], { provider, now }: RecordFillsSettings) {
  const tokenIds = [...new Set(fills.map(({ tokenId }) => tokenId))];
  const known = await listKnownTokens(sessionOf(pool), tokenIds);
  const unknown = tokenIds.filter((tokenId) => !known.has(tokenId));
  if (unknown.length === 0 || provider === null) return known;
  try {
    await describeTokens(pool, provider, unknown, () => new Date(now()));
  } catch (error) {
    if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error;
  }
  return listKnownTokens(sessionOf(pool), tokenIds);
}

interface PageTrade {
  readonly trade: ProviderTrade;
  readonly isTaker: boolean;
}

/** Pages of whole transactions: ordinals are counted within a page. */
function pagesOf(trades: readonly PageTrade[]): PageTrade[][] {
  const pages: PageTrade[][] = [];
  for (const transaction of Map.groupBy(trades, ({ trade }) => trade.txHash).values()) {
    const page = pages.at(-1);
    if (page === undefined || page.length + transaction.length > PAGE_ROWS) pages.push([...transaction]);
    else page.push(...transaction);
  }
  return pages;
}
