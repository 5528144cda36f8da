import { COMBINATION_GAP } from "../domain/wallet-completeness.ts";

/*
 * What is known of a wallet, as SQL; `walletCompleteness` of src/domain has the same definition as a function and in words. Whatever shows, ranks
 * or sums figures of wallets builds on these fragments.
 *
 * - Never read to its end: nothing is known but what the feed has shown.
 * - A gap other than that of combinations (a conversion, a migration, a row that could not be read, a split or merge that waits): what it holds and
 *   made is not known.
 * - A gap of combinations of markets: whatever it did in ordinary markets is known.
 * - Unmatched shares, which it was never seen to acquire: the profit of those positions alone is not known.
 */

/** Of a row of `wallet_syncs`: what the wallet holds and made in ordinary markets follows from all it ever did. */
export const isHistoryKnown = (sync: string): string =>
  `(${sync}.complete_at is not null and ${sync}.gaps <@ '{${COMBINATION_GAP}}'::text[])`;

/** Of a condition id as it is stored: it names a combination of markets. `isCombination` of src/domain/ids.ts. */
export const isCombination = (conditionId: string): string => `(length(${conditionId}) = 64 and ${conditionId} like '0x03%')`;

/** Of a row of `trader_totals`, which may be missing: what its profit leaves out, as JSON for `LeftOut` of src/domain. */
export const leftOut = (totals: string): string =>
  `jsonb_build_object('unmatched_positions', coalesce(${totals}.unmatched_positions, 0),
    'unmatched_usd_micro', coalesce(${totals}.unmatched_usd_micro, 0)::text,
    'combination_markets', coalesce(${totals}.combination_markets, 0),
    'combination_volume_micro', coalesce(${totals}.combination_volume_micro, 0)::text)`;

/**
 * Of positions `p` of one wallet with totals `totals`: they are in an ordinary market. Looked up for wallets that trade combinations alone, so that
 * all others are read from their index. A scalar and no "not exists": of that Postgres would make a hash table of all markets.
 */
export const isOrdinary = (position: string, totals: string): string =>
  `(coalesce(${totals}.combination_markets, 0) = 0
    or not (select ${isCombination("combined.condition_id")} from markets combined where combined.id = ${position}.market_id))`;

/** The combinations that wallets (a parameter of their ids) ever held shares in, as a select of market ids. */
export const combinationsOf = (traderIds: string): string =>
  `select held.market_id from trader_totals combining join positions held using (trader_id) join markets combined on combined.id = held.market_id
   where combining.trader_id = any(${traderIds}::bigint[]) and combining.combination_markets > 0 and ${isCombination("combined.condition_id")}`;
