const freshBook = { status: "fresh", source: "clob_book", as_of: "2026-11-20T12:05:00.000Z", stale_after_s: 120 };
const noSports = { status: "unavailable", source: "none", reason: "live scores are not covered in this release" };

/** Example snapshot in the OpenAPI document: an invented market with consistent figures. */
export const SNAPSHOT_EXAMPLE = {
  market: {
    id: "mkt_7",
    condition_id: `0x${"7".repeat(64)}`,
    provider: "polymarket",
    title: "Will it rain in Paris on Sunday?",
    slug: "rain-in-paris-on-sunday",
    page_slug: "rain-in-paris-on-sunday",
    event_slug: "rain-in-paris",
    category: "Science & Tech",
    status: "active",
    description: "Resolves Yes if a millimetre of rain is measured.",
    image: "https://images.example.com/rain.png",
    series_slug: null,
    market_type: null,
    market_result: null,
    created_at: "2026-11-10T09:00:00.000Z",
    end_date: "2026-11-22T18:00:00.000Z",
    resolved_at: null,
  },
  outcomes: [
    {
      side: "yes",
      label: "Yes",
      token_id: "1000001",
      current_price: 0.55,
      top_of_book: {
        status: "available",
        source: "clob_book",
        best_bid: 0.54,
        best_ask: 0.56,
        spread_bps: 364,
        bid_depth_usdc: 100.99,
        ask_depth_usdc: 50,
      },
    },
    {
      side: "no",
      label: "No",
      token_id: "1000002",
      current_price: 0.45,
      top_of_book: {
        status: "available",
        source: "clob_book",
        best_bid: 0.44,
        best_ask: 0.46,
        spread_bps: 444,
        bid_depth_usdc: 39.28,
        ask_depth_usdc: 86.03,
      },
    },
  ],
  liquidity: {
    source: "gamma_market",
    volume_usd: 120_450.25,
    liquidity_usd: 9_800.5,
    volume_24h_usd: 4_310.25,
    last_price: null,
  },
  sports: noSports,
  freshness: {
    market_data: { status: "fresh", source: "gamma_market", as_of: "2026-11-20T12:01:00.000Z", stale_after_s: 600 },
    top_of_book: freshBook,
    live_sports: noSports,
  },
};
