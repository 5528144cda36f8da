import { DAY_MS } from "../../scoring/utc-calendar.ts";

/** A trader is new until this many days after its first trade. Source: the contract. */
export const NEW_TRADER_DAYS = 30;

/** A trader with this many different markets traded counts as a bot. Source: the contract. */
export const BOT_MIN_MARKETS = 10_000;

export interface TraderBadges {
  /** Full days since the first trade. */
  readonly ageDays: number;
  readonly isNew: boolean;
  /** Null when not counted. */
  readonly marketsTraded: number | null;
  readonly isBot: boolean;
}

/**
 * The badges that mark a trader as new or as a bot. Null when neither applies, or when the whole history is
 * not known, so that neither can be decided.
 *
 * @param firstTradeAt null unless the trader's whole history is known
 * @param marketsTraded null when not counted, because the trader cannot have reached BOT_MIN_MARKETS
 */
export function decideBadges(firstTradeAt: Date | null, marketsTraded: number | null, now: Date): TraderBadges | null {
  if (firstTradeAt === null) return null;
  const ageMs = Math.max(0, now.getTime() - firstTradeAt.getTime());
  const isNew = ageMs < NEW_TRADER_DAYS * DAY_MS;
  const isBot = marketsTraded !== null && marketsTraded >= BOT_MIN_MARKETS;
  return isNew || isBot ? { ageDays: Math.floor(ageMs / DAY_MS), isNew, marketsTraded, isBot } : null;
}
