/** A wallet is new until so many days after its first trade. Source: the contract. */
export const NEW_WALLET_DAYS = 30;

/** A wallet that has traded so many different markets is a machine. Source: the contract. */
export const BOT_MARKETS = 10_000;

const DAY_MS = 86_400_000;

export interface WalletBadges {
  /** Whole days since the first trade. */
  readonly ageDays: number;
  readonly isNew: boolean;
  /** Null when they were not counted. */
  readonly marketsTraded: number | null;
  readonly isBot: boolean;
}

/**
 * What marks a wallet as new or as a bot; null when neither applies, or when its whole history is not known, since then nobody can say.
 *
 * @param firstTradeAt null unless the wallet's whole history is known
 * @param marketsTraded null when they were not counted, because the wallet cannot have traded BOT_MARKETS
 */
export function decideBadges(firstTradeAt: Date | null, marketsTraded: number | null, now: Date): WalletBadges | null {
  if (firstTradeAt === null) return null;
  const ageMs = Math.max(0, now.getTime() - firstTradeAt.getTime());
  const isNew = ageMs < NEW_WALLET_DAYS * DAY_MS;
  const isBot = marketsTraded !== null && marketsTraded >= BOT_MARKETS;
  return isNew || isBot ? { ageDays: Math.floor(ageMs / DAY_MS), isNew, marketsTraded, isBot } : null;
}
