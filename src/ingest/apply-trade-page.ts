import type { Session } from "../db/client.ts";
import { isLargeTrade } from "../domain/large-trade.ts";
import type { Page, ProviderTrade, TradeFeed } from "../ports/provider.ts";
import { saveCheckpoint, type FeedState } from "./checkpoints.ts";
import { numberRows } from "./identity.ts";
import type { KnownIds, Learned } from "./known-ids.ts";
import { captureLargeTrades } from "./large-trades.ts";
import type { Entry } from "./ledger/entry.ts";
import { lockLedger, recordEntries } from "./ledger/record-entries.ts";
import { resolveIds, type ResolvedIds } from "./resolve-ids.ts";
import { setAside } from "./set-aside.ts";
import { rewarmWallets, trackWallets, walletsToWarm } from "./track-wallets.ts";

/** What may follow a page in its walk; decided before the page is applied and stored with it. */
export type NextState = (carry: NonNullable<FeedState["walk"]>["carry"], added: number) => FeedState;

/**
 * Applies one page of a trade feed in the caller's transaction: entries, positions, totals, large trades, outbox, misfits and the feed's
 * checkpoint, all or none. Applying it again changes nothing.
 *
 * @returns ids to remember once the transaction has committed, and how many fills and large trades were new
 */
export async function applyTradePage(
  session: Session,
  feed: TradeFeed,
  page: Page<ProviderTrade>,
  carry: NonNullable<FeedState["walk"]>["carry"],
  next: NextState,
  settings: { known: KnownIds; largeTradeMinUsd: number },
): Promise<{ learned: Learned; added: number; largeTrades: number }> {
  await lockLedger(session);
  const numbered = numberRows(page.rows.map(identify), carry);
  const ids = await resolveIds(session, page.rows.map(nameOf), settings.known);
  const entries = numbered.rows.map(({ row, ordinal }) => toEntry(row.trade, ordinal, feed === "takers" ? "taker" : null, ids));
  const { added } = await recordEntries(session, entries);
  const largeTrades = await captureLargeTrades(session, entries, settings.largeTradeMinUsd);

  const large = entries.filter((entry) => isLargeTrade(entry, settings.largeTradeMinUsd));
  await trackWallets(
    session,
    large.map((entry) => entry.traderId),
    "hot",
  );
  await trackWallets(session, walletsToWarm(entries), "warm");
  if (added > 0) {
    await rewarmWallets(
      session,
      entries.map((entry) => entry.traderId),
    );
  }
  await setAside(session, `trades:${feed}`, page.misfits);
  await saveCheckpoint(session, `trades:${feed}`, next(numbered.carry, added));
  return { learned: ids.learned, added, largeTrades };
}

/** The trade with the fields that tell it from others of its transaction. Time and price are left out: sockets and feeds differ in them. */
export function identify(trade: ProviderTrade) {
  return { trade, txHash: trade.txHash, identity: `${trade.wallet.address} ${trade.tokenId} ${trade.side} ${trade.sharesMicro}` };
}

export function nameOf(trade: ProviderTrade) {
  return {
    wallet: trade.wallet,
    market: trade.market,
    tokenId: trade.tokenId,
    outcomeIndex: trade.outcomeIndex,
    outcomeLabel: trade.outcomeLabel,
  };
}

export function toEntry(trade: ProviderTrade, ordinal: number, role: Entry["role"], ids: ResolvedIds): Entry {
  const { outcomeId, marketId } = ids.outcome(trade.tokenId);
  return {
    txHash: trade.txHash,
    traderId: ids.traderId(trade.wallet.address),
    outcomeId,
    marketId,
    kind: trade.side === "BUY" ? "buy" : "sell",
    sharesMicro: trade.sharesMicro,
    ordinal,
    usdMicro: trade.usdMicro,
    feeMicro: trade.feeMicro,
    price: trade.price,
    role,
    tradedAtMs: trade.tradedAt.getTime(),
  };
}
