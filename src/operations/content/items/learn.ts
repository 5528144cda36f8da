import type { ContentItem } from "../content-item.ts";

export const LEARN: readonly ContentItem[] = [
  {
    kind: "learn",
    slug: "letter-grades",
    title: "What a letter grade means",
    summary:
      "A grade from S to F says whether a trader's purchases win more often than the prices paid imply, and " +
      "how strong the evidence is.",
    body: [
      "Each settled purchase is compared with its price: a share bought at 0.40 that pays out earns 60 " +
        "points more than it cost.",
      "Purchases in one event count as one observation, because the markets of an event move together.",
      "The more uncertain a trader's own record is, the more the result shrinks toward the average of all " +
        "traders. Luck in a few markets does not give an S.",
      "A trader below the minimum evidence has no letter. That is not a bad letter.",
      "A grade is a forecast, not a promise. Profit and win rate answer other questions.",
    ],
  },
  {
    kind: "learn",
    slug: "profit-and-loss",
    title: "How profit and loss is computed",
    summary:
      "Positions use weighted average cost: a sale realizes its proceeds minus the average cost of the shares " +
      "sold, and a resolution settles the open shares.",
    body: [
      "Amounts are exact integers in millionths of a dollar. They are cut to cents only in responses.",
      "A split adds one share of each side at half a dollar each; a merge removes them.",
      "Shares that leave a wallet without a recorded purchase realize nothing, because their cost is unknown.",
      "Fees are included where they are known. Rebates belong to no market and are reported separately.",
      "A late fill recomputes its position from the start, so the result never depends on the order of arrival.",
    ],
  },
  {
    kind: "learn",
    slug: "large-trades",
    title: "What counts as a large trade",
    summary:
      "A large trade, also called a whale trade, is a taker's execution at or above the capture floor and at a " +
      "price below 0.97. The floor is $5,000 unless the deployment sets another one.",
    body: [
      "Only the taker's side is captured, so one match is one trade, not two.",
      "A trade at 0.97 or more says little, because the outcome is nearly settled.",
      "Each trade has the grade of its trader at the time of the trade, or says that it was unknown.",
      "Poll with since and the newest id so that no trade is skipped.",
    ],
  },
  {
    kind: "learn",
    slug: "suspicion-tracks",
    title: "The three tracks of suspicious trades",
    summary:
      "A large trade is flagged on the whale, fresh_conviction or sliced_position track when its score reaches 60 " +
      "of 100. A flag is a reason to look, not an accusation.",
    body: [
      "whale: $50,000 or more, or 5 % of all shares traded in the market.",
      "fresh_conviction: a wallet less than 30 days old, with few other markets, that puts at least half of its " +
        "total trading on one side at 0.90 or less.",
      "sliced_position: at least five fills on one side within 24 hours, the largest at most 40 % of their sum.",
      "The components timing and edge are not measured and are always null.",
      "Insider radar is the older name of this list.",
    ],
  },
  {
    kind: "learn",
    slug: "money-flows",
    title: "Sharp money flow",
    summary:
      "The net flow of a market is the money that traders graded S, A or B put on YES minus the money they put on " +
      "NO within 1 hour, 4 hours, 24 hours or 7 days.",
    body: [
      "Buying YES and selling NO add; buying NO and selling YES subtract.",
      "Flow counts detected large trades, not all trades of the market.",
      "A net flow of zero has the label YES, which is only a tie-break.",
      "Smart money is the older name of these figures.",
    ],
  },
  {
    kind: "learn",
    slug: "candles",
    title: "Daily and weekly candles",
    summary:
      "A candle has the first, highest, lowest and last price of an outcome on a UTC day, or in an ISO " +
      "week that starts on Monday.",
    body: [
      "Prices come from recorded fills. Fills of less than a hundredth of a share are ignored.",
      "A day without a trade has no candle.",
      "Days before the recording of every trade can have the trades of followed traders only.",
    ],
  },
  {
    kind: "learn",
    slug: "market-prices",
    title: "How a current price is chosen",
    summary:
      "The current price of an outcome is its payout once the market has resolved; otherwise the midpoint of its " +
      "best bid and ask when they are at most ten cents apart; otherwise its last trade price.",
    body: [
      "Every response uses this rule: snapshots, exploration, positions, holders and flows. The value of open " +
        "shares is their number times this price.",
      "After the market's end, a book from before the end is not used. Until the result is known the last trade " +
        "counts, and the response says that the result is awaited.",
      "A wide book says nothing about the price between its bid and ask.",
      "Without a bid, an ask and a trade there is no price; it is never made up.",
      "A market snapshot states the source and the age of its top of book.",
    ],
  },
  {
    kind: "learn",
    slug: "reports",
    title: "Daily, weekly and monthly reports",
    summary:
      "A report adds up the large trades of a UTC day, an ISO week or a month. It is rolling while late trades " +
      "can still arrive; then it is final and never changes.",
    body: [
      "A report becomes final when it is read at least 7,530 seconds after the end of its last day.",
      "Its volume is the volume of detected large trades, not the provider's volume.",
      "A day that was not read has null figures; a day that was read and had no large trade has zeros.",
      "A range of up to 31 days is computed on request and not stored.",
    ],
  },
  {
    kind: "learn",
    slug: "missing-values",
    title: "Why a value is null",
    summary:
      "An unknown value is null or left out, with the reason next to it. It is never 0, an " +
      "empty list or an empty object.",
    body: [
      "data_quality lists groups of fields, the source and time of each, and whether it is fresh, partial, " +
        "unknown, untracked or unavailable.",
      "A trader whose whole history has not been read has no lifetime profit, even when many trades are known.",
      "A true zero is shown as zero.",
    ],
  },
  {
    kind: "learn",
    slug: "cursors",
    title: "Paging with cursors",
    summary:
      "A list returns has_more and next_cursor. Send the cursor with the same filters to read the next page. Rows " +
      "never repeat because other rows were added or removed.",
    body: [
      "A cursor is signed and valid only for the list and the filters it was issued for; any other use " +
        "returns 400 with param cursor.",
      "Rebuilt lists such as the leaderboard have numbered generations, and all pages of a walk come " +
        "from the same generation.",
      "When that generation no longer exists the response is cursor_expired: start again at the first page.",
    ],
  },
  {
    kind: "learn",
    slug: "conditional-requests",
    title: "Conditional requests with an ETag",
    summary:
      "Most read responses have a weak ETag. Send it in If-None-Match, and the response is an empty 304 " +
      "while nothing has changed.",
    body: [
      "The validator covers the stable part of the body: request ids, costs and times outside " +
        "the data do not change it.",
      "Reports and market search have no validator.",
    ],
  },
  {
    kind: "learn",
    slug: "idempotency",
    title: "Retrying a request safely",
    summary:
      "When an operation accepts an Idempotency-Key, for example the creation of an API key, a repeat within 24 " +
      "hours returns the first outcome and nothing runs twice.",
    body: [
      "The same key with a different body returns 422.",
      "While the first request is still running, a repeat returns 409 idempotency_in_progress.",
    ],
  },
  {
    kind: "learn",
    slug: "rate-limits",
    title: "Rate limits and budgets",
    summary:
      "A user has 100 requests per minute over all keys, and all clients behind one IP address share 1,200. Every " +
      "response says how many are left.",
    body: [
      "Over a limit the response is 429 with Retry-After. A request after that time is accepted.",
      "Batches use a separate budget of item units: one per item, reserved before anything runs.",
      "An IP address that stays over the limit is blocked for longer each time.",
    ],
  },
  {
    kind: "learn",
    slug: "tracking-tiers",
    title: "Which traders are followed",
    summary: "The whole activity of hot and warm traders is read; cold traders are known from the trade feed only.",
    body: [
      "A large trade, a rank on the provider's leaderboard or a grade of S, A or B makes a trader hot.",
      "A trader without activity for 30 days becomes cold and keeps the history. Each trader is one wallet address.",
    ],
  },
];
