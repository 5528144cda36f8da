export const WALLET = `0x${"ab".repeat(20)}`;
export const TX = `0x${"cd".repeat(32)}`;
export const CONDITION = `0x${"1f".repeat(32)}`;
/** A second-protocol condition: 31 bytes, module 2. */
export const SECOND_CONDITION = `0x02${"5a".repeat(16)}${"0".repeat(24)}0700`.slice(0, 64);

/** A row of `/v2/trades`. */
export const aTradeRow = (facts: Record<string, unknown> = {}): Record<string, unknown> => ({
  proxy_wallet: WALLET,
  side: "BUY",
  token_id: "1001",
  condition_id: CONDITION,
  size: 10,
  price: 0.4,
  timestamp: 1_790_000_000,
  title: "Will it rain?",
  slug: "will-it-rain",
  icon: "",
  event_slug: "",
  outcome: "Yes",
  outcome_index: 0,
  name: "",
  pseudonym: "Wet-Umbrella",
  profile_image: "",
  transaction_hash: TX,
  ...facts,
});

/** A row of `/v2/activity`. */
export const anActivityRow = (facts: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...aTradeRow(),
  type: "TRADE",
  usdc_size: 4,
  ...facts,
});

/** A Gamma market with lists as Gamma sends them. */
export const aMarketRow = (facts: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: "77",
  conditionId: CONDITION,
  question: "Will it rain?",
  slug: "will-it-rain",
  closed: false,
  outcomes: '["Yes", "No"]',
  outcomePrices: '["0.31", "0.69"]',
  clobTokenIds: '["1001", "1002"]',
  bestBid: 0.3,
  bestAsk: 0.32,
  lastTradePrice: 0.305,
  ...facts,
});
