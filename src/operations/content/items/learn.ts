import type { ContentItem } from "../content-item.ts";

export const LEARN: readonly ContentItem[] = [
  {
    kind: "learn",
    slug: "letter-grades",
    title: "What a letter grade means",
    summary:
      "A grade from S to F says whether a wallet's purchases win more often than the prices it pays imply, and how much of that is evidence.",
    body: [
      "Each settled purchase is compared with its price: a share bought at 0.40 that pays out has won 60 points more than it cost.",
      "Purchases of one event count as one observation, because its markets move together.",
      "The result is drawn toward what all wallets do by as much as the wallet's own record is uncertain, so luck in a few markets makes no S.",
      "A wallet below the evidence minimum has no letter, which is not a bad letter.",
      "A grade is a forecast and no promise; profit and win rate are other questions.",
    ],
  },
  {
    kind: "learn",
    slug: "profit-and-loss",
    title: "How profit and loss is computed",
    summary:
      "Positions are kept at weighted average cost: a sale realizes its proceeds less the average cost of the shares sold, and a resolution settles what is still held.",
    body: [
      "Amounts are exact integers of millionths of a dollar and are cut to cents only when they are shown.",
      "A split adds, and a merge removes, one share of each side at half a dollar each.",
      "Shares that leave a wallet without a recorded purchase realize nothing, because what they cost is not known.",
      "Fees are counted where they are known; rebates belong to no market and are kept apart.",
      "A fill that arrives late folds its position again from the start, so the result never depends on the order of arrival.",
    ],
  },
  {
    kind: "learn",
    slug: "large-trades",
    title: "What counts as a large trade",
    summary:
      "A large trade, also called a whale trade, is a taker's execution at or above the capture floor, $5,000 unless the deployment says otherwise, at a price below 0.97.",
    body: [
      "Only the taker's side is captured, so one match is one trade and not two.",
      "A price of 0.97 or more says little: the outcome is nearly settled.",
      "Each trade carries the grade its wallet had when it traded, or says that it was not known.",
      "Poll with since and the newest id to be sure that no trade is skipped.",
    ],
  },
  {
    kind: "learn",
    slug: "suspicion-tracks",
    title: "The three tracks of suspicious trades",
    summary:
      "A large trade is flagged on the whale, fresh_conviction or sliced_position track when its score reaches 60 of 100. A flag is a reason to look, not an accusation.",
    body: [
      "whale: $50,000 or more, or 5 % of all shares traded in the market.",
      "fresh_conviction: a wallet under 30 days old, in few other markets, that puts at least half of all it ever traded on a side at 0.90 or less.",
      "sliced_position: at least five fills within 24 hours that back one side, the largest at most 40 % of their sum.",
      "The components timing and edge are not measured and are null.",
      "Insider radar is the older name of the same list.",
    ],
  },
  {
    kind: "learn",
    slug: "money-flows",
    title: "Sharp money flow",
    summary:
      "The net flow of a market is what wallets graded S, A or B put on YES less what they put on NO within 1 hour, 4 hours, 24 hours or 7 days.",
    body: [
      "Buying YES and selling NO add; buying NO and selling YES subtract.",
      "Flow is counted from detected large trades, not from all trades of the market.",
      "A net of zero is labelled YES, which is a tie-break only.",
      "Smart money is the older name of the same figures.",
    ],
  },
  {
    kind: "learn",
    slug: "candles",
    title: "Daily and weekly candles",
    summary: "A candle has the first, highest, lowest and last price of an outcome on a UTC day, or in an ISO week from Monday.",
    body: [
      "Prices come from recorded fills; fills under a hundredth of a share make no price.",
      "A day without a trade has no candle.",
      "Days before every trade was recorded may know the trades of followed wallets only.",
    ],
  },
  {
    kind: "learn",
    slug: "market-prices",
    title: "How a current price is chosen",
    summary:
      "The current price of an outcome is its payout once the market has resolved; else the midpoint of its best bid and ask when they are at most ten cents apart; else its last trade price.",
    body: [
      "Every answer goes by this one rule: snapshots, exploration, positions, holders and flows. Held shares are worth their number times this price.",
      "A book from before the market's end is no book after it. Until the result is known the last trade counts, and the answer says that the result is awaited.",
      "A wide book says nothing about the price between its sides.",
      "Without a bid, an ask and a trade there is no price, and none is made up.",
      "A market snapshot says which source its top of book came from and how old it is.",
    ],
  },
  {
    kind: "learn",
    slug: "reports",
    title: "Daily, weekly and monthly reports",
    summary:
      "A report adds up the large trades of a UTC day, an ISO week or a month. It is rolling until late trades can no longer come in, then final and never changed.",
    body: [
      "A report becomes final when it is read at least 7,530 seconds after its last day ended.",
      "Its volume is that of detected large trades, not the provider's volume.",
      "A day that was not read has null figures; a day that was read and had no large trade has zeros.",
      "A range of up to 31 days is computed on request and not stored.",
    ],
  },
  {
    kind: "learn",
    slug: "missing-values",
    title: "Why a value is null",
    summary: "What is not known is null or left out, with its reason beside it. It is never 0, an empty list or an empty object.",
    body: [
      "data_quality names groups of fields, the clock each came from, and whether it is fresh, stale, untracked or unavailable.",
      "A wallet whose whole history has not been read has no lifetime profit, however many of its trades are known.",
      "A true zero is shown as zero.",
    ],
  },
  {
    kind: "learn",
    slug: "cursors",
    title: "Paging with cursors",
    summary:
      "A list gives has_more and next_cursor. Send the cursor with the same filters to read on; no row repeats because others came or went.",
    body: [
      "A cursor is signed and holds only for the list and the filters that gave it out; any other use is a 400 that names cursor.",
      "Rebuilt lists such as the leaderboard are numbered generations, and a walk goes on in the one it began in.",
      "When that generation is gone the answer is cursor_expired: begin again at the first page.",
    ],
  },
  {
    kind: "learn",
    slug: "conditional-requests",
    title: "Asking again with an ETag",
    summary: "Most reads carry a weak ETag. Send it back in If-None-Match and the answer is an empty 304 while nothing has changed.",
    body: [
      "The validator covers the stable body: request ids, costs and clocks beside the data do not change it.",
      "Reports and market search have no validator.",
    ],
  },
  {
    kind: "learn",
    slug: "idempotency",
    title: "Repeating a request safely",
    summary:
      "Where a route takes an Idempotency-Key, as making an API key does, a repeat within 24 hours gets the first outcome and nothing runs twice.",
    body: [
      "The same key with another body is refused with 422.",
      "While the first request still runs, a repeat is refused with 409 idempotency_in_progress.",
    ],
  },
  {
    kind: "learn",
    slug: "rate-limits",
    title: "Rate limits and budgets",
    summary:
      "A user has 100 requests a minute over all keys, and the callers behind one IP address share 1,200. Every answer says what is left.",
    body: [
      "Beyond a limit the answer is 429 with Retry-After; whoever waits that long is let in.",
      "Batches spend item units of their own: one an item, reserved before anything runs.",
      "Going on over the limit from one address keeps it out for longer each time.",
    ],
  },
  {
    kind: "learn",
    slug: "tracking-tiers",
    title: "Which wallets are followed",
    summary: "Hot and warm wallets have their whole activity read; cold ones are known from the trade feed only.",
    body: [
      "A large trade, a place on the provider's board or a letter S, A or B makes a wallet hot.",
      "A wallet that does nothing for 30 days goes cold and keeps its history.",
    ],
  },
];
