export interface paths {
    "/api/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the entry points of the API and how to authenticate.
         * @description Returns URLs, how to send an API key, and every operation that requires one. Needs no key.
         */
        get: operations["getApiDiscovery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Redirect to the OpenAPI document on the website.
         * @description Returns 307 with the URL of the document in `Location`. The website serves the document itself.
         */
        get: operations["redirectApiOpenapiSpec"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the service and its background jobs work.
         * @description Probes the database and the cache and reads the heartbeats of the jobs, except during planned maintenance. Always returns 200. Limited to 120 requests per minute per IP address.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/coverage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the capabilities for each provider.
         * @description Returns what this release supports for each provider. Needs no API key.
         */
        get: operations["getCoverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platforms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the capabilities for each provider.
         * @deprecated
         * @description Deprecated: the older path of `getCoverage`. It works until 2028-11-01 at least. Returns what this release supports for each provider. Needs no API key.
         */
        get: operations["getPlatforms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a sandbox key.
         * @description Returns a key for the sandbox, which has every operation with invented data. Needs no account and no key. A body is not read. Nothing is stored: each request returns another key. The live API refuses these keys.
         */
        post: operations["registerAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the request usage of the current minute, day and month.
         * @description Does not count against these budgets and works without a subscription. Up to 100 requests per minute, together with the identity operation.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the owner and the permissions of the credential.
         * @description Costs nothing and works without a subscription. Up to 100 requests per minute, together with the usage operation.
         */
        get: operations["getAccountIdentity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/trader/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one trader.
         * @description Accepts a wallet address, a trd_ id or a known username. An untracked address returns sync_status unknown. With `max_age_s`, data that is not fresh or is too old returns 409; the request does not trigger a refresh.
         */
        get: operations["getTrader"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/traders/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get up to 25 traders.
         * @description Returns one item per requested trader, in the order of the request, with the trader or an error. An untracked address has status ok and sync_status unknown.
         */
        post: operations["batchGetTraders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/trader/{address}/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one trader with a position summary, for a language model or a person.
         * @description Returns the trader with strategy, categories and quant metrics, the totals of its positions, and the freshness and completeness of these figures.
         */
        get: operations["getTraderContext"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/trader/{address}/context.md": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a trader's context as a Markdown document.
         * @description Returns the trader context as Markdown text. Errors are JSON. For an untracked trader the document says so.
         */
        get: operations["getTraderContextMarkdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/trader/{address}/pnl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one trader's realized profit by day, month and year.
         * @description Returns the curve of realized profit including fees and rebates, its statistics and its drawdown; `completeness` says what the profit excludes. Volumes and market counts include combinations of markets with unknown legs. `from` and `to` limit the days of `entries` and `drawdown`; totals and statistics always cover the whole history.
         */
        get: operations["getTraderPnl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/trader/{address}/grade-at": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the grade of one trader at a past time.
         * @description Uses only published grades, never a later computation. The grade is unknown before the first published grade, and between the computation and the publication of a grade.
         */
        get: operations["getTraderGradeAt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/trader/{address}/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one trader's record in each category.
         * @description Returns won and decided markets by category, and by game within Esports.
         */
        get: operations["getTraderCategoryRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/large-trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List large trades, newest first.
         * @description With `since`, lists the trades that became visible after that trade, in commit order. To poll without skipping a trade, send the newest id of the last response.
         */
        get: operations["listLargeTrades"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/large-trades/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List stored large trades by period, market or trader.
         * @description Lists detected and stored large trades, newest first by default. The provider is not queried, so a trade that was missed stays missing.
         */
        get: operations["listLargeTradeHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/large-trades/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one large trade.
         * @description Returns the trade as in the lists, with its known counterparties.
         */
        get: operations["getLargeTrade"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/large-trades/{id}/counterparties/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page through the executions behind one large trade.
         * @description Returns the analysis of the snapshot that the large trade names. The snapshot expires when more fills, or their logs on the chain, are recorded.
         */
        get: operations["listLargeTradeCounterpartyExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/large-trades/{id}/counterparties/executions/{execution_id}/makers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page through the makers of one execution.
         * @description Lists every maker of the execution, largest share first. Available when the recorded fills add up to the taker's shares to the millionth of a share.
         */
        get: operations["listLargeTradeCounterpartyMakers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/whale-trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List large trades, newest first.
         * @deprecated
         * @description Deprecated: the older path of `listLargeTrades`. It works until 2028-11-01 at least. With `since`, lists the trades that became visible after that trade, in commit order. To poll without skipping a trade, send the newest id of the last response.
         */
        get: operations["listWhaleTrades"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/whale-trades/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List stored large trades by period, market or trader.
         * @deprecated
         * @description Deprecated: the older path of `listLargeTradeHistory`. It works until 2028-11-01 at least. Lists detected and stored large trades, newest first by default. The provider is not queried, so a trade that was missed stays missing.
         */
        get: operations["listWhaleTradeHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/whale-trades/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one large trade.
         * @deprecated
         * @description Deprecated: the older path of `getLargeTrade`. It works until 2028-11-01 at least. Returns the trade as in the lists, with its known counterparties.
         */
        get: operations["getWhaleTrade"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/whale-trades/{id}/counterparties/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page through the executions behind one large trade.
         * @deprecated
         * @description Deprecated: the older path of `listLargeTradeCounterpartyExecutions`. It works until 2028-11-01 at least. Returns the analysis of the snapshot that the large trade names. The snapshot expires when more fills, or their logs on the chain, are recorded.
         */
        get: operations["listWhaleTradeCounterpartyExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/whale-trades/{id}/counterparties/executions/{execution_id}/makers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page through the makers of one execution.
         * @deprecated
         * @description Deprecated: the older path of `listLargeTradeCounterpartyMakers`. It works until 2028-11-01 at least. Lists every maker of the execution, largest share first. Available when the recorded fills add up to the taker's shares to the millionth of a share.
         */
        get: operations["listWhaleTradeCounterpartyMakers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rank traders by score.
         * @description Ranks traders by score, overall or within one category. Only traders with grade S, A or B and a known history in ordinary markets are ranked. All pages of one walk use the grades and scores of the same generation. The list is empty until enough traders have settled bets for grades to exist.
         */
        get: operations["listLeaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leaderboard/trending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the provider's weekly or monthly profit leaderboard.
         * @description Traders on the provider's leaderboard in the provider's order, at most 50, with figures from our own records for the window. All pages of one walk come from the same version of the leaderboard.
         */
        get: operations["listTrendingWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/markets/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search markets by words in their title.
         * @description Lists markets whose title contains all the words; the last word can be incomplete. An exact title comes first, then titles that start with the words, then all others, each group by volume. If no market contains the words, they are treated as misspelled and markets are ordered by the similarity of their titles.
         */
        get: operations["searchMarkets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/markets/explore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explore markets, grouped by event.
         * @description Lists entries: events with several markets, and standalone markets. The list is rebuilt every minute; all pages of one walk come from the same build.
         */
        get: operations["exploreMarkets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/market/{condition_id}/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one market with the prices of its outcomes.
         * @description Returns the provider's data about the market, the best quotes and the current price of each outcome, and the age of each part. After the market has resolved, prices are its payouts; between its end and its result, they are the last trades. The request never calls the provider.
         */
        get: operations["getMarketSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/market/{condition_id}/candles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the daily or weekly prices of the outcomes of one market.
         * @description Returns buckets that start after from and not after to, both in Unix seconds. A week contains only its days in the range, so its start can be before from. There are no prices within a day. If a parameter is sent twice, the last value counts.
         */
        get: operations["getMarketCandles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/market/{condition_id}/flow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the large-trade flow of one market.
         * @description Returns the net flow of all recorded large trades in the market within the timeframe, and the five largest positions of graded traders.
         */
        get: operations["getMarketFlow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/market/{condition_id}/holders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the graded holders of a market.
         * @description Lists traders with a current grade of S, A or B, from a complete scan of all holders of the market: most valuable first, then by shares, then by address. A market that was not requested recently is scanned first: the response is 503, retry after Retry-After. A cursor is an offset in the list and stays valid when the scan is renewed; the page size can change between pages.
         */
        get: operations["getMarketHolders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/market/{condition_id}/context.md": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a market's context as a Markdown document.
         * @description Contains the snapshot with trust, the large-trade flow of the last 24 hours and the graded holders, if they were scanned within the last three minutes. All data is in JSON blocks. Errors are JSON responses.
         */
        get: operations["getMarketContextMarkdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/markets/flow/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the large-trade flows of up to 25 markets.
         * @description Returns one item per market, in the order of the request. A failed item has its own error and does not affect the others.
         */
        post: operations["batchGetMarketFlow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/market/{condition_id}/intel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the large-trade flow of one market.
         * @deprecated
         * @description Deprecated: the older path of `getMarketFlow`. It works until 2028-11-01 at least. Returns the net flow of all recorded large trades in the market within the timeframe, and the five largest positions of graded traders.
         */
        get: operations["getMarketIntel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/markets/intel/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the large-trade flows of up to 25 markets.
         * @deprecated
         * @description Deprecated: the older path of `batchGetMarketFlow`. It works until 2028-11-01 at least. Returns one item per market, in the order of the request. A failed item has its own error and does not affect the others.
         */
        post: operations["batchGetMarketIntel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a report by granularity and period.
         * @description Returns the same response as the daily, weekly and monthly routes. `period` is a day (`2026-11-20`) with `daily`, an ISO week (`2026-47`) or a range of up to 31 days (`2026-11-16,2026-11-18`) with `weekly`, and a month (`2026-11`) with `monthly`.
         */
        get: operations["getReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the report on the large trades of one UTC day.
         * @description Accepts days from the first covered day to tomorrow. Lists at most the 50 largest trades.
         */
        get: operations["getDailyReportSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/weekly": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the report on the large trades of one ISO week, or of a range of up to 31 days.
         * @description Requires either `week` (Monday to Sunday, UTC) or both `from` and `to`, inclusive. The report of a week is stored; the report of a range is computed for the request. Lists at most the 100 largest trades.
         */
        get: operations["getWeeklyReportSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/monthly": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the report on the large trades of one UTC month.
         * @description Accepts UTC months with at least one day between the first covered day and tomorrow. Lists at most the 200 largest trades.
         */
        get: operations["getMonthlyReportSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/content/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the help texts about this product.
         * @description Searches the help texts about grades, figures, lists and terms. Misspelled and incomplete words match similar words. Returns one page, best match first, without scores.
         */
        get: operations["searchContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List open positions, the most valuable first.
         * @description Open positions that have a price, ordered by current value, then by address, market and outcome. A value is the number of shares times the current price in the market snapshot. Page boundaries and `min_size` use values that are a few seconds old. Positions in a resolved market are settled and not listed; while the result is pending they are stale and valued at the last trade. Without `wallet`, `min_size` defaults to 100; without `wallet` and `condition_id`, nothing below 100 dollars is listed. Traders whose complete activity is not known are listed only when named, because recorded fills alone do not determine their positions. Open positions without a value, and positions in combinations of markets, are not listed: with `wallet` or `condition_id`, `meta.unlisted` counts them. `consistency=snapshot` freezes the first 500 rows of the named traders for 5 minutes, one snapshot per key; all its pages show the same time.
         */
        get: operations["listPositions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/large-positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List positions of graded traders worth 50,000 dollars or more in one market.
         * @description Open positions of graded traders whose history in ordinary markets is known, both outcomes of a market together, the most valuable first. A scan of the last 24 hours found them. Shares, prices and values are current; page order and `min_size` use the values of the scan. Positions sold or settled since the scan are omitted.
         */
        get: operations["listLargePositions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/trader/{address}/position-timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the fills of one trader's position in one market.
         * @description Every recorded buy and sell of the trader in the market, newest first, each with the position after it. Splits, merges, conversions and redemptions are not listed, so the current position can differ from the newest `running_amount`.
         */
        get: operations["getPositionTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/traders/{trader}/position-timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the fills of one trader's position in one market.
         * @description Every recorded buy and sell of the trader in the market, newest first, each with the position after it. Splits, merges, conversions and redemptions are not listed, so the current position can differ from the newest `running_amount`.
         */
        get: operations["getPositionTimelineById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/markets/sharp-money-flows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rank markets by the net flow of graded traders.
         * @description Ranks markets by the absolute net flow of large trades by graded traders within a window, largest first. Grades are those at the time the ranking was built. All pages of one walk use the ranking of the first page.
         */
        get: operations["listSharpMoneyFlows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/markets/smart-money-flows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rank markets by the net flow of graded traders.
         * @deprecated
         * @description Deprecated: the older path of `listSharpMoneyFlows`. It works until 2028-11-01 at least. Ranks markets by the absolute net flow of large trades by graded traders within a window, largest first. Grades are those at the time the ranking was built. All pages of one walk use the ranking of the first page.
         */
        get: operations["listSmartMoneyFlows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suspicious-trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suspicious trades, highest score first.
         * @description Large trades with a suspicion score of 60 or more. A trade is assessed once. Responses may be up to 120 seconds old and state their age. With `mode=stable`, all pages show the flags that existed at the time of the first page, and no later ones.
         */
        get: operations["listSuspiciousTrades"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suspicious-trades/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one suspicious trade.
         * @description Returns one flag as in the list. Scores and evidence are those of the assessment; names are current.
         */
        get: operations["getSuspiciousTrade"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/insider-radar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suspicious trades, highest score first.
         * @deprecated
         * @description Deprecated: the older path of `listSuspiciousTrades`. It works until 2028-11-01 at least. Large trades with a suspicion score of 60 or more. A trade is assessed once. Responses may be up to 120 seconds old and state their age. With `mode=stable`, all pages show the flags that existed at the time of the first page, and no later ones.
         */
        get: operations["listInsiderRadar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/insider-radar/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one suspicious trade.
         * @deprecated
         * @description Deprecated: the older path of `getSuspiciousTrade`. It works until 2028-11-01 at least. Returns one flag as in the list. Scores and evidence are those of the assessment; names are current.
         */
        get: operations["getInsiderRadarFlag"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/games": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sports games by kickoff.
         * @description Games that are open for trading, in play, or over for less than 48 hours, ordered by kickoff and slug; games without a known kickoff come last. `coverage` says which sports and leagues this deployment has. A cursor is a position, not a snapshot: a game that is moved may appear twice or be missed.
         */
        get: operations["listGames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/games/{event_slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one sports game.
         * @description Returns one game as in the list, also after it has left the list. An event that is not a game of a covered sport is 404.
         */
        get: operations["getGame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sports/pre-game-sides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sports markets in which graded traders hold one side before the game.
         * @description Winner and handicap markets of games that have not begun, where traders graded S, A or B have at least 85 % of their dollars and 1,000 dollars on one side. First the markets with most holders graded S, then A, then B, then by dollars. Holders of both outcomes count with their net shares. A snapshot is built every three minutes; all pages of one walk use the same one, and games that have begun since are left out.
         */
        get: operations["listPreGameSides"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sports/pre-game-side-observations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sports markets in which graded traders hold one side, outside the signals.
         * @description Observations of one cohort in the order of signals, with where every market of the board ended. A snapshot before kickoff is built every three minutes, one of live games every 15 seconds. When the newest snapshot of live games is older than 30 seconds, the list is empty and degraded.
         */
        get: operations["listPreGameSideObservations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sports-edge-observations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sports markets in which graded traders hold one side, outside the signals.
         * @description Observations of one cohort in the order of signals, with where every market of the board ended. A snapshot before kickoff is built every three minutes, one of live games every 15 seconds. When the newest snapshot of live games is older than 30 seconds, the list is empty and degraded.
         */
        get: operations["listSportsEdgeObservations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/edge-hunter": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read signals, observations or the board of sports markets.
         * @description One path for the Max plan: the lists of signals and of observations, and the board, which has one item for each sport with the number of rows and where its markets ended. The board is one page without an ETag; filters other than `category` do not apply to it.
         */
        get: operations["getEdgeHunter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sports-edge-signals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retired: the list of signals has another path.
         * @deprecated
         * @description Deprecated: the older path of `getEdgeHunter`. It works until 2028-11-01 at least. Every request with access is refused with 410. The `Link` header has the successor, which needs the Max plan; `/api/v1/sports/pre-game-sides` has the same list for every plan.
         */
        get: operations["listSportsEdgeSignals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pick-of-the-day": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the picks of a day.
         * @description Returns the picks of a product day, which is a date in US Eastern time. A published rule selects sides of full-game markets that traders graded S and A agree on, up to 15 a day. Each pick is released one hour before its kickoff; its price, its holders and its kickoff are then frozen.
         *
         *     Every account opens the free selection, Pro also the first four other picks in publication order, Max all of them. Settled picks are open to every account. Withdrawn picks are left out and do not count.
         *
         *     Until the first release of the day the response is 404 `pick_not_released`, with `retry_at` and Retry-After: the next release of a pick that the caller opens, or a quarter of an hour where none is scheduled.
         */
        get: operations["getPickOfTheDay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pick-of-the-day/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read published picks and their record.
         * @description Returns published picks, newest day first, with the record of all of them: hit rate, profit of a fixed stake at the frozen prices, and closing-line value. Every page has the whole record. A pick that the caller's plan does not open shows only its place until it settles. Withdrawn picks are left out.
         */
        get: operations["getPickOfTheDayArchive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pick-of-the-day/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the commitment ledger of all picks.
         * @description Lists every published pick, withdrawn or not, by product day and rank. A pick is sealed when it is published: the hash of its payload and of a random nonce is shown, and nothing of its content. When it settles, payload and nonce are shown too, and anyone can check the hash. A pick that reached its kickoff unsealed stays uncommitted.
         *
         *     To check an opened entry: write `payload` as compact JSON with sorted keys, append the 32 bytes of `commitment_nonce`, and compare the SHA-256 with `commitment_hash`.
         */
        get: operations["getPickOfTheDayLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pick-of-the-day/ledger/{pick_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one entry of the commitment ledger.
         * @description Returns the entry of one published pick, as in the ledger. A pick that is not published returns 404.
         */
        get: operations["getPickOfTheDayLedgerEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/combos/fills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List fills of combos.
         * @description Executions of combos at a price of 0.95 or less, newest or largest first. An execution is listed once, as the fill of its taker; the makers' fills of it are not listed, and neither is a fill that the provider has not shown as a taker's. `has_more` says that this page is full, so the last page may be empty. The provider's trade feed has no block numbers: see `chain_position_known`.
         */
        get: operations["listComboFills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/combos/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the open combos.
         * @description Returns how many combos with at least one recorded fill are still open. A response is up to 60 seconds old. The count is null until combos have been read from the provider for the first time.
         */
        get: operations["getCombosSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/combos/{condition_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one combo with its legs and newest fills.
         * @description Returns one combo: its legs, sums over its recorded fills, its newest 100 fills at any price, and its other events. Each execution is listed and counted once, as the fill of its taker. `status` is that of the YES side, which pays when all legs win.
         */
        get: operations["getCombo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how our own claims ended, hits and misses.
         * @description Returns every kind of claim that this product publishes: suspicious-trade flags, purchases under the grades S and A, flow alerts and picks. By month it shows how many claims won, lost or wait for a result, and how often they won compared with the prices at the time and with random purchases of the same day, category and price.
         *
         *     A claim belongs to the UTC month of its price and stays there, so pending claims are visible. Rates are null, with a reason, below 10 events. The record is updated every ten minutes while results can change.
         */
        get: operations["getRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proofs/heads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the signed heads of the archive.
         * @description Lists the signed manifest of every archived UTC day, newest first. Each head names the one before it and has the Merkle root over all earlier ones. With `from_sequence` and `to_sequence` the response also proves that the log of heads only grew between the two.
         */
        get: operations["listProofHeads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proofs/rows/{row_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove that a row is in the archive.
         * @description Returns the row of a large trade, a fill or a pick's commitment as it was hashed, its audit path, and the signed head of the day on which it was recorded. A day is archived some hours after its end; until then its rows return 404.
         */
        get: operations["getRowProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream events as they happen.
         * @description Server-Sent Events. Without a resume point, the stream starts with new events. With one, it first sends every kept frame after the resume point and continues without a gap. Frames are kept for one day, at most 50,000 of them.
         *
         *     `event: resync` replaces frames that cannot be sent. `event: error` is the last frame of a stream that the server ends. The server checks the API key again every 30 seconds and sends a comment every 5 seconds. A stream that its client does not read for two minutes ends with an error that allows a reconnect.
         *
         *     A frame must match all filters, in the replay and in the live stream. A key can have 5 open streams, an account 25.
         */
        get: operations["getStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/feed/since": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Replay large-trade events from a cursor, without gaps.
         * @description Returns events in the order in which they became visible, oldest first. An event that is still being written is never skipped: the page ends before it, and a later page has it. Each event is returned once and is identified by `id`.
         *
         *     Without a cursor, returns the newest events and a cursor to continue from. Events are kept for seven days. A cursor that is older, or from before a restore of the database, returns `cursor_expired`.
         */
        get: operations["getEventReplaySince"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/trader/{address}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe what an export of one trader would have.
         * @description Counts the recorded trades, and says how far the record is complete. It starts no job.
         */
        get: operations["getTraderExportSnapshot"];
        put?: never;
        /**
         * Submit an export of one trader's trades.
         * @description Starts a job that writes all recorded trades of the trader, oldest first, into one gzip file. json and ndjson begin with an envelope about the trader; csv has only trades. parquet, an addition to the contract, is not compressed again and has the envelope in its footer. Poll its status, then download the file within 24 hours of the submit. An equal request returns the job that is already there, with 200 and cost 0. An account can submit 20 files a day, and five exports of one trader an hour; cancelled and failed jobs count.
         */
        post: operations["submitTraderExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/trader/{address}/export/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of an export.
         * @description An ended job can be read for 48 hours.
         */
        get: operations["getTraderExportStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/trader/{address}/export/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an export.
         * @description A queued job is cancelled at once. A running one becomes cancel_requested and is cancelled within seconds. A job that has ended stays as it is, so repeating the request is safe.
         */
        post: operations["cancelTraderExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/trader/{address}/export/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an export.
         * @description Returns 302 with a signed link, valid for at most one hour. Fetch the link without the API key. 400 while the job is not ready; 410 after the file has expired.
         */
        get: operations["downloadTraderExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/whale-trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a dataset of large trades.
         * @description Starts a job that writes the large trades of a past range, at most 31 days and 1,000,000 trades, into one gzip NDJSON file, or into a Parquet file as an addition to the contract. Poll its status, then download the file within 24 hours of the submit. An equal request whose job has not ended returns that job, with 200. An account can submit five datasets an hour and 20 files a day; cancelled and failed jobs count.
         */
        post: operations["submitWhaleDataset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/whale-trades/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of a dataset.
         * @description An ended job can be read for 48 hours.
         */
        get: operations["getWhaleDatasetStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/whale-trades/{job_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a dataset.
         * @description A queued job is cancelled at once. A running one becomes cancel_requested and is cancelled within seconds. A job that has ended stays as it is, so repeating the request is safe.
         */
        post: operations["cancelWhaleDataset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/whale-trades/{job_id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a dataset.
         * @description Returns 302 with a signed link, valid for at most one hour. Fetch the link without the API key. It serves gzip NDJSON, one trade a line, or the Parquet file if that was submitted. 400 while the job is not ready; 410 after the file has expired.
         */
        get: operations["downloadWhaleDataset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/watchlists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's watchlists.
         * @description Returns all lists, at most 20, oldest first, without their addresses.
         */
        get: operations["listWatchlists"];
        put?: never;
        /**
         * Create a list of wallet addresses.
         * @description The list's id is a value of the filter `watchlist` in the stream, in the replay of events and in the trade filters of webhooks. An account can have 20 lists; one more is 409.
         */
        post: operations["createWatchlist"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/watchlists/{watchlist_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one watchlist with its addresses.
         * @description Returns all addresses of the list at once. A list of another account is 404, like one that never existed.
         */
        get: operations["getWatchlist"];
        /**
         * Replace the name and all addresses of a watchlist.
         * @description The new addresses take the place of the old ones in one step. They apply at once: to every event that is recorded after the response, in open streams and in webhooks, and to every replay that is read after it. Deliveries that are already created stay. The same content again changes nothing.
         */
        put: operations["replaceWatchlist"];
        post?: never;
        /**
         * Delete a watchlist.
         * @description A list by which a webhook endpoint filters, also a disabled one, is 409 and stays. An open stream with the list gets no further large trade, and ends within 40 seconds with an `error` frame and `retry: false`. The id is never used again: deleting it again is 404.
         */
        delete: operations["deleteWatchlist"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the event types that webhook endpoints can register.
         * @description The list is the same for every API key. Some events require an active paid subscription, and some concern only the account itself; their descriptions say so.
         */
        get: operations["listWebhookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's webhook endpoints.
         * @description Returns all endpoints, at most ten, oldest first. Deleted endpoints are not listed.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook endpoint.
         * @description The response shows the signing secret and the verification token; no later response repeats them. Nothing is delivered until the endpoint is verified with the token, within 24 hours. An account can have at most ten endpoints; an eleventh is 400.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one webhook endpoint.
         * @description Returns the endpoint without its secret and its token, which are shown only once. A deleted endpoint is 404.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint.
         * @description Deliveries stop, and pending deliveries become dead letters. The response shows the endpoint as disabled. Lists no longer contain it, but its deliveries can be read for seven days. Deleting it again has no effect.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint.
         * @description A new URL must be verified with the token in this response; pending deliveries are then sent to the new URL. The URL cannot change while a delivery is in flight, which is 409: no new delivery then starts for half a minute, so that a retry can succeed after those in flight have ended. `enabled: false` stops deliveries and moves pending deliveries to dead_letter. `enabled: true` re-enables a disabled endpoint and resets its failure count; earlier events are not delivered again.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a webhook endpoint by its token.
         * @description The token alone activates the endpoint; nothing is posted to it. Events from now on are delivered. For an active endpoint the request has no effect.
         */
        post: operations["verifyWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/verification-attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start the verification of a webhook endpoint by a signed challenge.
         * @description Posts {type: webhook.verification, token, webhook_id} to the receiver, signed like a delivery. The endpoint becomes active when the receiver responds with 2xx within 10 seconds. There are up to four challenges, 5, 15 and 45 seconds apart. Redirects are not followed, and response bodies are not read. Read the attempt at its `status_url`. While an attempt is in progress, the request returns that attempt.
         */
        post: operations["createWebhookVerificationAttempt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/verification-attempts/{attempt_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of a verification attempt.
         * @description An attempt can be read for seven days after it was requested.
         */
        get: operations["getWebhookVerificationAttempt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a signing secret immediately.
         * @description From now on only the new secret signs; the response shows it. A prepared secret is dropped, and an overlap ends. For a rotation without a gap, prepare and activate a secret instead. Refused with 409 while a delivery is in flight: no new delivery then starts for half a minute, so that a retry can succeed after those in flight have ended.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate-secret/prepare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prepare a new signing secret.
         * @description The response shows the new secret. It signs only after activation, so configure the receiver first. A repeated request returns the same secret. Refused with 409 while two secrets sign.
         */
        post: operations["prepareWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate-secret/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate the prepared signing secret.
         * @description The prepared secret signs deliveries from now on. The previous secret also signs for one hour, so a receiver with either secret accepts every delivery. Refused with 409 while a delivery is in flight: no new delivery then starts for half a minute, so that a retry can succeed after those in flight have ended.
         */
        post: operations["activateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate-secret/retire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the overlap in which two secrets sign.
         * @description From now on only the newer secret signs. Outside an overlap the request has no effect. The response shows no secret.
         */
        post: operations["retireWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of an endpoint in the last seven days.
         * @description Newest first, also for deleted endpoints. The response has no total. It never contains posted bodies or secrets.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver a dead letter.
         * @description Starts up to eight new attempts with the same ids, at the URL and with the secret that the endpoint has at the time of the attempt. Refused with 409 when the delivery is not a dead letter, when the endpoint is not active, or when it has not registered the event.
         */
        post: operations["redeliverWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test-delivery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook endpoint.
         * @description Posts one body of type webhook.test, signed and with the headers of a delivery, and waits up to 15 seconds for the response. There is one attempt. It is not listed among the deliveries, and counts neither as a success nor as a failure. Requires an active endpoint.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a Model Context Protocol message.
         * @description A remote MCP server with read-only tools, one for each read of this API. The handshake, the lists and the prompts are public; `tools/call` needs a key with an active plan. Protocol errors are JSON-RPC; refused credentials and exceeded address budgets have the shape of `Error`.
         */
        post: operations["createMcpJsonRpcResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    large_trade_inserted_v2: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receive_large_trade_inserted_v2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    large_trades_inserted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receive_large_trades_inserted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    whale_trades_inserted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receive_whale_trades_inserted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    live_sports_updated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receive_live_sports_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    trader_synced: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receive_trader_synced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    whale_trader_synced: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receive_whale_trader_synced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    large_positions_updated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receive_large_positions_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    wallet_grade_changed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receive_wallet_grade_changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    suspicious_trade_flagged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receive_suspicious_trade_flagged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    insider_radar_flag_raised: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receive_insider_radar_flag_raised"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    sharp_money_flow_detected: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receive_sharp_money_flow_detected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    smart_money_flow_detected: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receive_smart_money_flow_detected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    export_job_ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receive_export_job_ready"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    export_job_failed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receive_export_job_failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    export_job_expired: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receive_export_job_expired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    export_job_cancelled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receive_export_job_cancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description Owner and permissions of the credential in the request. */
        AccountIdentity: {
            /** @description Account number. */
            user_id: number;
            /** @description Number of the API key in the request. */
            credential_id: number;
            /**
             * @description api_key: an API key of the account. oauth_grant: access that the account owner granted to an application.
             * @enum {string}
             */
            credential_kind: "api_key" | "oauth_grant";
            /**
             * @description Always active: any other credential is refused.
             * @constant
             */
            credential_status: "active";
            /** @description What the account's subscription allows. */
            entitlement: {
                /**
                 * @description active: operations that need a subscription are available. lapsed: they return 402.
                 * @enum {string}
                 */
                paid_data_access: "active" | "lapsed";
                /** @description Action that restores access. Null while access is active. */
                recovery_action: "renew_subscription" | null;
            };
            /** @description Scopes of the credential: read, webhooks, export, usage. Null when it has all scopes. */
            scopes: string[] | null;
        };
        /** @description A sandbox key, and where to use it. */
        AgentRegistration: {
            /** @description A sandbox key. Its last 8 digits are the first 4 bytes of SHA-256 over the characters before them. It does not expire, and is not listed, revoked or stored. */
            api_key: string;
            /**
             * @description The key is not a live key.
             * @constant
             */
            livemode: false;
            /**
             * @description Where the key is valid.
             * @constant
             */
            environment: "sandbox";
            /**
             * Format: date-time
             * @description When the key was created, UTC.
             */
            created_at: string;
            sandbox: components["schemas"]["AgentRegistrationSandbox"];
            live_access: components["schemas"]["AgentRegistrationLiveAccess"];
        };
        /** @description How to get access to live data. */
        AgentRegistrationLiveAccess: {
            /**
             * Format: uri
             * @description Base URL of the live API's paths.
             */
            api_base_url: string;
            /** @description What live data require, in one sentence. */
            requirement: string;
            /**
             * Format: uri
             * @description How an account's owner creates a live key.
             */
            api_keys_url: string;
            /**
             * Format: uri
             * @description URL of the OAuth authorization server metadata (RFC 8414).
             */
            oauth_authorization_server_metadata_url: string;
            /**
             * Format: uri
             * @description URL of the OAuth client registration (RFC 7591).
             */
            oauth_registration_endpoint: string;
            /**
             * Format: uri
             * @description Plans and prices.
             */
            pricing_url: string;
            /**
             * Format: uri
             * @description How to authenticate, in Markdown.
             */
            auth_guide_url: string;
        };
        /** @description The sandbox: every operation, with invented data. */
        AgentRegistrationSandbox: {
            /**
             * Format: uri
             * @description Base URL of the sandbox's paths.
             */
            api_base_url: string;
            /**
             * Format: uri
             * @description A first request to send with the key.
             */
            first_request_url: string;
            /**
             * Format: uri
             * @description The sandbox's OpenAPI document.
             */
            openapi_url: string;
        };
        /** @description URLs of the API, authentication, and the routes that require a key. */
        ApiDiscovery: {
            /**
             * Format: uri
             * @description Base URL of all API paths.
             */
            api_base_url: string;
            /**
             * Format: uri
             * @description URL of the documentation.
             */
            docs_url: string;
            /**
             * Format: uri
             * @description URL of the OpenAPI document.
             */
            openapi_url: string;
            /**
             * Format: uri
             * @description URL of the health check.
             */
            health_url: string;
            /** @description How to send an API key, and which paths need none, in sentences. */
            authentication: string;
            /**
             * Format: uri
             * @description URL of the OAuth protected resource metadata (RFC 9728).
             */
            protected_resource_metadata_url: string;
            /**
             * Format: uri
             * @description An addition to the contract. The sandbox: the same paths with invented data, no key needed.
             */
            sandbox_base_url: string;
            /**
             * Format: uri
             * @description An addition to the contract. POST without a body returns a sandbox key.
             */
            agent_registration_url: string;
            /**
             * Format: uri
             * @description An addition to the contract. A guide for agents in Markdown; it names the other files.
             */
            agent_guide_url: string;
            /**
             * Format: uri
             * @description An addition to the contract. A short index of the documentation for language models.
             */
            llms_txt_url: string;
            /** @description Every operation that requires an API key, as method and path. */
            authenticated_routes: string[];
        };
        /** @description Proof that the log of heads only grew between two heads. */
        ArchiveConsistencyProof: {
            /** @description Sequence of the older head. */
            from_sequence: number;
            /** @description Sequence of the newer head. */
            to_sequence: number;
            /** @description The consistency proof of RFC 6962 between the `log_root` of the older manifest, over `from_sequence` heads, and that of the newer one, over `to_sequence` heads. */
            path: string[];
        };
        /** @description The signed head of an archived day. */
        ArchiveHead: {
            /** @description The UTC day. */
            day: string;
            /** @description Number of the day in the archive, from 0, without gaps. */
            sequence: number;
            /** @description The head: SHA-256 of a zero byte and the manifest's UTF-8. 64 lowercase hex digits. */
            head: string;
            /** @description The signed text: canonical JSON with the day's row counts, files, Merkle roots, the previous head and the range of the outbox. docs/archive.md describes its fields. */
            manifest: string;
            /** @description Ed25519 signature over the manifest's UTF-8: 128 lowercase hex digits. */
            signature: string;
            /** @description The key that signed. 64 lowercase hex digits. */
            public_key: string;
            /**
             * Format: date-time
             * @description When the day was signed.
             */
            signed_at: string;
        };
        /** @description Proof that a row is in the archive of the day on which it was recorded. */
        ArchiveRowProof: {
            /** @description The id of the row as requested. */
            id: string;
            /**
             * @description The dataset of the row.
             * @enum {string}
             */
            dataset: "fills" | "large_trades" | "resolutions" | "grade_changes" | "pick_commitments" | "pick_openings";
            /** @description The row as it was hashed: canonical JSON of all its columns. */
            row: string;
            /** @description SHA-256 of a zero byte and the row's UTF-8. 64 lowercase hex digits. */
            leaf_hash: string;
            /** @description Position of the row in its day, from 0. */
            leaf_index: number;
            /** @description Rows of the dataset on that day. */
            tree_size: number;
            /** @description The audit path of RFC 6962, from the leaf's sibling to the child of the root. */
            path: string[];
            /** @description The root of the day's tree, as in the manifest. 64 lowercase hex digits. */
            merkle_root: string;
            head: components["schemas"]["ArchiveHead"];
        };
        /** @description Error of one batch item: the error that a single request for this item would return. */
        BatchItemError: {
            /** @description Error code, the same as in an error response. */
            code: string;
            /** @description Message for people, in English. The wording may change. */
            message: string;
            /**
             * Format: uri
             * @description Link to the documentation of this error.
             */
            doc_url?: string;
            /** @description Member of the request body that contains the item; null when no member is at fault. */
            param?: string | null;
        };
        /** @description One market of the request, or the error of the item. */
        BatchMarketFlowItem: {
            /** @description Index of the item in the request, starting at 0. */
            index: number;
            /** @description The item as the client sent it. */
            input: string;
            /**
             * @description ok: the item has `data`. error: the item has `error`.
             * @enum {string}
             */
            status: "ok" | "error";
            data?: components["schemas"]["MarketFlow"];
            error?: components["schemas"]["BatchItemError"];
        };
        /** @description Markets and time window of the request. */
        BatchMarketFlowRequest: {
            /** @description 1 to 25 markets by condition id. An item that is not a condition id, such as a mkt_ id, fails alone. Order and repeats are kept; each item takes one item unit. */
            condition_ids: string[];
            /**
             * @description Time window up to now; 24h when left out.
             * @default 24h
             * @enum {string}
             */
            timeframe?: "1h" | "4h" | "24h" | "7d";
        };
        /** @description Budget of item units that all batches of an account share. */
        BatchRateLimitMeta: {
            /**
             * @description What the limit counts: batch items within 60 seconds.
             * @constant
             */
            basis: "batch_items_per_minute";
            /** @description Item units per minute. */
            limit: number;
            /** @description Item units left after this request. */
            remaining: number;
            /** @description When the oldest counted item leaves the window, in Unix seconds. */
            reset: number;
        };
        /** @description One trader of the request, or the error of this item. */
        BatchTraderItem: {
            /** @description Index of the item in the request, starting at 0. */
            index: number;
            /** @description The item as the client sent it. */
            input: string;
            /**
             * @description ok: the item has `data`. error: the item has `error`.
             * @enum {string}
             */
            status: "ok" | "error";
            data?: components["schemas"]["Trader"];
            error?: components["schemas"]["BatchItemError"];
        };
        /** @description The requested traders and their optional parts. */
        BatchTradersRequest: {
            /** @description 1 to 25 traders, each by address, trd_ id or known username. Results keep the order and the duplicates. Each item costs one item unit. */
            traders: string[];
            /**
             * @description Optional parts of each trader: strategy, categories, quant_metrics, trust. Other names are ignored. None when omitted.
             * @default []
             */
            expand?: string[];
        };
        /** @description Prices of one outcome in one bucket. */
        Candle: {
            /** @description Start of the bucket in Unix seconds: midnight UTC of the day, or of the Monday of the week. */
            t: number;
            /** @description Dollars per share, 0 to 1: price of the first trade. */
            o: number;
            /** @description Dollars per share, 0 to 1: highest trade price. */
            h: number;
            /** @description Dollars per share, 0 to 1: lowest trade price. */
            l: number;
            /** @description Dollars per share, 0 to 1: price of the last trade. */
            c: number;
        };
        /** @description Readiness of the records of all categories; `status` is the best status among them. */
        CategorySkillModelReadiness: {
            /**
             * @description live: computed in the last six hours. stale: computed earlier. insufficient: too few independent events, so the figures are withheld. degraded: some settled bets are not counted yet, so the figures are withheld. unknown: never sent, because such a record is omitted.
             * @enum {string}
             */
            status: "live" | "insufficient" | "stale" | "unknown" | "degraded";
            /** @description Version of the figure definitions. */
            model_version: string;
            /** @description Version of the mapping from provider tags to categories. */
            taxonomy_version: string;
            /**
             * Format: date-time
             * @description First recorded fill of the trader in any category, UTC.
             */
            observation_started_at: string;
            /**
             * Format: date-time
             * @description Time at which the records were computed, UTC.
             */
            as_of: string;
            /** @description Time of the last complete read of the trader's activity, UTC; null before the first one. */
            source_last_success_at: string | null;
        };
        /** @description The trader's skill in one category, with its uncertainty. */
        CategorySkillV2: {
            /**
             * @description live: computed in the last six hours. stale: computed earlier. insufficient: too few independent events, so the figures are withheld. degraded: some settled bets are not counted yet, so the figures are withheld. unknown: never sent, because such a record is omitted.
             * @enum {string}
             */
            status: "live" | "insufficient" | "stale" | "unknown" | "degraded";
            /** @description Version of the figure definitions. */
            model_version: string;
            /** @description Version of the mapping from provider tags to categories. Null when not recorded. */
            taxonomy_version: string | null;
            /**
             * @description The provider of the markets.
             * @constant
             */
            platform: "polymarket";
            /**
             * @description A constant of the format. The figures count all recorded purchases of the trader, including fills of resting orders.
             * @enum {string}
             */
            scope: "observed_goldsky_primary_taker_fill";
            /**
             * @description All recorded activity of the trader, at any size.
             * @enum {string}
             */
            source_coverage: "graded_wallet_fills";
            /** @description Name of the category. */
            canonical_category: string;
            /**
             * Format: date-time
             * @description Time at which the record was computed, UTC.
             */
            as_of: string;
            /** @description Time of the last complete read of the trader's activity, UTC; null before the first one. */
            source_last_success_at: string | null;
            /**
             * Format: date-time
             * @description First recorded fill of the trader in the category, UTC.
             */
            observation_started_at: string;
            /** @description Last recorded fill of the trader in the category, UTC; null when unknown. */
            latest_observation_at: string | null;
            /** @description Events with a settled purchase. All markets of an event count as one. */
            independent_event_count: number;
            /** @description Markets with a settled purchase. */
            resolved_condition_count: number;
            /** @description Outcomes bought in markets that have not resolved. */
            unresolved_observation_count: number;
            /** @description Mean over events of payout minus price paid, in dollars per share, weighted by dollars within an event. 0.02 means that purchases won two percentage points more often than their prices implied. Null when withheld. */
            edge_mean: number | null;
            /** @description Sample standard deviation of the edge over events, in dollars per share. Null when withheld. */
            edge_sd: number | null;
            /** @description Standard error of edge_mean, in dollars per share. Null when withheld. */
            edge_se: number | null;
            /** @description Lower bound of the 95 % confidence interval of edge_mean (Student's t), in dollars per share. Null when withheld. */
            edge_lower_95: number | null;
            /** @description Brier score: mean over events of the squared difference between average purchase price and payout, 0 to 1. Lower is better; even odds give 0.25. Null when withheld. */
            brier_event_avg: number | null;
        };
        /** @description A conjunction of legs, traded as one. */
        Combo: {
            /** @description Condition id of the combo: 0x and 62 hex digits. It is not the id of a market. */
            condition_id: string;
            /** @description Number of legs; null until the legs are known. */
            leg_count: number | null;
            /** @description When the combo was prepared on the chain. Always null: that event is not read. */
            prepared_at: string | null;
            /** @description Whether the provider has shown the legs. */
            legs_known: boolean;
            /** @description The legs in the provider's order; empty while `leg_count` is null, because they are not known. */
            legs: components["schemas"]["ComboLeg"][];
            /** @description Recorded fills of the last 24 hours; null when there is none. */
            window: components["schemas"]["ComboWindowStats"] | null;
            /** @description All recorded fills; null when there is none. */
            totals: components["schemas"]["ComboTotals"] | null;
            /**
             * @description Result of the YES side of the combo, which pays when all legs win. unknown: see `status_reason`.
             * @enum {string}
             */
            status: "pending" | "won" | "lost" | "unknown";
            /** @description Why the status is unknown. legs_not_indexed: the provider has not shown the legs yet. Null for another status. */
            status_reason: string | null;
        };
        /** @description How current the data of combos are. */
        ComboCoverage: {
            /**
             * @description uninitialized: a source has never been read. stale: one was not read in the last 15 minutes. backfilling: legs or events of combos have waited for their read that long. live: none of these. paused is never sent.
             * @enum {string}
             */
            state: "paused" | "uninitialized" | "stale" | "backfilling" | "live";
            /** @description Always true: this deployment has no switch for combos. */
            ingest_enabled: boolean;
            /** @description Always empty: combos, their fills and events come from the provider's API. See `sources`. Where the chain is read as well, it adds the block and the log index of fills: see `chain_position_known`. */
            cursors: components["schemas"]["ComboCoverageCursor"][];
            /** @description Where combos come from, and when it was last read. */
            sources: components["schemas"]["ComboSource"][];
            /** @description Always null: there are no chain cursors. */
            max_lag_blocks: number | null;
            /** @description Always null: there are no chain cursors. See `sources`. */
            oldest_cursor_update: string | null;
            /** @description Always null: there are no chain cursors. */
            lifecycle_lag_blocks: number | null;
            /** @description Whether legs or events of a combo have waited for their read for more than 15 minutes. */
            lifecycle_backfilling: boolean;
            /**
             * Format: date-time
             * @description When this state was determined, UTC.
             */
            computed_at: string;
        };
        /** @description A position in the chain. */
        ComboCoverageCursor: {
            /** @description The contract that is read. */
            contract: string;
            /** @description The last block that was read. */
            last_block: number;
            /** @description The first block that was read. */
            seed_block: number;
            /** @description Where the first block comes from. */
            seed_origin: string;
            /** @description The chain's newest final block; null while unknown. */
            chain_finalized_block: number | null;
            /** @description Blocks not read yet; null while unknown. */
            lag_blocks: number | null;
            /**
             * Format: date-time
             * @description When the cursor last moved, UTC.
             */
            updated_at: string;
        };
        /** @description One combo with its newest fills. */
        ComboDetail: {
            /**
             * @description Always full.
             * @enum {string}
             */
            access: "full";
            combo: components["schemas"]["Combo"];
            /** @description The newest fills, newest first, at any price. */
            fills: components["schemas"]["ComboFill"][];
            /** @description Splits, merges, redemptions and compressions of traders whose combo activity was read; null when none is recorded. */
            lifecycle: components["schemas"]["ComboLifecycleStats"] | null;
            coverage: components["schemas"]["ComboCoverage"];
        };
        /** @description One execution of a combo, as the fill of its taker. */
        ComboFill: {
            /** @description The fill's pe_ id. */
            id: string;
            /** @description Block of the fill. While `chain_position_known` is false: the second of `block_timestamp`, in Unix seconds, because the provider's trade feed has no block numbers. */
            block_number: number;
            /** @description Index of the fill's OrderFilled event among the logs of the block, starting at 0. While `chain_position_known` is false: the number of the fill in our records, which no two fills share. */
            log_index: number;
            /** @description Whether `block_number` and `log_index` are those of the chain. It becomes true once the chain was read, where this deployment reads it; the numbers then change once. */
            chain_position_known: boolean;
            /**
             * Format: date-time
             * @description Settlement time of the fill, UTC.
             */
            block_timestamp: string;
            /** @description Hash of the settlement transaction: 0x and 64 hex digits. */
            tx_hash: string;
            /** @description Wallet address of the taker, lower case. */
            trader: string | null;
            /** @description Username on the provider; null when there is none. */
            trader_name: string | null;
            /** @description The taker's current grade; S is the best, F the worst. Null without a grade. */
            trader_grade: ("S" | "A" | "B" | "C" | "D" | "F") | null;
            /** @description Time of the taker's newest recorded fill, split, merge or conversion in any market, UTC; null while unknown. */
            last_traded_at: string | null;
            /**
             * @description Whether the taker bought or sold.
             * @enum {string}
             */
            action: "buy" | "sell";
            /** @description Condition id of the combo: 0x and 62 hex digits. It is not the id of a market. */
            condition_id: string;
            /** @description The traded side: 0 YES, which pays when all legs win, 1 NO. Null while unknown. */
            outcome_index: number | null;
            /** @description Shares, an exact decimal. */
            shares: string;
            /** @description Dollars paid or received, without the fee, an exact decimal. */
            collateral_usdc: string;
            /** @description Dollars per share of the traded side, with at most six decimals; null for zero shares. */
            price: string | null;
            /** @description The same for the YES side: 1 minus the price of NO. Null without a price or a known side. */
            price_yes: string | null;
            /** @description The taker's fee in dollars, an exact decimal; null while unknown. The provider's trade feed has no fees, the activity of a followed trader has. */
            fee_usdc: string | null;
            /** @description Number of legs; null until the legs are known. */
            leg_count: number | null;
            /**
             * @description Result of the YES side of the combo, which pays when all legs win. unknown: see `status_reason`.
             * @enum {string}
             */
            status: "pending" | "won" | "lost" | "unknown";
            /** @description Why the status is unknown. legs_not_indexed: the provider has not shown the legs yet. Null for another status. */
            status_reason: string | null;
            /** @description Number of legs of state won; null until the legs are known. */
            won_legs: number | null;
            /** @description Shares per dollar, without the fee: what one dollar pays when the bought side wins. A decimal truncated to six places; null for a sell. */
            payout_multiplier: string | null;
            /** @description The legs in the provider's order; empty while `leg_count` is null, because they are not known. */
            legs: components["schemas"]["ComboLeg"][];
        };
        /** @description One leg of a combo. */
        ComboLeg: {
            /** @description Place of the leg in the provider's order, from 0. */
            leg_index: number;
            /** @description The outcome that the leg picks: 0 YES, 1 NO. */
            outcome_index: number;
            /** @description The provider's kind of market: 1 binary, 2 neg-risk. */
            module_id: number;
            /**
             * @description Result of the leg. void: resolved without a single winner. unknown: nothing says it.
             * @enum {string}
             */
            state: "pending" | "won" | "lost" | "void" | "unknown";
            /** @description The market of the leg; null when nothing is known of it. */
            market: components["schemas"]["ComboLegMarket"] | null;
        };
        /** @description The market of a leg. */
        ComboLegMarket: {
            /**
             * @description markets: our own description of the market. provider: what the provider's combo reads say of it, until the market itself has been read.
             * @enum {string}
             */
            source: "markets" | "provider";
            /** @description Condition id of the leg's market: 0x and 64 hex digits, or 62 in the provider's second protocol. */
            condition_id: string;
            /** @description The market's question; null until the market is read from the provider. */
            title: string | null;
            /** @description The provider's URL slug; null while unknown. */
            slug: string | null;
            /** @description The provider's URL slug of the event; null while unknown. */
            event_slug: string | null;
            /**
             * Format: uri
             * @description Page of the event on the provider's website; left out while the event is unknown.
             */
            polymarket_url?: string;
            /** @description Label of the outcome that the leg picks; null while unknown. */
            outcome_label: string | null;
            /** @description URL of the market's image; null when there is none. */
            image: string | null;
            /** @description Market category; null when the provider's tags match no category. */
            category: string | null;
            /** @description Index of the outcome that won; -1 when the market resolved without a single winner. Null until it has resolved, and for source provider. */
            winning_outcome: number | null;
            /** @description When the market resolved, UTC; null until then, and when the provider gives no time. */
            resolved_at: string | null;
            /** @description Whether trading has closed; null for source provider. */
            market_closed: boolean | null;
            /** @description The newest stored daily close of the outcome that the leg picks, in dollars per share, with four decimals. Not a quote. Null while none is stored. */
            pick_price_daily: number | null;
            /** @description The UTC day of that price, at its start; null without a price. */
            pick_price_as_of: string | null;
            /** @description UTC days from that day to today; null without a price. */
            pick_price_age_days: number | null;
            /** @description The provider's own status of the leg, verbatim; null when it gave none. */
            provider_leg_status: string | null;
        };
        /** @description Events of a combo other than fills, as far as recorded. */
        ComboLifecycleStats: {
            /** @description Number of splits. */
            splits: number;
            /** @description Number of merges. */
            merges: number;
            /** @description Number of redemptions. */
            redeems: number;
            /** @description Number of compressions, which drop resolved legs. */
            compresses: number;
            /** @description Dollars of the splits, an exact decimal; null when an event has no amount. */
            split_usdc: string | null;
            /** @description Dollars of the merges, an exact decimal; null when an event has no amount. */
            merge_usdc: string | null;
            /** @description Shares redeemed, an exact decimal; null when an event has no amount. */
            redeemed_shares: string | null;
            /** @description Dollars paid to redeemed shares, an exact decimal; null when an event has no amount. */
            redeemed_usdc: string | null;
            /** @description Dollars of the compressions, an exact decimal; null when an event has no amount. */
            compressed_usdc: string | null;
            /**
             * Format: date-time
             * @description Time of the newest event of any kind, UTC.
             */
            last_event_at: string;
        };
        /** @description Number of open combos. */
        ComboLiveCount: {
            /** @description Combos of status pending with a recorded fill. */
            count: number;
            /** @description Combos of status unknown with a recorded fill. They are not in `count`. */
            unknown_count: number;
            /**
             * Format: date-time
             * @description When the combos were counted, UTC.
             */
            computed_at: string;
        };
        /** @description A source of combos at the provider. */
        ComboSource: {
            /**
             * @description trade_feed: the provider's takers' trades, the source of fills. combo_reads: its legs and events.
             * @enum {string}
             */
            name: "trade_feed" | "combo_reads";
            /** @description When the source was last read, UTC; null before the first time. */
            as_of: string | null;
        };
        /** @description All recorded fills. */
        ComboTotals: {
            /** @description Number of fills. */
            fills: number;
            /** @description Sum of the fills, an exact decimal in dollars. */
            volume_usdc: string;
            /** @description The largest fill, an exact decimal in dollars. */
            largest_fill_usdc: string;
            /**
             * Format: date-time
             * @description Time of the first fill, UTC.
             */
            first_fill_at: string;
            /**
             * Format: date-time
             * @description Time of the last fill, UTC.
             */
            last_fill_at: string;
            /** @description `price_yes` of the last fill. Not a quote. Null when that is null. */
            last_fill_price_yes: string | null;
            /** @description Side of the last fill: 0 YES, 1 NO; null while unknown. */
            last_fill_outcome_index: number | null;
            /**
             * @description Whether the taker of the last fill bought or sold.
             * @enum {string}
             */
            last_fill_action: "buy" | "sell";
        };
        /** @description Recorded fills of the last 24 hours. */
        ComboWindowStats: {
            /** @description Number of fills. */
            fills: number;
            /** @description Sum of the fills, an exact decimal in dollars. */
            volume_usdc: string;
            /** @description Number of takers. */
            distinct_traders: number;
            /** @description The largest fill, an exact decimal in dollars. */
            largest_fill_usdc: string;
        };
        /** @description Counts over all combos. */
        CombosSummary: {
            /** @description Open combos; null while unknown, before combos have been read for the first time. */
            live: components["schemas"]["ComboLiveCount"] | null;
        };
        /** @description One help text about this product. */
        ContentSearchResult: {
            /** @description Unique id: kind and slug, separated by a colon. */
            content_id: string;
            /**
             * @description Kind of text.
             * @enum {string}
             */
            kind: "learn" | "glossary" | "comparison" | "research" | "strategy";
            /** @description Slug, unique within the kind. */
            slug: string;
            /** @description Title of the text. */
            title: string;
            /** @description Sentence of the text that matches the query best. */
            excerpt: string;
            /** @description URL of the text on the website. */
            url: string;
        };
        /** @description Counterparties of a large trade, as far as the recorded fills show them. */
        CounterpartyAnalysis: {
            /**
             * @description available: all executions are shown. partial: some are shown. unavailable: none can be shown.
             * @enum {string}
             */
            status: "available" | "partial" | "unavailable";
            /** @description Why executions are not shown, and what can be read instead. Left out when all are shown. */
            unavailable_reason?: string;
            /** @description Id of the recorded fills behind the analysis. Send it as snapshot_id to read further pages. */
            snapshot_id?: string;
            /** @description Id of the matching of these fills. Page cursors are valid for this analysis only. */
            analysis_id?: string;
            /** @description Number of taker orders behind the trade: one. */
            execution_count: number;
            /** @description Number of executions that can be shown. */
            available_execution_count: number;
            /** @description Number of executions that cannot be shown. */
            unavailable_execution_count: number;
            /** @description Executions of the trade: those whose log was read from the chain and whose fills add up. Empty while the analysis is unavailable: the executions are unknown, not absent. */
            executions: components["schemas"]["CounterpartyExecution"][];
            /** @description Executions that cannot be shown, with the known data of each. */
            unavailable_executions: components["schemas"]["CounterpartyUnavailableExecution"][];
            /** @description Cursor of the next page of executions. Left out when there is none. */
            executions_next_cursor?: string;
        };
        /** @description One settled taker order with its makers. */
        CounterpartyExecution: {
            /** @description Id of the execution within the trade. */
            execution_id: string;
            /**
             * @description Exchange contract that settled the execution.
             * @enum {string}
             */
            exchange_family: "ctf_v2" | "neg_risk_ctf_v2";
            /** @description Hash of the settlement transaction. */
            transaction_hash: string;
            /** @description Index of the OrdersMatched event among the logs of the block, starting at 0. */
            orders_matched_log_index: number;
            taker: components["schemas"]["CounterpartyParticipant"];
            /** @description The largest makers; more makers are on further pages. */
            makers: components["schemas"]["CounterpartyParticipant"][];
            /** @description Cursor of the next page of makers. Left out when there is none. */
            makers_next_cursor?: string;
        };
        /** @description One page of makers of an execution. */
        CounterpartyMakerPage: {
            /** @description Same value as in the analysis. */
            analysis_id: string;
            /** @description Same value as in the analysis. */
            snapshot_id: string;
            /** @description Id of the execution with these makers. */
            execution_id: string;
            /** @description Makers, largest share first. */
            items: components["schemas"]["CounterpartyParticipant"][];
            /** @description Cursor of the next page. Left out when there is none. */
            next_cursor?: string;
        };
        /** @description Shares of a participant with one match type. */
        CounterpartyMatchBreakdown: {
            /**
             * @description COMPLEMENTARY: one side bought the token that the other side sold. MINT: both bought, opposite tokens, and new shares were created. MERGE: both sold, opposite tokens, and shares were destroyed.
             * @enum {string}
             */
            match_type: "COMPLEMENTARY" | "MINT" | "MERGE";
            /** @description Number of fills with this match type. */
            maker_fill_count: number;
            /** @description Shares with this match type; exact, with six decimals. */
            filled_shares: string;
        };
        /** @description One participant of an execution. */
        CounterpartyParticipant: {
            /** @description Key of the participant within the execution. */
            counterparty_key: string;
            /** @description Address of the wallet that traded, lower case. */
            execution_wallet: string;
            /**
             * @description resolved: the wallet belongs to a known trader. infrastructure: it belongs to the exchange. unavailable: it is unknown.
             * @enum {string}
             */
            identity_status: "resolved" | "infrastructure" | "unavailable";
            /** @description The trader's trd_ id; left out while the wallet is unknown. */
            resolved_user_id?: string;
            /** @description Username on the provider; left out when there is none. */
            display_name?: string;
            /**
             * @description Current grade; left out when ungraded.
             * @enum {string}
             */
            grade?: "S" | "A" | "B" | "C" | "D" | "F";
            /**
             * Format: date-time
             * @description Time of the trader's last recorded fill, split, merge or conversion, UTC; left out when there is none.
             */
            last_traded_at?: string;
            /** @description Segment of the trader's profile URL: @username when the username is unique, else the wallet address. Left out for traders that are not tracked. */
            profile_segment?: string;
            /** @description Number of the participant's fills in the execution. */
            maker_fill_count: number;
            /** @description The participant's shares in the execution; exact, with six decimals. */
            filled_shares: string;
            /** @description The participant's own dollars; in a MINT or MERGE, those of the opposite token at the opposite price; exact, with six decimals. */
            filled_usdc: string;
            /** @description The participant's shares as a percentage of the whole execution, 0 to 100; exact, with six decimals. */
            share_pct: string;
            /** @description The participant's shares by match type. */
            match_breakdown: components["schemas"]["CounterpartyMatchBreakdown"][];
        };
        /** @description Known data of an execution that cannot be shown. */
        CounterpartyUnavailableExecution: {
            /** @description Id of the execution within the trade, as in the path of its makers. */
            id: string;
            /** @description Hash of the settlement transaction. */
            transaction_hash: string;
            /**
             * @description Why the execution is not shown. log_index_unknown: only the log index is unknown, because the chain was not read for this trade. exchange_not_listed: its exchange has no name in exchange_family. no_taker_fill: the taker's own fill is not recorded as a taker fill. no_maker_fills: no maker is recorded. missing_maker_fills: not all makers are recorded. surplus_maker_fills, several_taker_orders, unmatchable_fill: the recorded fills do not add up to one taker order.
             * @enum {string}
             */
            reason: "log_index_unknown" | "exchange_not_listed" | "several_taker_orders" | "no_taker_fill" | "no_maker_fills" | "missing_maker_fills" | "surplus_maker_fills" | "unmatchable_fill";
            /** @description Whether the makers can be read by the execution id. */
            makers_available: boolean;
            /** @description Number of makers; left out unless all makers are known. */
            maker_count?: number;
        };
        /** @description A new endpoint. Without `trade_filters`, every large trade is delivered if its event type is registered. */
        CreateWebhookRequest: {
            /** @description Name of the endpoint, chosen by you, 1 to 100 characters. */
            name: string;
            /**
             * Format: uri
             * @description URL to which events are posted: https, port 443, a public host, no user name or password, and different from the URLs of the account's other endpoints. Any other URL is 400.
             */
            url: string;
            /** @description Event types to deliver, at least one. Duplicates are removed. */
            event_types: components["schemas"]["WebhookEventType"][];
            trade_filters?: components["schemas"]["LargeTradeSubscriptionFilters"];
        };
        /** @description The token that the challenge sends to the receiver. */
        CreateWebhookVerificationAttemptRequest: {
            /** @description The token that was returned when the endpoint was created or its URL was changed. */
            verification_token: string;
        };
        /** @description Age and completeness of the response. */
        DataQuality: {
            /**
             * @description fresh: all groups are fresh. unavailable: all groups are unavailable. partial: any other combination. Untracked groups are ignored.
             * @enum {string}
             */
            status: "fresh" | "partial" | "unknown" | "untracked" | "unavailable";
            /**
             * Format: date-time
             * @description Oldest as_of of all groups, UTC. Left out when no group has one.
             */
            as_of?: string;
            /** @description Quality of each group of fields. */
            field_groups: components["schemas"]["DataQualityGroup"][];
        };
        /** @description Age and completeness of a group of fields. */
        DataQualityGroup: {
            /** @description Name of a group of fields that share one timestamp. Existing names do not change; new groups may be added. */
            group: string;
            /** @description Table and column that the fields come from. */
            owner: string;
            /**
             * @description fresh: complete, with the time in as_of. partial: a part is missing. unknown: present, but without a timestamp. untracked: the group has no single timestamp by design. unavailable: not present.
             * @enum {string}
             */
            status: "fresh" | "partial" | "unknown" | "untracked" | "unavailable";
            /**
             * Format: date-time
             * @description Time that the fields describe, UTC; never the time of this response. Left out without a timestamp.
             */
            as_of?: string;
            /** @description Reason for the status, as text. Left out when fresh. */
            reason?: string;
        };
        /** @description A watchlist that no longer exists. */
        DeletedWatchlist: {
            /** @description The list's wl_ id, for the filter `watchlist`. */
            id: string;
            /**
             * @description Always watchlist.
             * @constant
             */
            object: "watchlist";
            /**
             * @description Always true.
             * @constant
             */
            deleted: true;
        };
        /** @description One sport of the board: its rows, and where its markets ended. */
        EdgeBoardSport: {
            /**
             * @description The sport.
             * @enum {string}
             */
            sport: "Basketball" | "Football" | "Baseball" | "Hockey" | "MMA" | "Boxing" | "Soccer" | "Cricket" | "Golf" | "Tennis" | "Esports" | "Racing" | "Table Tennis" | "Pickleball";
            /** @description When the snapshot of games before kickoff was built, UTC. Null without a current snapshot of that kind. */
            pre_game_as_of: string | null;
            /** @description When the snapshot of live games was built, UTC. Null without a current snapshot of that kind. */
            in_play_as_of: string | null;
            /** @description Whether the snapshot of games before kickoff is partial. Null without a current snapshot of that kind. */
            pre_game_degraded: boolean | null;
            /** @description Whether the snapshot of live games is partial. Null without a current snapshot of that kind. */
            in_play_degraded: boolean | null;
            /** @description Signals of games that have not begun. Null without a current snapshot of that kind. */
            signals: number | null;
            /** @description Rows of the cohort wider_holder. Null without a current snapshot of that kind. */
            wider_holders: number | null;
            /** @description Rows of the cohort emerging_pile. Null without a current snapshot of that kind. */
            emerging_piles: number | null;
            /** @description Rows of the cohort in_play. Null without a current snapshot of that kind. */
            in_play: number | null;
            /** @description Where the sport's markets ended before kickoff. Null without a current snapshot of that kind. */
            pre_game_funnel: components["schemas"]["PreGameSideSportFunnelReport"] | null;
            /** @description Where the sport's markets ended among live games. Null without a current snapshot of that kind. */
            in_play_funnel: components["schemas"]["PreGameSideSportFunnelReport"] | null;
        };
        /** @description The shape of every failure, for every status. */
        Error: {
            /**
             * @description Always `error`; a success has another value.
             * @constant
             */
            object: "error";
            /** @description The failure. */
            error: {
                /**
                 * @description The kind of failure. Branch on it: the code of a given cause never changes.
                 * @enum {string}
                 */
                code: "bad_request" | "invalid_api_key" | "subscription_required" | "forbidden" | "insufficient_scope" | "not_found" | "request_timeout" | "account_locked" | "rate_limited" | "internal_error" | "rate_limit_unavailable";
                /** @description A description of the failure in English. Its wording may change. */
                message: string;
                /**
                 * Format: uri
                 * @description The documentation of this failure.
                 */
                doc_url?: string;
                /** @description The query parameter, path segment, header or body member at fault; null when there is none. */
                param: string | null;
                /** @description Distinguishes failures with the same code. Absent where the code is enough. */
                reason?: string;
                /**
                 * Format: date-time
                 * @description When to retry, UTC: the time that `Retry-After` refers to. Absent when a retry does not help.
                 */
                retry_at?: string;
                /** @description The age of the stored response. Only with reason `freshness_ceiling_unsatisfied`. */
                freshness?: {
                    /** @description The requested maximum age in seconds. */
                    max_age_s: number;
                    /** @description `data_quality.status` of the withheld response. */
                    data_quality_status: string;
                    /** @description Age of the withheld response in seconds. Absent when unknown. */
                    actual_age_s?: number;
                    /**
                     * Format: date-time
                     * @description `data_quality.as_of` of the withheld response, UTC. Absent when unknown.
                     */
                    as_of?: string;
                };
            };
            /** @description The same fields as on a success. */
            meta: components["schemas"]["ResponseMeta"];
        };
        /** @description One recorded event. */
        EventReplayEvent: {
            /** @description The event's ef_ id. The same id is the same trade, also after a restore of the database. */
            id: string;
            /**
             * @description A large trade was recorded.
             * @constant
             */
            type: "whale_trades_inserted";
            /** @description Cursor that continues directly after this event. */
            cursor: string;
            /** @description Row number of the trade. It is not the order of the events: events are sorted by when they became visible. */
            sequence: number;
            /**
             * Format: date-time
             * @description When the event was recorded, UTC.
             */
            published_at: string;
            /** @description Data of the event. */
            payload: {
                /** @description Number of trades in the event. */
                count: number;
                /** @description Row number of the trade: 81 is wt_81. */
                whale_alert_id: number;
                /** @description The provider's market id: 0x and 64 hex digits. */
                condition_id: string;
                /** @description Row number of the trader: 12 is trd_12. */
                trader_id: number;
                /**
                 * @description The provider.
                 * @constant
                 */
                platform: "polymarket";
            };
            /** @description The current large trade, as its own operation returns it; null when it no longer exists. Only with `expand=trade`. */
            trade?: components["schemas"]["LargeTrade"] | null;
            source: components["schemas"]["EventReplaySource"];
            freshness: components["schemas"]["EventReplayFreshness"];
        };
        /** @description How the event became known. */
        EventReplayFreshness: {
            /**
             * @description The event was observed, not derived later.
             * @constant
             */
            status: "observed";
            /**
             * Format: date-time
             * @description When the event was recorded, UTC.
             */
            observed_at: string;
        };
        /** @description Source of the event. */
        EventReplaySource: {
            /**
             * @description Replay of stored events.
             * @constant
             */
            kind: "local_durable_replay";
            /**
             * @description A constant of the format: the family of the events.
             * @constant
             */
            producer_family: "whale_trades";
            /**
             * @description A constant of the format: the stored large trades.
             * @constant
             */
            owner: "whale_alerts";
            /**
             * @description The response never calls the provider.
             * @constant
             */
            provider_fetch_at_request_time: false;
        };
        /** @description An exact amount that a JSON number could not represent. */
        ExactDecimal: {
            /** @description The amount as a plain decimal string with all digits. */
            value: string;
            /** @description Unit of the amount: USD, shares or USD/share. */
            unit: string;
            /** @description Number of digits after the decimal point. */
            scale: number;
            /** @description Basis of the computation, as text. */
            basis: string;
        };
        /** @description An event with several markets, or a standalone market. */
        ExploreEntry: components["schemas"]["ExploreGroup"] | components["schemas"]["ExploreStandalone"];
        /** @description One filter value. */
        ExploreFacetValue: {
            /** @description Value to send as the filter. */
            value: string;
            /** @description Label to display. */
            label: string;
            /** @description Number of entries in the whole list with this value. */
            count: number;
        };
        /** @description Filter values of the whole list, independent of the filters of this request. */
        ExploreFacets: {
            /** @description Categories with entries, the most frequent first. */
            categories: components["schemas"]["ExploreFacetValue"][];
            /** @description Platforms with markets in the list. */
            platforms: components["schemas"]["ExploreFacetValue"][];
        };
        /** @description An event with several markets. */
        ExploreGroup: {
            /**
             * @description Kind of the entry.
             * @constant
             */
            type: "group";
            /** @description The provider's URL slug of the event. */
            event_slug: string;
            /** @description Title of the event. */
            parent_title: string;
            /** @description URL of the picture of the event; null when there is none. */
            image: string | null;
            /** @description Platform where the market trades; null while unknown. */
            platform: "polymarket" | null;
            /** @description Category of the representative market, or of the event; null when neither is known. */
            category: string | null;
            /** @description Markets by volume, then by condition id; the first market represents the event. */
            markets: components["schemas"]["ExploreMarket"][];
            /** @description All-time volume of the representative market in dollars; null when unknown. */
            rep_volume: number | null;
            /** @description Number of large trades in the representative market; null when they were not counted. */
            rep_large_trades: number | null;
            /** @description The same figure under its old name. */
            rep_whales: number | null;
        };
        /** @description One market with the figures to rank it. */
        ExploreMarket: {
            /** @description The market's mkt_ id. */
            id: string;
            /** @description The provider's market id: 0x and 64 hex digits. */
            condition_id: string;
            /** @description The market's question. */
            title: string;
            /** @description The provider's URL slug; null while unknown. */
            slug: string | null;
            /** @description URL slug for links to the page of the market; null while unknown. */
            url_slug: string | null;
            /** @description URL of the picture; null when there is none. */
            image: string | null;
            /** @description URL of the icon; null when there is none. */
            icon: string | null;
            /** @description Market category; null when the provider's tags match no category. */
            category: string | null;
            /** @description Platform where the market trades; null while unknown. */
            platform: "polymarket" | null;
            /**
             * @description active: the market is trading. closed: trading has closed, the market has resolved, or its end time has passed without later quotes.
             * @enum {string}
             */
            status: "active" | "closed";
            /** @description All-time volume in dollars as last given by the provider; null when not given. */
            volume: number | null;
            /** @description Dollars in open orders of the books as last given by the provider; null when not given. */
            liquidity: number | null;
            /** @description Number of large trades detected in the market; null when they were not counted. */
            large_trade_count: number | null;
            /** @description The same figure under its old name. */
            whale_trade_count: number | null;
            /** @description Number of traders who made those large trades; null when they were not counted. */
            large_trade_distinct_wallets: number | null;
            /** @description The same figure under its old name. */
            whale_distinct_wallets: number | null;
            /** @description Total of those large trades in dollars; null when they were not counted. */
            large_trade_total_usd: number | null;
            /** @description The same figure under its old name. */
            whale_total_usd: number | null;
            /** @description Time of the newest large trade, UTC; null when there is none. */
            large_trade_last_at: string | null;
            /** @description The same figure under its old name. */
            whale_last_trade_at: string | null;
            /** @description Scheduled end of trading, UTC; null while unknown. */
            end_date: string | null;
            /** @description When the provider created the market, UTC; null while unknown. */
            created_at: string | null;
            /** @description Label of the first outcome; null while unknown. */
            outcome_yes: string | null;
            /** @description Token id of the first outcome, a decimal string; null while unknown. */
            token_id_yes: string | null;
            /** @description Label of the second outcome; null while unknown, and in markets with more than two outcomes. */
            outcome_no: string | null;
            /** @description Token id of the second outcome, a decimal string; null while unknown, and in markets with more than two outcomes. */
            token_id_no: string | null;
            /** @description The provider's URL slug of the event; null when there is none. */
            event_slug: string | null;
            /** @description Lean of the traders graded S, A or B, from -1 to 1: the fraction of their dollars on the first outcome minus the price of that outcome. 0.24 means 24 points above the price. Null below $500 and without a price. */
            smart_score: number | null;
            /** @description Number of traders graded S, A or B, with known history, who hold either side; null when unknown. */
            smart_count: number | null;
            /** @description Label of the outcome that smart_score leans to; null when the lean is below 10 points or unknown. */
            smart_label: string | null;
            /** @description The value of outcome_yes under another name. */
            outcome_yes_label: string | null;
            /** @description The value of outcome_no under another name. */
            outcome_no_label: string | null;
            /** @description Always null: the provider has no such number. */
            outcome_yes_provider_id: number | null;
            /** @description Always null: the provider has no such number. */
            outcome_no_provider_id: number | null;
            /** @description Open interest in dollars. Always null: it is not read from the provider. */
            open_interest: number | null;
            /** @description Change of the open interest in percent. Always null: it is not read from the provider. */
            oi_change_pct: number | null;
            /** @description Up to seven pairs for the first outcome, oldest first: the start of a UTC day with a trade in Unix seconds, and the last price of the day in dollars per share. Null when no price is known. */
            price_points: [
                number,
                number
            ][] | null;
            /** @description Up to seven pairs for the second outcome, oldest first: the start of a UTC day with a trade in Unix seconds, and the last price of the day in dollars per share. Null when no price is known. */
            no_price_points: [
                number,
                number
            ][] | null;
            /** @description Current price of the first outcome in dollars per share, 0 to 1, as in the market snapshot: the payout once resolved; otherwise the midpoint of best bid and ask when they are at most 0.10 apart; otherwise the last trade. Null when there is none of them. */
            last_price: number | null;
            /** @description Current price of the second outcome in dollars per share, 0 to 1; also null in markets with more than two outcomes. */
            no_last_price: number | null;
            /** @description Change of last_price within 24 hours, in percent of the price 24 hours ago. Null when that price is unknown. */
            change_pct_24h: number | null;
            /** @description Change of no_last_price within 24 hours, in percent of the price 24 hours ago. Null when that price is unknown. */
            no_change_pct_24h: number | null;
            /** @description Score of the entry in points, 0 to 5, and the order of sort=hot. Null on markets that do not represent their entry. */
            discover_score: number | null;
            /** @description Components of discover_score. Left out on markets that do not represent their entry. */
            score_components?: {
                /** @description All-time volume in dollars on a logarithmic scale, 1 at $10,000,000 or more. From 0 to 1; null when unknown. */
                volume_signal: number | null;
                /** @description Number of large trades on a logarithmic scale, 1 at 100 or more. From 0 to 1; null when unknown. */
                large_trade_signal: number | null;
                /** @description The same figure under its old name. From 0 to 1; null when unknown. */
                whale_signal: number | null;
                /** @description Liquidity in dollars on a logarithmic scale, 1 at $1,000,000 or more. From 0 to 1; null when unknown. */
                liquidity_signal: number | null;
                /** @description 1 at the time of the newest large trade, halved every 24 hours. From 0 to 1; null when unknown. */
                recency_signal: number | null;
                /** @description Absolute net flow in dollars of traders graded S, A and B over 24 hours on a logarithmic scale, 1 at $1,000,000 or more. From 0 to 1; null when unknown. */
                sharp_money_signal: number | null;
                /**
                 * @deprecated
                 * @description The same figure under its old name. From 0 to 1; null when unknown.
                 */
                smart_money_signal: number | null;
                /** @description Absolute price change in 24 hours, 1 at 20 points or more. Not part of discover_score. From 0 to 1; null when unknown. */
                price_move_signal: number | null;
                /** @description Points subtracted from discover_score: 0.5 without a price, otherwise 0. */
                missing_price_penalty: number;
            };
            /** @description Availability of the data of the market. */
            freshness: {
                /**
                 * @description Whether the market has been read from the provider.
                 * @enum {string}
                 */
                enrichment_status: "available" | "unavailable";
                /**
                 * @description Whether last_price is known.
                 * @enum {string}
                 */
                price_status: "available" | "unavailable";
            };
        };
        /** @description A standalone market. */
        ExploreStandalone: {
            /**
             * @description Kind of the entry.
             * @constant
             */
            type: "standalone";
            market: components["schemas"]["ExploreMarket"];
        };
        /** @description How far the trader's record is complete. */
        ExportCompleteness: {
            /**
             * @description complete: all activity is recorded. partial: see the reason. empty: no trade is recorded.
             * @enum {string}
             */
            status: "complete" | "partial" | "empty";
            /** @description Why. */
            reason: string;
            /** @description 1 once the trader's activity has been read to its end, 0 before. */
            sync_coverage: number;
        };
        /** @description What an export would have now. */
        ExportCounts: {
            /** @description UTC days with a booked entry. */
            pnl_days: number;
            /** @description Markets with a trade. */
            exported_markets: number;
            /** @description Trades that an export would have now. */
            estimated_trade_rows: number;
            /** @description Size of its JSON content in megabytes, estimated. */
            estimated_size_mb: number;
        };
        /** @description The time that the record covers. */
        ExportSourceRange: {
            /** @description First UTC day with a booked entry; null without one. */
            first_pnl_date: string | null;
            /** @description Last UTC day with a booked entry; null without one. */
            last_pnl_date: string | null;
            /** @description Newest recorded trade, UTC; null without one. */
            latest_trade_at: string | null;
            /** @description Newest recorded trade, split, merge or conversion, UTC; null without one. */
            latest_market_activity_at: string | null;
        };
        /** @description The volume of the export beside the provider's. */
        ExportVolumeReconciliation: {
            /** @description Null: the provider publishes its volume in shares, not in dollars. */
            provider_lifetime_volume: number | null;
            /** @description Buys and sells of the export, in dollars. */
            exported_activity_volume: number;
            /** @description Buys of the export, in dollars. */
            exported_market_cost_basis: number;
            /** @description Null: the provider publishes its volume in shares, not in dollars. */
            provider_activity_volume_gap: number | null;
            /** @description Null: the provider publishes its volume in shares, not in dollars. */
            activity_volume_coverage: number | null;
        };
        /** @description An addition to the contract. The signed manifest of the file: verify.mjs checks a download against it. Null: see proof_unavailable_reason. */
        FileProof: {
            /** @description The text that is signed: canonical JSON with the fields that docs/files.md names. */
            manifest: string;
            /** @description Ed25519 signature over the UTF-8 of the manifest, hex. */
            signature: string;
            /** @description The key that verifies the signature, hex. Compare it with a copy that you trust. */
            public_key: string;
        } | null;
        /** @description A sports game with its score and markets. */
        Game: {
            /**
             * @description Always game.
             * @constant
             */
            object: "game";
            /** @description The slug of the game's event, lower case. */
            event_slug: string;
            /** @description The provider's id of the game. */
            game_id?: string;
            /** @description Sport, as in `coverage.sports`. */
            sport?: string;
            /** @description League, as in `coverage.leagues`; left out for a sport that is covered as a whole. */
            league?: string;
            /** @description Title of the event; left out while unknown. */
            title?: string;
            /**
             * Format: date-time
             * @description Kickoff, UTC. A postponed game keeps its slug. Left out until the provider publishes it.
             */
            scheduled_at?: string;
            status: components["schemas"]["GameStatus"];
            /** @description Home first where there is a home side; empty while they are not known. */
            competitors: components["schemas"]["GameCompetitor"][];
            /** @description Esports only: the length of the series; left out elsewhere. */
            series_format?: string;
            /** @description Whether one of the markets pays on a draw. */
            draw_offered: boolean;
            /** @description Markets of the game, ordered by condition_id. */
            markets: components["schemas"]["GameMarket"][];
            freshness: components["schemas"]["GameFreshness"];
            coverage: components["schemas"]["GameCoverage"];
            /** @description Page of the game on the website. */
            url: string;
        };
        /** @description One side of a game. */
        GameCompetitor: {
            /** @description Name of the team or player. */
            name: string;
            /** @description The provider's id within the league; left out when there is none. */
            provider_id?: string;
            /** @description URL of the logo; left out when there is none. */
            logo?: string;
            /** @description Points; the games of each set, such as `6(3), 6, 2` with tie-break points in brackets; or the maps won. Left out while the score is unknown, or where the provider does not say whose number it is. */
            score?: string;
            /** @description Record of the season; left out when there is none. */
            record?: string;
        };
        /** @description Which parts of a game the provider has published. */
        GameCoverage: {
            /**
             * @description Whether the competitors have scores.
             * @enum {string}
             */
            scores: "available" | "unavailable";
            /**
             * @description Whether the competitors are known by the provider's ids, by names alone, or not.
             * @enum {string}
             */
            competitors: "provider_ids" | "labels" | "unavailable";
            /**
             * @description Whether the kickoff is known.
             * @enum {string}
             */
            schedule: "available" | "unavailable";
        };
        /** @description How old the data of a game is. */
        GameFreshness: {
            /**
             * @description The half of the board that the game belongs to: in play, or not.
             * @enum {string}
             */
            source: "live" | "upcoming";
            /**
             * @description Whether that half was read in the last 600 seconds.
             * @enum {string}
             */
            source_status: "ok" | "unavailable";
            /**
             * @description The same for the game's sport.
             * @enum {string}
             */
            source_availability: "available" | "unavailable" | "not_applicable";
            /**
             * @description fresh until the half is delayed; unknown after 600 seconds.
             * @enum {string}
             */
            source_freshness: "fresh" | "stale" | "unknown" | "not_applicable";
            /**
             * Format: date-time
             * @description When the half was last read completely, UTC; left out before the first time.
             */
            source_observed_at?: string;
            /** @description Age of that read in seconds; left out above 600. */
            source_age_seconds?: number;
            /** @description Whether the age is above 15 seconds (live) or 120 seconds (upcoming). */
            delayed: boolean;
            /**
             * Format: date-time
             * @description When the score was last read, UTC; left out before.
             */
            scores_observed_at?: string;
            /**
             * Format: date-time
             * @description The provider's own time of the score, UTC; left out where it sends none.
             */
            scores_source_at?: string;
        };
        /** @description A market of a game. */
        GameMarket: {
            /** @description The market's mkt_ id. */
            id: string;
            /** @description The provider's market id: 0x and 64 hex digits. */
            condition_id: string;
            /**
             * @description The provider.
             * @constant
             */
            platform: "polymarket";
            /** @description The provider's URL slug; left out while unknown. */
            slug?: string;
            /** @description Type of the market in the provider's terms; left out while unknown. */
            sports_market_type?: string;
            /**
             * @description What the first outcome pays on. home is the first competitor, away the second. Left out when nothing says it.
             * @enum {string}
             */
            side?: "home" | "away" | "draw" | "other";
            /** @description Label of the first outcome; left out while unknown. */
            outcome_yes?: string;
            /** @description Label of the second outcome; left out while unknown. */
            outcome_no?: string;
            /** @description Token ids by outcome; left out until they exist. */
            outcome_token_ids?: string[];
            prices?: components["schemas"]["GameMarketPrices"];
        };
        /**
         * @description How the outcomes of the market were bound to the sides of the game.
         * @enum {string}
         */
        GameMarketPriceBindingProvenance: "provider_ids" | "exact_labels" | "containment_labels" | "elimination";
        /** @description The price of one side of a game. */
        GameMarketPriceCompetitor: {
            /** @description The side's id at the provider; left out when there is none. */
            provider_id?: number;
            /** @description Label of the side's outcome. */
            label: string;
            /** @description Dollars per share, 0 to 1, not rounded. */
            price: number;
            /**
             * @description gamma_outcome_prices: the provider's listed price. clob_display: the price of the live order book.
             * @enum {string}
             */
            price_provenance: "gamma_outcome_prices" | "clob_display";
        };
        /** @description A market whose prices cannot be paired yet. */
        GameMarketPriceIncomplete: {
            /**
             * @description A part of the prices is missing.
             * @constant
             */
            state: "incomplete";
            /**
             * @description What is missing.
             * @enum {string}
             */
            reason: "outcome_prices_missing" | "outcome_price_leg_missing" | "zero_price_sentinel" | "display_price_pair_unavailable" | "outcome_identity_unavailable" | "final_score_unavailable";
            /** @description Whether the first outcome pays on the first competitor; left out while unknown. */
            competitor_a_is_yes?: boolean;
            /** @description Id of the first competitor at the provider; left out while unknown. */
            competitor_a_provider_id?: number;
            /** @description Id of the second competitor at the provider; left out while unknown. */
            competitor_b_provider_id?: number;
            binding_provenance?: components["schemas"]["GameMarketPriceBindingProvenance"];
        };
        /** @description A market whose prices must not be used. */
        GameMarketPriceInvalid: {
            /**
             * @description The provider's data contradict themselves.
             * @constant
             */
            state: "invalid";
            /**
             * @description The contradiction.
             * @enum {string}
             */
            reason: "team_cardinality" | "outcome_cardinality" | "price_cardinality" | "non_finite_price" | "out_of_range_price" | "non_complementary_prices" | "ambiguous_identity" | "final_identity_mismatch";
            /** @description Whether the first outcome pays on the first competitor; left out while unknown. */
            competitor_a_is_yes?: boolean;
            /** @description Id of the first competitor at the provider; left out while unknown. */
            competitor_a_provider_id?: number;
            /** @description Id of the second competitor at the provider; left out while unknown. */
            competitor_b_provider_id?: number;
            binding_provenance?: components["schemas"]["GameMarketPriceBindingProvenance"];
        };
        /** @description Prices of both sides, in the order of the competitors. */
        GameMarketPricePaired: {
            /**
             * @description Both sides have a price.
             * @constant
             */
            state: "paired";
            competitor_a: components["schemas"]["GameMarketPriceCompetitor"];
            competitor_b: components["schemas"]["GameMarketPriceCompetitor"];
            /** @description Whether the first outcome pays on the first competitor. */
            competitor_a_is_yes: boolean;
            binding_provenance: components["schemas"]["GameMarketPriceBindingProvenance"];
        };
        /** @description Prices of a moneyline. */
        GameMarketPrices: {
            provider: components["schemas"]["GameMarketProviderPrices"];
            /** @description Time of the older of both prices, UTC; null while there is no reliable time. */
            observed_at: string | null;
            /**
             * @description Whether `observed_at` is the time of the provider's market object or of its order books.
             * @enum {string}
             */
            observation_source: "board_snapshot" | "clob_display";
        };
        /** @description The provider's prices of both sides, or why there are none. */
        GameMarketProviderPrices: components["schemas"]["GameMarketPricePaired"] | components["schemas"]["GameMarketPriceIncomplete"] | components["schemas"]["GameMarketPriceInvalid"];
        /** @description What the provider says about the course of a game. */
        GameStatus: {
            /**
             * @description State of the game by the provider's own word. paused is halftime or another break. A game whose kickoff has passed is not live for that alone: an hour after its kickoff, without a sign of play, it is unknown.
             * @enum {string}
             */
            state: "scheduled" | "live" | "paused" | "ended" | "postponed" | "cancelled" | "suspended" | "delayed" | "unknown";
            /**
             * @description The provider's status, normalised; left out while there is none.
             * @enum {string}
             */
            match_status?: "scheduled" | "in_progress" | "halftime" | "penalty_shootout" | "delayed" | "suspended" | "final" | "final_overtime" | "final_shootout" | "awarded" | "forfeit" | "not_necessary" | "postponed" | "cancelled" | "unknown";
            /** @description The provider's status as sent; left out while there is none. */
            provider_status?: string;
            /** @description The provider's label of the current part; left out while unknown. */
            period?: string;
            /** @description The game clock as the provider writes it; left out while unknown. */
            clock?: string;
            /** @description The provider's in-play flag; left out before the first score. */
            live?: boolean;
            /** @description Whether the game is over. */
            ended: boolean;
        };
        /** @description What this deployment covers. */
        GamesCoverage: {
            /** @description Sports with games on the board, sorted. */
            sports: string[];
            /** @description Leagues with games on the board, sorted. */
            leagues: string[];
            /** @description Halves of the board that were not read in the last 600 seconds, as sport:half; empty when all were. */
            sources_unavailable: string[];
        };
        /** @description State of the service. Contains no job names and no error details. */
        Health: {
            /**
             * @description ok: everything works. degraded: reads work, but the cache, webhooks or a background job does not work or is paused, or the database lacks a migration. down: the database fails, or no background job that should run is healthy. maintenance: a planned window without probes, in which nothing is reported as failed.
             * @enum {string}
             */
            status: "ok" | "degraded" | "down" | "maintenance";
            /** @description Whether the database responded within three seconds. */
            db: boolean;
            /** @description Whether the cache responded within three seconds. Reads also work without it, but more slowly. */
            cache: boolean;
            /** @description State of the parts behind the reads. */
            subsystems: {
                /** @description Whether events are enqueued for webhooks: false while an event has waited for more than a minute. */
                webhook_compatibility: boolean;
                /** @description Whether the database has every migration that this release needs. While it has not, reads work and background jobs pause. Also false while the database does not respond. */
                database_schema: boolean;
                /** @description The jobs that read the provider and update the figures. */
                background_jobs: {
                    /**
                     * @description ok: all jobs are healthy. degraded: some are unhealthy or paused. down: no job that should run is healthy. not_checked: the heartbeats were not read.
                     * @enum {string}
                     */
                    status: "ok" | "degraded" | "down" | "not_checked";
                    /** @description Whether the heartbeats were read. If false, only `total` is known and the other counts are 0. */
                    checked: boolean;
                    /** @description Number of jobs. */
                    total: number;
                    /** @description Jobs that have succeeded within three of their intervals. */
                    healthy: number;
                    /** @description Jobs whose last success is older than that. */
                    stale: number;
                    /** @description Jobs that have never succeeded. */
                    missing: number;
                    /** @description Jobs whose last success is in the future. */
                    invalid: number;
                    /** @description Heartbeats of jobs that do not exist in this release. Not included in the total. */
                    unconfigured: number;
                    /** @description Jobs that are switched off, or lack a key that they need. They are in no other count. */
                    paused: number;
                };
            };
        };
        /** @description How and how often to export. */
        LargeExportPolicy: {
            /**
             * @description Exports are files of jobs.
             * @constant
             */
            mode: "v1_async_export";
            /** @description This operation. */
            current_internal_route: string;
            /** @description How to export. */
            v1_async: {
                /** @description Submits an export (POST). */
                submit_route: string;
                /** @description Its status. */
                status_route: string;
                /** @description Its file (302). */
                download_route: string;
                /** @description Cancels it (POST). */
                cancel_route: string;
                /** @description Formats of the contract. */
                formats: ("json" | "ndjson" | "csv")[];
                /** @description Formats that are an addition to the contract. */
                added_formats: "parquet"[];
                /** @description Statuses of a job. */
                status_values: ("queued" | "running" | "cancel_requested" | "reconcile_required" | "ready" | "failed" | "expired" | "cancelled")[];
                /** @description How long a file can be downloaded. */
                retention: string;
            };
            /** @description Exports in the response itself. */
            direct_streaming: {
                /**
                 * @description There is none.
                 * @constant
                 */
                available: false;
            };
            /** @description Limits of a job. */
            async_job: {
                /** @description Attempts before a job fails. */
                max_attempts: number;
                /** @description Longest time for reading the trades. */
                max_read_seconds: number;
                /** @description Largest content of a file. */
                max_content_bytes: number;
            };
            /** @description Quotas. Cancelled and failed jobs count. */
            rate_limit: {
                /** @description Exports and datasets of an account a day. */
                submits_per_day: number;
                /** @description Exports of one trader an hour. */
                submits_per_trader_per_hour: number;
            };
        };
        /** @description The position of one trader in one market, both outcomes together. */
        LargePosition: {
            /** @description pos_ followed by the address, the condition id and the index of the most valuable outcome, separated by colons. */
            id: string;
            /**
             * @description The provider of the market.
             * @constant
             */
            platform: "polymarket";
            /** @description Value of the shares of the most valuable outcome, in dollars; omitted while that outcome has no price. */
            total_size_usd?: number;
            /** @description Value minus cost of that outcome, in dollars; omitted with its value. */
            position_unrealized_pnl?: number;
            /** @description Value of the trader's shares in both outcomes, in dollars. Omitted when one of the outcomes has no price; the list then ranks the position by the other one. */
            combined_value_usd?: number;
            /** @description Value minus cost of both outcomes, in dollars; omitted with the combined value. */
            combined_unrealized_pnl?: number;
            /** @description Whether the trader has shares of both outcomes. */
            is_two_sided: boolean;
            /** @description One entry per outcome, the most valuable first. The figures of the first entry are repeated beside this list. */
            holdings: {
                /** @description 0 is YES, 1 is NO. */
                outcome_index: number;
                /** @description Name of the outcome; omitted while unknown. */
                outcome_label?: string;
                /** @description Token id of the outcome, a decimal string; null while unknown. */
                token_id: string | null;
                /** @description Open shares. */
                share_count: number;
                /** @description Average cost in dollars per share, with four decimals. */
                avg_entry_price?: number;
                /** @description Current price of the outcome in dollars per share, 0 to 1, as in the market snapshot; omitted while the outcome has no price. */
                current_price?: number;
                /** @description Value of the shares in dollars; omitted while the outcome has no price. */
                value_usd?: number;
                /** @description Value minus cost, in dollars; omitted with the value. */
                unrealized_pnl?: number;
            }[];
            /** @description Open shares. */
            share_count: number;
            /** @description Average cost in dollars per share, with four decimals. */
            avg_entry_price?: number;
            /** @description Current price of the outcome in dollars per share, 0 to 1, as in the market snapshot; omitted while the outcome has no price. */
            current_price?: number;
            /** @description Name of the outcome; omitted while unknown. */
            outcome_label?: string;
            /** @description Token id of the outcome, a decimal string; null while unknown. */
            token_id: string | null;
            /** @description Number of large positions of the trader in markets of the same event whose most valuable outcome is on the same side, this one included; at least 1. */
            event_leg_count: number;
            /** @description Combined value of those positions in dollars; omitted when one of their outcomes has no price. */
            event_total_value_usd?: number;
            /**
             * Format: date-time
             * @description Start of its current uninterrupted presence on the list, UTC.
             */
            first_seen_at: string;
            /**
             * Format: date-time
             * @description Last change of its shares, or of its prices at the time of a scan, UTC.
             */
            last_updated_at: string;
            /** @description The trader of the position. */
            trader: {
                /** @description The trader's trd_ id. */
                id: string;
                /** @description The trader's wallet address, lower case. */
                address: string;
                /** @description Username on the provider; left out when there is none. */
                username?: string;
                /**
                 * @description The trader's grade when the list was built, about a minute ago.
                 * @enum {string}
                 */
                grade?: "S" | "A" | "B" | "C" | "D" | "F";
                /** @description Fraction from 0 to 1: profitable markets among resolved markets with a profit or a loss. Omitted when there is no such market, or while unknown. */
                win_rate?: number;
                /** @description Realized plus unrealized profit of the trader, in dollars. Omitted while an open position has no price, or while unknown. */
                pnl?: number;
                /** @description Markets in which the trader ever had shares. Omitted while unknown. */
                markets_traded?: number;
                completeness: components["schemas"]["TrustCompleteness"];
            };
            /** @description The market of the position. */
            market: {
                /** @description The market's mkt_ id. */
                id: string;
                /** @description The provider's market id: 0x and 64 hex digits. */
                condition_id: string;
                /** @description The market's question; omitted until the market has been read. */
                title?: string;
                /** @description The provider's URL slug; left out while unknown. */
                slug?: string;
                /** @description The provider's URL slug of the event; left out while unknown. */
                event_slug?: string;
                /** @description Market category; left out when the provider's tags match no category. */
                category?: string;
            };
        };
        /** @description One large taker order. */
        LargeTrade: {
            /** @description The trade's wt_ id. */
            id: string;
            /**
             * Format: date-time
             * @description Settlement time, UTC, to the second.
             */
            traded_at: string;
            /** @description Dollars paid or received by the taker, without fees. */
            size_usd: number;
            /**
             * @description Whether the taker bought or sold.
             * @enum {string}
             */
            side: "BUY" | "SELL";
            /** @description Label of the traded outcome; null in markets with more than two outcomes, and until the market is read from the provider. */
            outcome: string | null;
            /** @description Token id of the outcome, a decimal string; null while unknown. */
            token_id: string | null;
            /** @description Dollars per share, 0 to 1: the average over the order. */
            price: number;
            /** @description How much the trade deserves a review; not a probability, from 0 to 1. */
            review_score: number;
            /** @description The value of review_score under its old name, from 0 to 1. */
            signal_score: number;
            /** @description review_score at the time the trade was captured, from 0 to 1. It never changes; null when it was not recorded. */
            recorded_review_score: number | null;
            /** @description The value of recorded_review_score under its old name. */
            recorded_signal_score: number | null;
            /** @description How strongly the trade suggests inside knowledge, points from 0 to 100. Null while it is not assessed, and when it matches no pattern; suspicion_status distinguishes the two. */
            suspicion_score: number | null;
            /** @description Pattern behind the score. whale: the size of the trade. fresh_conviction: a new trader who put most of the money on an open outcome. sliced_position: one purchase split into many. Null when suspicion_score is null. */
            suspicion_track: ("whale" | "fresh_conviction" | "sliced_position") | null;
            /**
             * @description scored: the trade has a suspicion_score. nothing_found: the trade was assessed from the recorded data and matches no pattern. not_judged: the trade is not assessed yet, because the activity before it has not been read.
             * @enum {string}
             */
            suspicion_status: "scored" | "nothing_found" | "not_judged";
            /** @description Shares of the trade as a fraction, from 0 to 1, of all shares traded in the market until then; left out when not all of those are recorded. */
            market_volume_share?: number;
            /** @description The taker. */
            trader: {
                /** @description The trader's trd_ id. */
                id: string;
                /** @description The trader's wallet address, lower case. */
                address: string;
                /** @description Username on the provider; left out when there is none. */
                username?: string;
                /**
                 * @description Current grade; left out when ungraded. S is the best, F the worst.
                 * @enum {string}
                 */
                grade?: "S" | "A" | "B" | "C" | "D" | "F";
                /** @description Grade that was published at the time of the trade; null unless grade_at_trade_status is graded. S is the best, F the worst. */
                grade_at_trade: ("S" | "A" | "B" | "C" | "D" | "F") | null;
                /**
                 * @description graded: the trader had a grade. ungraded: the trader was rated without a grade. unknown: nothing was published about the trader at that time.
                 * @enum {string}
                 */
                grade_at_trade_status: "graded" | "ungraded" | "unknown";
            };
            /** @description The market. */
            market: {
                /** @description The market's mkt_ id. */
                id: string;
                /** @description The provider's market id: 0x and 64 hex digits. */
                condition_id: string;
                /** @description The market's question; its slug or condition id until the market is read from the provider. */
                title: string;
                /** @description The provider's URL slug; left out while unknown. */
                slug?: string;
                /** @description Market category; left out when the provider's tags match no category. */
                category?: string;
            };
        };
        /** @description One large trade with its known counterparties. */
        LargeTradeDetail: {
            /** @description The trade's wt_ id. */
            id: string;
            /**
             * Format: date-time
             * @description Settlement time, UTC, to the second.
             */
            traded_at: string;
            /** @description Dollars paid or received by the taker, without fees. */
            size_usd: number;
            /**
             * @description Whether the taker bought or sold.
             * @enum {string}
             */
            side: "BUY" | "SELL";
            /** @description Label of the traded outcome; null in markets with more than two outcomes, and until the market is read from the provider. */
            outcome: string | null;
            /** @description Token id of the outcome, a decimal string; null while unknown. */
            token_id: string | null;
            /** @description Dollars per share, 0 to 1: the average over the order. */
            price: number;
            /** @description How much the trade deserves a review; not a probability, from 0 to 1. */
            review_score: number;
            /** @description The value of review_score under its old name, from 0 to 1. */
            signal_score: number;
            /** @description review_score at the time the trade was captured, from 0 to 1. It never changes; null when it was not recorded. */
            recorded_review_score: number | null;
            /** @description The value of recorded_review_score under its old name. */
            recorded_signal_score: number | null;
            /** @description How strongly the trade suggests inside knowledge, points from 0 to 100. Null while it is not assessed, and when it matches no pattern; suspicion_status distinguishes the two. */
            suspicion_score: number | null;
            /** @description Pattern behind the score. whale: the size of the trade. fresh_conviction: a new trader who put most of the money on an open outcome. sliced_position: one purchase split into many. Null when suspicion_score is null. */
            suspicion_track: ("whale" | "fresh_conviction" | "sliced_position") | null;
            /**
             * @description scored: the trade has a suspicion_score. nothing_found: the trade was assessed from the recorded data and matches no pattern. not_judged: the trade is not assessed yet, because the activity before it has not been read.
             * @enum {string}
             */
            suspicion_status: "scored" | "nothing_found" | "not_judged";
            /** @description Shares of the trade as a fraction, from 0 to 1, of all shares traded in the market until then; left out when not all of those are recorded. */
            market_volume_share?: number;
            /** @description The taker. */
            trader: {
                /** @description The trader's trd_ id. */
                id: string;
                /** @description The trader's wallet address, lower case. */
                address: string;
                /** @description Username on the provider; left out when there is none. */
                username?: string;
                /**
                 * @description Current grade; left out when ungraded. S is the best, F the worst.
                 * @enum {string}
                 */
                grade?: "S" | "A" | "B" | "C" | "D" | "F";
                /** @description Grade that was published at the time of the trade; null unless grade_at_trade_status is graded. S is the best, F the worst. */
                grade_at_trade: ("S" | "A" | "B" | "C" | "D" | "F") | null;
                /**
                 * @description graded: the trader had a grade. ungraded: the trader was rated without a grade. unknown: nothing was published about the trader at that time.
                 * @enum {string}
                 */
                grade_at_trade_status: "graded" | "ungraded" | "unknown";
            };
            /** @description The market. */
            market: {
                /** @description The market's mkt_ id. */
                id: string;
                /** @description The provider's market id: 0x and 64 hex digits. */
                condition_id: string;
                /** @description The market's question; its slug or condition id until the market is read from the provider. */
                title: string;
                /** @description The provider's URL slug; left out while unknown. */
                slug?: string;
                /** @description Market category; left out when the provider's tags match no category. */
                category?: string;
            };
            counterparty_analysis: components["schemas"]["CounterpartyAnalysis"];
        };
        /** @description Filters on the trades that large_trade_inserted_v2 delivers. A trade must match all given filters; {} matches every trade. At most one of wallet, wallets and watchlist. Other events are not filtered. */
        LargeTradeSubscriptionFilters: {
            /** @description Only trades of this market: its condition id or mkt_ id. All markets when omitted. */
            condition_id?: string;
            /** @description Only trades of the trader with this wallet address, case-insensitive. All traders when omitted. */
            wallet?: string;
            /** @description Only trades of these wallet addresses, 1 to 25, case-insensitive. All traders when omitted; an empty array is 400. */
            wallets?: string[];
            /** @description Only trades of the wallets in this watchlist of the account, as the list is when the delivery is created. An empty list matches no trade. An id that is not a watchlist of this account is 400. */
            watchlist?: string;
            /**
             * @description Only trades of traders with this grade or a better one when the event was published; ungraded traders never match. All traders when omitted.
             * @enum {string}
             */
            min_grade?: "S" | "A" | "B" | "C" | "D" | "F";
            /** @description Minimum trade size in dollars, compared in cents (half a cent rounds up): a decimal string above 0 with up to six decimals. All sizes when omitted. */
            min_size_usd?: string;
        };
        /** @description One ranked trader. The rank is the position in the list. */
        LeaderboardEntry: {
            /** @description The trader's trd_ id. */
            id: string;
            /** @description The trader's wallet address, lower case. */
            address: string;
            /** @description Username on the provider; left out when there is none. */
            username?: string;
            /**
             * @description Skill grade when the ranking was built; S is the best. Only S, A and B are ranked.
             * @enum {string}
             */
            grade: "S" | "A" | "B";
            /**
             * @description Recent form: the last seven days compared with all active traders; left out for inactive traders.
             * @enum {string}
             */
            streak_tier?: "hot" | "rising" | "neutral" | "cooling" | "cold";
            /** @description Skill score when the ranking was built, 0 to 100; 50 is exactly what the prices paid imply. */
            score: number;
            /** @description Dollars: the provider's all-time profit figure. Left out when the provider's leaderboard does not rank the trader. */
            pnl?: number;
            /** @description Dollars: realized profit in ordinary markets by our own accounting, with known fees; rebates count in the overall ranking only. */
            realized_pnl?: number;
            /** @description Difference between the provider's profit figures and ours where both can be measured. Left out when nothing can be measured, or when rounding explains the difference. */
            pnl_correction?: {
                /**
                 * @description The definition of the correction. realized_by_market_v1: our realized profit minus the provider's, summed over the markets in which the provider's position rows and our ledger agree on the shares bought and on the open shares. Our realized profit uses average cost, values open shares of a resolved market at their payout, and excludes fees on both sides.
                 * @enum {string}
                 */
                basis: "realized_by_market_v1";
                /** @description Our realized profit minus the provider's over the measured markets, in dollars; negative when the provider overstates. */
                amount: number;
                /** @description Our realized profit in the measured markets, in dollars, excluding fees. */
                realized?: number;
                /**
                 * Format: date-time
                 * @description Time at which the provider's positions were read, UTC.
                 */
                as_of: string;
                /** @description Number of compared markets. */
                markets_measured: number;
                /** @description Number of markets that are known to either side and could not be compared. */
                markets_excluded: number;
            };
            /** @description Dollars: purchases and sales over the whole history; in a category ranking, those in the category. */
            volume?: number;
            /** @description Markets in which the trader ever held shares; in a category ranking, those in the category. */
            markets_traded?: number;
            /** @description Fraction from 0 to 1: resolved markets with a profit, of all resolved markets with a profit or a loss. Covers all categories whatever the filter; markets with unknown profit are excluded. Left out while no market is decided. */
            win_rate?: number;
            /**
             * @description Trading style, which says nothing about skill; left out when too little is known.
             * @enum {string}
             */
            strategy_type?: "accumulator" | "algo_trader" | "arbitrageur" | "category_focused" | "directional" | "diversified" | "event_driven" | "high_activity" | "market_maker" | "mixed" | "momentum" | "scalper" | "speculator" | "swing_trader" | "two_sided" | "unclassified";
            completeness: components["schemas"]["TrustCompleteness"];
            /**
             * @description Platform where the trader trades.
             * @constant
             */
            platform: "polymarket";
            /**
             * Format: date-time
             * @description Time of the last recorded fill, split, merge or conversion, UTC; left out when there is none.
             */
            last_active?: string;
        };
        /** @description A pick that the caller's plan does not open before it settles. */
        LockedPick: {
            /** @description Position within the product day, from 1. Use pick_id as the identity. */
            pick_rank: number;
            /**
             * @description Plan that opens the pick: insider is Pro.
             * @enum {string}
             */
            required_tier: "insider" | "max";
        };
        /** @description Prices of the outcomes of one market over time. */
        MarketCandles: {
            /** @description The provider's market id: 0x and 64 hex digits. */
            condition_id: string;
            /**
             * @description Length of a bucket: 1d is a UTC day, 1w is an ISO week that starts on Monday.
             * @enum {string}
             */
            resolution: "1d" | "1w";
            /** @description YES, then NO. Empty until the market's tokens are known, and for a market with more than two outcomes. */
            outcomes: components["schemas"]["OutcomeCandles"][];
        };
        /** @description Net flow of large trades in one market within a time window. */
        MarketFlow: {
            /** @description The market. */
            market: {
                /** @description The market's mkt_ id. */
                id: string;
                /** @description The provider's market id: 0x and 64 hex digits. */
                condition_id: string;
                /** @description The market's question; its slug or condition id until the market is read from the provider. */
                title: string;
                /** @description The provider's URL slug; null while unknown. */
                slug: string | null;
                /** @description Market category; null when the provider's tags match no category. */
                category: string | null;
                /** @description Platform where the market trades; null while unknown. */
                platform: "polymarket" | null;
            };
            /** @description Net flow of every recorded large trade in the market within the timeframe, by any trader. */
            sharp_money: {
                /** @description Dollars: net flow toward YES. Buying YES and selling NO add; buying NO and selling YES subtract. */
                net_flow_usd: number;
                /**
                 * @description Side of the net flow: NO only when the exact net flow is below 0. At 0, for example without trades, YES is only a tie-break.
                 * @enum {string}
                 */
                direction: "YES" | "NO";
                /** @description Token id of that side; null while unknown. */
                token_id: string | null;
                /** @description Number of large trades counted. */
                large_trade_count: number;
                /** @description The value of large_trade_count under its old name. */
                whale_trade_count: number;
                /** @description Dollars: all purchases of either outcome. */
                buy_volume_usd: number;
                /** @description Dollars: all sales of either outcome. */
                sell_volume_usd: number;
                /** @description The most valuable current positions of graded traders with known history, independent of the timeframe. */
                top_positions: {
                    /** @description pos_ followed by wallet address, condition id and outcome index (0 YES, 1 NO), separated by colons. */
                    id: string;
                    /** @description The trader's wallet address, lower case. */
                    address: string;
                    /** @description Username on the provider; null when there is none. */
                    username: string | null;
                    /** @description The trader's current grade, S best and F worst; null when ungraded. */
                    grade: ("S" | "A" | "B" | "C" | "D" | "F") | null;
                    /**
                     * @description Outcome of the position.
                     * @enum {string}
                     */
                    side: "YES" | "NO";
                    /** @description Token id of the outcome, a decimal string; null while unknown. */
                    token_id: string | null;
                    /** @description Dollars: value of the shares at the current price of the outcome, as in the market snapshot. */
                    size_usd: number;
                }[];
                /** @description Oldest confirmation time of the entries of top_positions, UTC. A position is confirmed by the last complete read of the trader's activity, or by its newest fill. Null when the list is empty. */
                oldest_snapshot_as_of: string | null;
            };
            /** @description The same object under its old name. */
            smart_money: {
                /** @description Dollars: net flow toward YES. Buying YES and selling NO add; buying NO and selling YES subtract. */
                net_flow_usd: number;
                /**
                 * @description Side of the net flow: NO only when the exact net flow is below 0. At 0, for example without trades, YES is only a tie-break.
                 * @enum {string}
                 */
                direction: "YES" | "NO";
                /** @description Token id of that side; null while unknown. */
                token_id: string | null;
                /** @description Number of large trades counted. */
                large_trade_count: number;
                /** @description The value of large_trade_count under its old name. */
                whale_trade_count: number;
                /** @description Dollars: all purchases of either outcome. */
                buy_volume_usd: number;
                /** @description Dollars: all sales of either outcome. */
                sell_volume_usd: number;
                /** @description The most valuable current positions of graded traders with known history, independent of the timeframe. */
                top_positions: {
                    /** @description pos_ followed by wallet address, condition id and outcome index (0 YES, 1 NO), separated by colons. */
                    id: string;
                    /** @description The trader's wallet address, lower case. */
                    address: string;
                    /** @description Username on the provider; null when there is none. */
                    username: string | null;
                    /** @description The trader's current grade, S best and F worst; null when ungraded. */
                    grade: ("S" | "A" | "B" | "C" | "D" | "F") | null;
                    /**
                     * @description Outcome of the position.
                     * @enum {string}
                     */
                    side: "YES" | "NO";
                    /** @description Token id of the outcome, a decimal string; null while unknown. */
                    token_id: string | null;
                    /** @description Dollars: value of the shares at the current price of the outcome, as in the market snapshot. */
                    size_usd: number;
                }[];
                /** @description Oldest confirmation time of the entries of top_positions, UTC. A position is confirmed by the last complete read of the trader's activity, or by its newest fill. Null when the list is empty. */
                oldest_snapshot_as_of: string | null;
            };
            /** @description Time window up to now: 1h, 4h, 24h or 7d. */
            timeframe: string;
        };
        /** @description One graded holder of the market. */
        MarketHolder: {
            /** @description pos_ followed by wallet address, condition id and outcome index (0 YES, 1 NO), separated by colons. */
            id: string;
            /** @description The trader's trd_ id. */
            trader_id: string;
            /** @description The trader's wallet address, lower case. */
            address: string;
            /** @description Username on the provider; null when there is none. */
            name: string | null;
            /**
             * @description Outcome of which the trader holds more shares; YES when both are equal. A trader who holds both is listed once.
             * @enum {string}
             */
            side: "YES" | "NO";
            /** @description Token id of that outcome; null while unknown. */
            token_id: string | null;
            /** @description The trader's current grade: S, A or B; never null in this list. */
            grade: ("S" | "A" | "B") | null;
            /** @description Shares of that outcome, with four decimals. */
            shares: number;
            /** @description Dollars: value of those shares at the current price of the outcome, as in the market snapshot; null while it has no price. */
            current_value_usd: number | null;
            /** @description Shares of the other outcome; left out when there are none, with four decimals. */
            other_outcome_shares?: number;
            /** @description Time of the trader's last recorded purchase or sale in this market, UTC; null when there is none. */
            last_traded_at: string | null;
            /** @description wins divided by decided, a fraction from 0 to 1. Left out unless category_win_rate_status is measured. */
            category_win_rate?: number;
            /** @description Counts behind category_win_rate. Left out unless category_win_rate_status is measured. */
            category_win_record?: {
                /** @description Settled markets with a profit. */
                wins: number;
                /** @description Settled markets with a profit or a loss. */
                decided: number;
            };
            /** @description Esports title of the record, when at least five of its markets were decided. Otherwise left out, and the record is that of the category. */
            category_win_rate_game?: string;
            /**
             * @description measured: at least five decided markets. not_enough_data: fewer than five. unavailable: the market has no category, or the trader's whole history is not known.
             * @enum {string}
             */
            category_win_rate_status: "measured" | "not_enough_data" | "unavailable";
            /** @description Whole days since the trader's first trade; null when unknown. One of five badge fields, which are present together and only for a new wallet or a bot. */
            wallet_age_days?: number | null;
            /** @description Whether the first trade was less than 30 days ago. One of five badge fields, which are present together and only for a new wallet or a bot. */
            is_new_wallet?: boolean;
            /** @description Number of different markets traded; null when they were not counted. One of five badge fields, which are present together and only for a new wallet or a bot. */
            markets_traded?: number | null;
            /** @description Whether the trader has traded 10,000 markets or more. One of five badge fields, which are present together and only for a new wallet or a bot. */
            is_bot?: boolean;
            /** @description Always null: it is not recorded. One of five badge fields, which are present together and only for a new wallet or a bot. */
            x_username?: string | null;
        };
        /** @description The market of the holders. */
        MarketHoldersMarket: {
            /** @description The market's mkt_ id. */
            id: string;
            /** @description The provider's market id: 0x and 64 hex digits. */
            condition_id: string;
            /** @description The market's question; null until the market is read from the provider. */
            title: string | null;
            /** @description The provider's URL slug; left out while unknown. */
            slug?: string;
            /** @description The provider's URL slug of the event; left out when there is none. */
            event_slug?: string;
            /** @description Market category, used for category_win_rate; null when the provider's tags match no category. */
            category: string | null;
            /** @description Label of the first outcome; null while unknown. */
            outcome_yes: string | null;
            /** @description Label of the second outcome; null while unknown. */
            outcome_no: string | null;
            /** @description Token id of the first outcome, a decimal string; null while unknown. */
            token_id_yes: string | null;
            /** @description Token id of the second outcome, a decimal string; null while unknown. */
            token_id_no: string | null;
            /**
             * Format: date-time
             * @description Scheduled end of trading, UTC; left out while unknown.
             */
            end_date?: string;
            /**
             * @description open: the market is trading. closed: trading is over, or the end time has passed without later quotes, and the result is not known yet. resolved: the result is known.
             * @enum {string}
             */
            status: "open" | "closed" | "resolved";
        };
        /** @description The scan of all holders behind the list. */
        MarketHoldersScan: {
            /**
             * @description cached: a stored scan, at most 180 seconds old. live: a scan made for this request, which is never used.
             * @enum {string}
             */
            source: "cached" | "live";
            /** @description Always true: without a complete scan the operation returns an error. */
            complete: boolean;
            /** @description Start of the scan, UTC; no row is older. Never null. */
            fetched_at: string | null;
            /** @description Wallets with at least a tenth of a share of any outcome, graded or not. */
            wallet_count: number;
        };
        /** @description Sums over all graded holders, independent of the outcome and min_grade filters. */
        MarketHoldersTotals: {
            /** @description Traders graded S, A or B; a trader who holds both outcomes counts once. */
            graded_count: number;
            /** @description Graded traders listed on the YES side. */
            yes_count: number;
            /** @description Graded traders listed on the NO side. */
            no_count: number;
            /** @description YES shares of the traders on the YES side, with four decimals. */
            yes_shares: number;
            /** @description NO shares of the traders on the NO side, with four decimals. */
            no_shares: number;
            /** @description Dollars: value of yes_shares at the current price of YES; 0 while YES has no price, and current_value_usd is then null in each row. */
            yes_usd: number;
            /** @description Dollars: value of no_shares at the current price of NO; 0 while NO has no price, and current_value_usd is then null in each row. */
            no_usd: number;
            /** @description Traders on the YES side by grade. */
            yes_grades: {
                /** @description Traders graded S. */
                s: number;
                /** @description Traders graded A. */
                a: number;
                /** @description Traders graded B. */
                b: number;
            };
            /** @description Traders on the NO side by grade. */
            no_grades: {
                /** @description Traders graded S. */
                s: number;
                /** @description Traders graded A. */
                a: number;
                /** @description Traders graded B. */
                b: number;
            };
        };
        /** @description One market in the search results. */
        MarketSearchResult: {
            /** @description The market's mkt_ id. */
            id: string;
            /** @description The provider's market id: 0x and 64 hex digits. */
            condition_id: string;
            /** @description The market's question. */
            title: string;
            /** @description The provider's URL slug; null when there is none. */
            slug: string | null;
            /** @description Market category; null when the provider's tags match no category. */
            category: string | null;
            /** @description Platform where the market trades; null while unknown. */
            platform: "polymarket" | null;
            /**
             * @description active: the market is trading. closed: trading has closed, the market has resolved, or its end time has passed without later quotes.
             * @enum {string}
             */
            status: "active" | "closed";
        };
        /** @description One market with the last read prices of its outcomes. */
        MarketSnapshot: {
            /** @description The provider's data about the market. */
            market: {
                /** @description The market's mkt_ id. */
                id: string;
                /** @description The provider's market id: 0x and 64 hex digits. */
                condition_id: string;
                /** @description Platform where the market trades. */
                provider: string;
                /** @description The market's question; null until the market is read from the provider. */
                title: string | null;
                /** @description The provider's URL slug; null while unknown. */
                slug: string | null;
                /** @description URL slug for links to the page of the market; null while unknown. */
                page_slug: string | null;
                /** @description The provider's URL slug of the event; null when there is none. */
                event_slug: string | null;
                /** @description Market category; null when the provider's tags match no category. */
                category: string | null;
                /**
                 * @description active: the market is trading. closed: trading has closed, the market has resolved, or its end time has passed without later quotes.
                 * @enum {string}
                 */
                status: "active" | "closed";
                /** @description The provider's resolution rules; null while unknown. */
                description: string | null;
                /** @description URL of the picture; null when there is none. */
                image: string | null;
                /** @description URL slug of the league or series, never of a single match; null when there is none. */
                series_slug: string | null;
                /** @description Market type as given by the provider; null when not given. */
                market_type: string | null;
                /** @description Label of the winning outcome, or each payout in percent for a split payout; null while unresolved. */
                market_result: string | null;
                /** @description When the provider created the market, UTC; null while unknown. */
                created_at: string | null;
                /** @description Scheduled end of trading, UTC; null while unknown. */
                end_date: string | null;
                /** @description When the market resolved, UTC; null before that, and when the provider gives no time. */
                resolved_at: string | null;
            };
            /** @description yes, then no. Empty until the tokens are known, and for a market with more than two outcomes. */
            outcomes: {
                /**
                 * @description yes: the first outcome. no: the second outcome.
                 * @enum {string}
                 */
                side: "yes" | "no";
                /** @description The provider's label of the outcome; Yes or No while unknown. */
                label: string;
                /** @description Token id of the outcome, a decimal string; left out while unknown. */
                token_id?: string;
                /** @description Dollars per share, 0 to 1: the payout once the market has resolved; otherwise the midpoint of best bid and ask when they are at most 0.10 apart; otherwise the price of the last trade; left out when there is none. When the exact prices of both outcomes add up to one dollar, the shown prices do too. */
                current_price?: number;
                top_of_book: components["schemas"]["MarketSnapshotTopOfBook"];
            }[];
            /** @description Volume and liquidity. */
            liquidity: {
                /** @description Source of the figures: gamma_market is the provider's market record. */
                source: string;
                /** @description Dollars of all-time volume, as last given by the provider; null when not given. */
                volume_usd: number | null;
                /** @description Dollars in open orders of the books, as last given by the provider; null when not given. */
                liquidity_usd: number | null;
                /** @description Dollars of volume within 24 hours, as last given by the provider; null when not given. */
                volume_24h_usd: number | null;
                /** @description Dollars per share. Always null: prices are in `outcomes`. */
                last_price: number | null;
            };
            /** @description Live score of a sports market. */
            sports: {
                /**
                 * @description Status of the live score. Always unavailable: live scores are not covered.
                 * @enum {string}
                 */
                status: "fresh" | "stale" | "not_live" | "unavailable";
                /** @description Source of the live score; always none. */
                source: string;
                /** @description Why the data is missing or not fresh, as text. Left out when it is available and fresh. */
                reason?: string;
            };
            /** @description Age of each part. */
            freshness: {
                /** @description Freshness of `market` and `liquidity`. */
                market_data: components["schemas"]["MarketSnapshotFreshness"];
                /** @description Freshness of the quotes: that of the outcome that becomes stale first. */
                top_of_book: components["schemas"]["MarketSnapshotFreshness"];
                /** @description Freshness of the live score. */
                live_sports: components["schemas"]["MarketSnapshotFreshness"];
            };
            trust?: components["schemas"]["MarketSnapshotTrust"];
        };
        /** @description Age of one part of the snapshot. */
        MarketSnapshotFreshness: {
            /**
             * @description fresh: read within stale_after_s. stale: read earlier, or from before a result that is awaited. available: present without a timestamp. not_live: final, because the market has resolved. unavailable: not present.
             * @enum {string}
             */
            status: "fresh" | "stale" | "available" | "not_live" | "unavailable";
            /** @description Source of the data: clob_book is the order book, gamma_market is the provider's market record. */
            source: string;
            /**
             * Format: date-time
             * @description When the data was read, UTC; left out when it was not read.
             */
            as_of?: string;
            /** @description Seconds for which the data counts as fresh; left out without a timestamp. */
            stale_after_s?: number;
            /** @description Why the data is missing or not fresh, as text. Left out when it is available and fresh. */
            reason?: string;
        };
        /** @description Best quotes of one outcome. */
        MarketSnapshotTopOfBook: {
            /**
             * @description available: at least one side has a quote. unavailable: neither side has a quote.
             * @enum {string}
             */
            status: "available" | "unavailable";
            /** @description Source of the data: clob_book is the order book, gamma_market is the provider's market record. */
            source: string;
            /** @description Dollars per share, 0 to 1: best bid, the highest price of a buyer; left out when there is none. */
            best_bid?: number;
            /** @description Dollars per share, 0 to 1: best ask, the lowest price of a seller; left out when there is none. */
            best_ask?: number;
            /** @description Ask minus bid, divided by their midpoint, in basis points (364 is 3.64 percent); left out unless both exist. */
            spread_bps?: number;
            /** @description Dollars in orders at the best bid; left out when not read. */
            bid_depth_usdc?: number;
            /** @description Dollars in orders at the best ask; left out when not read. */
            ask_depth_usdc?: number;
            /** @description Why the data is missing or not fresh, as text. Left out when it is available and fresh. */
            reason?: string;
        };
        /** @description With expand=trust: trust of both outcomes together, partial when only one has the value. */
        MarketSnapshotTrust: {
            current_price: components["schemas"]["TrustMetadata"];
            spread_bps: components["schemas"]["TrustMetadata"];
        };
        /** @description A JSON-RPC 2.0 request, or a notification without an id. */
        McpJsonRpcRequest: {
            /**
             * @description The version of JSON-RPC.
             * @constant
             */
            jsonrpc: "2.0";
            /** @description Chosen by the client. A notification has none. */
            id?: string | number | null;
            /** @description The method of the protocol. */
            method: string;
            /** @description The parameters of the method. */
            params?: Record<string, never>;
        };
        /** @description A JSON-RPC 2.0 response: a result, or an error. */
        McpJsonRpcResponse: {
            /**
             * @description The version of JSON-RPC.
             * @constant
             */
            jsonrpc: "2.0";
            /** @description The id of the request; null when it had none that could be read. */
            id: string | number | null;
            /** @description The result of the method. A failed tool call is a result with `isError`. */
            result?: Record<string, never>;
            /** @description A protocol error. */
            error?: {
                /** @description The code of JSON-RPC or of the protocol. */
                code: number;
                /** @description A description in English. */
                message: string;
                /** @description Facts about the error. */
                data?: unknown;
            };
        };
        /** @description Candles of one outcome. */
        OutcomeCandles: {
            /** @description Token id of the outcome, a decimal string. */
            token_id: string;
            /**
             * @description YES is the first outcome of the market, NO the second.
             * @enum {string}
             */
            outcome: "YES" | "NO";
            /** @description Candles, oldest first. A bucket without a trade has no prices and is left out. */
            candles: components["schemas"]["Candle"][];
        };
        /** @description A trader graded S or A who held the backed side at publication. */
        PickHolder: {
            /** @description The trader's wallet address, lower case. */
            address: string;
            /** @description Username on the provider; null when there is none. */
            name: string | null;
            /**
             * @description Grade at publication.
             * @enum {string}
             */
            grade: "S" | "A";
            /** @description The trader's last recorded fill, split, merge or conversion in any market, read with the request; null when none is known. */
            last_traded_at: string | null;
            /** @description Net shares of the backed side at publication. */
            shares: number;
            /** @description Dollars: those shares at the backed price. */
            entry_value_usd: number;
        };
        /** @description The day's open picks. The fields of the first one are repeated at the top; they are left out while none is open. */
        PickOfTheDay: {
            /**
             * @description full: the pick is open to the caller.
             * @enum {string}
             */
            state: "full";
            /**
             * Format: date
             * @description Product day: the date of the kickoff in US Eastern time.
             */
            pick_date: string;
            /** @description Position within the product day, from 1. Use pick_id as the identity. */
            pick_rank?: number;
            /** @description The pick's stable id, an integer as text. */
            pick_id?: string;
            /** @description Order of publication within the product day, from 1. */
            publication_order?: number;
            /** @description Whether this is the day's free selection, which every account opens. */
            is_free_selection?: boolean;
            /** @description The pick that this one replaces. Always null: picks are not replaced. */
            supersedes_pick_id: string | null;
            /** @description The game. */
            matchup?: string;
            /** @description Sport of the game. */
            category?: string;
            /** @description League of the game; its sport when the league is unknown. */
            display_category?: string;
            /**
             * @description Platform of the market.
             * @constant
             */
            platform?: "polymarket";
            /**
             * Format: date-time
             * @description When the pick is released: one hour before the kickoff.
             */
            release_at?: string;
            /** @description Whether the pick is under embargo. False: it is released. */
            is_locked?: boolean;
            /** @description Whether the game has begun: its current schedule has passed, or it is reported as live or ended. */
            game_started?: boolean;
            /** @description Whether the game is reported as ended; left out while unknown. */
            game_ended?: boolean;
            /**
             * @description Result of the pick. void: the market paid neither side in full.
             * @enum {string}
             */
            outcome?: "pending" | "win" | "loss" | "void";
            /** @description The result as text. */
            outcome_display?: string;
            /** @description The backed side. */
            pick_outcome_label?: string;
            /** @description Token of the backed side; left out when unknown. */
            token_id?: string;
            /** @description The backed side as a sentence. */
            position?: string;
            /** @description Who backs the side, at publication. */
            side_summary?: string;
            /** @description Traders graded S or A on the backed side at publication. */
            sharp_wallet_count?: number;
            /** @description The same as sharp_wallet_count. */
            traders?: number;
            /** @description The same as sharp_wallet_count. */
            holder_count?: number;
            /**
             * @description Best grade among them.
             * @enum {string}
             */
            top_grade?: "S" | "A";
            /** @description Dollars that they held on the backed side, net of their other side. */
            sharp_usd?: number;
            /** @description Dollars: the same as sharp_usd. */
            backed_sharp_usd?: number;
            /** @description Their dollars on the backed side, as a fraction of their dollars on both sides. */
            sharp_pct?: number;
            /** @description Probability that the price implies, 0 to 1: the backed price. */
            market_pct?: number;
            /** @description Price of the backed side, 0 to 1: the midpoint of the book, frozen at publication. */
            backed_price?: number;
            /** @description The backed price in cents. */
            odds_display?: string;
            /** @description Dollars: the stake of every figure below. */
            stake_usd?: number;
            /** @description Dollars that the stake returns if the side wins: stake / price. */
            return_usd?: number;
            /** @description Dollars that 100 dollars return if the side wins. */
            return_per_100?: number;
            /** @description return_usd as text. */
            payout_display?: string;
            /** @description return_usd less the stake as text. */
            profit_display?: string;
            /**
             * @description Closing price: pending until the kickoff; unavailable when no price was read in the ten minutes before it; not_applicable when the pick was published at the kickoff or later.
             * @enum {string}
             */
            clv_status?: "pending" | "measured" | "unavailable" | "not_applicable";
            /**
             * @description The entry price that the closing price is compared with.
             * @enum {string}
             */
            clv_basis?: "frozen_displayed_entry";
            /** @description Closing-line value in percent: (close / entry - 1) × 100; left out unless measured. */
            clv_pct?: number;
            /** @description clv_pct as text; left out unless measured. */
            clv_display?: string;
            /** @description What clv_status means. */
            clv_explanation?: string;
            /** @description Pure number: stakes won or lost, return / stake - 1; left out until the pick settles. */
            unit_score?: number;
            /** @description unit_score as text; left out until the pick settles. */
            unit_score_display?: string;
            /** @description Those traders, most shares first; at most 20. */
            holders?: components["schemas"]["PickHolder"][];
            /** @description Why the pick was made, from a fixed template. */
            thesis?: string;
            /** @description The provider's URL slug of the game; left out while unknown. */
            event_slug?: string;
            /** @description What the pick is not. */
            disclaimer?: string;
            /** @description The open picks, by rank. */
            picks: components["schemas"]["PickOfTheDayItem"][];
            /** @description Number of open picks. */
            pick_count: number;
            /** @description Picks that the caller will open, not yet released. */
            scheduled_picks: components["schemas"]["ScheduledPickSlot"][];
            /** @description Picks that the caller opens, released and not yet readable. */
            proof_pending_picks: components["schemas"]["ProofPendingPickSlot"][];
            /** @description Unsettled picks that need a higher plan. */
            locked_picks: components["schemas"]["LockedPick"][];
            /** @description Next release of a pick that the caller opens; left out when none is scheduled. */
            next_drop_deadline?: string;
        };
        /** @description Published picks and their record. Withdrawn picks are left out. */
        PickOfTheDayArchive: {
            /** @description This page's picks: newest day first, then by rank. */
            picks: components["schemas"]["PickOfTheDayArchiveEntry"][];
            /** @description All days, newest first, on every page. */
            days: components["schemas"]["PickOfTheDayArchiveDay"][];
            hit_rate: components["schemas"]["PickOfTheDayHitRate"];
        };
        /** @description One product day with a published pick. */
        PickOfTheDayArchiveDay: {
            /**
             * Format: date
             * @description Product day: the date of the kickoff in US Eastern time.
             */
            date: string;
            /** @description Published picks of the day. */
            picks: number;
            /** @description Won. */
            wins: number;
            /** @description Lost. */
            losses: number;
            /** @description Void. */
            void: number;
            /** @description Not settled. */
            pending: number;
            /** @description Pure number: stakes won or lost on the day's decided picks; left out without any. */
            unit_score?: number;
            /** @description unit_score as text. */
            unit_score_display?: string;
            /**
             * @description All decided picks had this result: three or more of them, and none pending. Left out otherwise.
             * @enum {string}
             */
            sweep?: "win" | "loss";
        };
        /** @description One published pick. */
        PickOfTheDayArchiveEntry: {
            /**
             * Format: date
             * @description Product day: the date of the kickoff in US Eastern time.
             */
            pick_date: string;
            /** @description Position within the product day, from 1. Use pick_id as the identity. */
            pick_rank: number;
            /** @description The pick's stable id, an integer as text. */
            pick_id: string;
            /** @description Order of publication within the product day, from 1. */
            publication_order: number;
            /** @description Whether this is the day's free selection, which every account opens. */
            is_free_selection: boolean;
            /** @description The pick that this one replaces. Always null: picks are not replaced. */
            supersedes_pick_id: string | null;
            /**
             * Format: date-time
             * @description When the pick was published; left out while locked.
             */
            published_at?: string;
            /** @description The game; left out while locked. */
            matchup?: string;
            /** @description Sport of the game; left out while locked. */
            category?: string;
            /** @description League, or the sport; left out while locked. */
            display_category?: string;
            /** @description Image of the market; left out while locked or without one. */
            image_url?: string;
            /** @description The backed side; left out while locked. */
            pick_outcome_label?: string;
            /**
             * @description Best grade among the holders at publication; left out while locked.
             * @enum {string}
             */
            top_grade?: "S" | "A";
            /**
             * @description Result of the pick. void: the market paid neither side in full.
             * @enum {string}
             */
            outcome: "pending" | "win" | "loss" | "void";
            /** @description The result as text. */
            outcome_display: string;
            /**
             * Format: date-time
             * @description When the result was last recorded; left out while pending.
             */
            resolved_at?: string;
            /** @description Dollars staked; with return_usd. */
            stake_usd?: number;
            /** @description Dollars returned: stake / price, 0 or the stake; left out while pending. */
            return_usd?: number;
            /** @description Dollars returned by 100 dollars; with return_usd. */
            return_per_100?: number;
            /** @description return_usd as text. */
            payout_display?: string;
            /** @description Entry price, 0 to 1; with return_usd. */
            backed_price?: number;
            /** @description Closing-line value in percent; left out unless measured. */
            clv_pct?: number;
            /** @description clv_pct as text. */
            clv_display?: string;
            /** @description Entry price, 0 to 1; with clv_pct. */
            clv_entry_price?: number;
            /** @description Last price before the kickoff, 0 to 1; with clv_pct. */
            clv_close_price?: number;
            /**
             * @description not_applicable: published at the kickoff or later. Left out while locked.
             * @enum {string}
             */
            clv_applicability?: "applicable" | "not_applicable";
            /**
             * @description Whether the closing price is known; left out while locked.
             * @enum {string}
             */
            clv_status?: "pending" | "measured" | "unavailable" | "not_applicable";
            /** @description What clv_status means. */
            clv_explanation?: string;
            /** @description Pure number: stakes won or lost, return / stake - 1; left out while pending. */
            unit_score?: number;
            /** @description unit_score as text. */
            unit_score_display?: string;
            /**
             * @description Plan that opens the pick while it is pending: account is any, insider is Pro. Left out once settled.
             * @enum {string}
             */
            required_tier?: "account" | "insider" | "max";
            /** @description True while the caller's plan does not open the pick; left out otherwise. */
            backed_side_locked?: boolean;
        };
        /** @description What was committed to. Its compact JSON in this order of keys, as UTF-8, is what was hashed. */
        PickOfTheDayCommitmentPayload: {
            /** @description Backed price with its stored decimals. */
            backed_price: string;
            /** @description The market's condition id. */
            condition_id: string;
            /** @description Kickoff in whole seconds. */
            kickoff: string;
            /**
             * Format: date
             * @description Product day: the date of the kickoff in US Eastern time.
             */
            pick_date: string;
            /** @description Index of the backed outcome. */
            pick_outcome_index: number;
            /** @description The backed side. */
            pick_outcome_label: string;
            /** @description Position within the product day, from 1. Use pick_id as the identity. */
            pick_rank: number;
            /**
             * @description Platform of the market.
             * @constant
             */
            platform: "polymarket";
        };
        /** @description The picks of one product day. */
        PickOfTheDayData: components["schemas"]["PickOfTheDay"] | components["schemas"]["PickOfTheDayNoEntitledPicks"];
        /** @description The record of all published picks that were not withdrawn. */
        PickOfTheDayHitRate: {
            /** @description Won. */
            wins: number;
            /** @description Lost. */
            losses: number;
            /** @description Won and lost. */
            decided: number;
            /** @description Won of decided in percent, truncated to one decimal; 0 when none is decided. */
            pct: number;
            /** @description Void; not part of the hit rate. */
            void: number;
            /** @description Not settled; not part of the hit rate. */
            pending: number;
            /** @description Dollars: the stake of every pick. */
            stake_usd: number;
            /** @description Dollars won less dollars lost, at the frozen prices. */
            net_profit_usd: number;
            /** @description Dollars staked on decided picks. */
            staked_usd: number;
            /** @description net_profit_usd / staked_usd in percent, truncated to one decimal; 0 when nothing is staked. */
            roi_pct: number;
            /** @description net_profit_usd in whole dollars. */
            net_profit_display: string;
            /** @description roi_pct as text. */
            roi_display: string;
            /** @description pct as text. */
            win_rate_display: string;
            /** @description Pure number: stakes won or lost; left out when none is decided. */
            unit_score?: number;
            /** @description unit_score as text. */
            unit_score_display?: string;
            /**
             * @description measured: some closing prices are known; otherwise the state of the settled picks; none without any.
             * @enum {string}
             */
            clv_state: "measured" | "pending" | "unavailable" | "not_applicable" | "none";
            /** @description Settled picks. */
            clv_total: number;
            /** @description Settled picks that were published before the kickoff. */
            clv_eligible: number;
            /** @description The same as clv_eligible. */
            clv_applicable: number;
            /** @description Settled picks that were published at the kickoff or later. */
            clv_not_applicable: number;
            /** @description Settled picks with a closing price. */
            clv_measured: number;
            /** @description Settled picks whose kickoff has not come. */
            clv_pending: number;
            /** @description Settled picks without a price in the ten minutes before the kickoff. */
            clv_unavailable: number;
            /** @description clv_measured / clv_applicable in percent; left out when that is 0 / 0. */
            clv_coverage_pct?: number;
            /** @description clv_coverage_pct as text. */
            clv_coverage_display?: string;
            /** @description Mean closing-line value in percent; left out with fewer than 5 measured. */
            clv_avg_pct?: number;
            /** @description clv_avg_pct as text. */
            clv_avg_display?: string;
            /** @description Mean of close less entry, in points; left out with fewer than 5 measured. */
            clv_avg_pp?: number;
            /** @description clv_avg_pp as text. */
            clv_avg_pp_display?: string;
            /** @description Measured picks whose closing price is above the entry price. */
            clv_beats_close: number;
            /** @description Measured picks whose closing price equals the entry price. */
            clv_ties: number;
            /** @description One point for each decided pick, oldest first. The last one equals the figures above. */
            series: components["schemas"]["PickOfTheDaySeriesPoint"][];
        };
        /** @description One open pick. Everything but the result is frozen at publication. */
        PickOfTheDayItem: {
            /**
             * @description full: the pick is open to the caller.
             * @enum {string}
             */
            state: "full";
            /**
             * Format: date
             * @description Product day: the date of the kickoff in US Eastern time.
             */
            pick_date: string;
            /** @description Position within the product day, from 1. Use pick_id as the identity. */
            pick_rank: number;
            /** @description The pick's stable id, an integer as text. */
            pick_id: string;
            /** @description Order of publication within the product day, from 1. */
            publication_order: number;
            /** @description Whether this is the day's free selection, which every account opens. */
            is_free_selection: boolean;
            /** @description The pick that this one replaces. Always null: picks are not replaced. */
            supersedes_pick_id: string | null;
            /** @description The game. */
            matchup: string;
            /** @description Sport of the game. */
            category: string;
            /** @description League of the game; its sport when the league is unknown. */
            display_category: string;
            /**
             * @description Platform of the market.
             * @constant
             */
            platform: "polymarket";
            /**
             * Format: date-time
             * @description When the pick is released: one hour before the kickoff.
             */
            release_at: string;
            /** @description Whether the pick is under embargo. False: it is released. */
            is_locked: boolean;
            /** @description Whether the game has begun: its current schedule has passed, or it is reported as live or ended. */
            game_started: boolean;
            /** @description Whether the game is reported as ended; left out while unknown. */
            game_ended?: boolean;
            /**
             * @description Result of the pick. void: the market paid neither side in full.
             * @enum {string}
             */
            outcome: "pending" | "win" | "loss" | "void";
            /** @description The result as text. */
            outcome_display: string;
            /** @description The backed side. */
            pick_outcome_label: string;
            /** @description Token of the backed side; left out when unknown. */
            token_id?: string;
            /** @description The backed side as a sentence. */
            position: string;
            /** @description Who backs the side, at publication. */
            side_summary: string;
            /** @description Traders graded S or A on the backed side at publication. */
            sharp_wallet_count: number;
            /** @description The same as sharp_wallet_count. */
            traders: number;
            /** @description The same as sharp_wallet_count. */
            holder_count: number;
            /**
             * @description Best grade among them.
             * @enum {string}
             */
            top_grade: "S" | "A";
            /** @description Dollars that they held on the backed side, net of their other side. */
            sharp_usd: number;
            /** @description Dollars: the same as sharp_usd. */
            backed_sharp_usd: number;
            /** @description Their dollars on the backed side, as a fraction of their dollars on both sides. */
            sharp_pct: number;
            /** @description Probability that the price implies, 0 to 1: the backed price. */
            market_pct: number;
            /** @description Price of the backed side, 0 to 1: the midpoint of the book, frozen at publication. */
            backed_price: number;
            /** @description The backed price in cents. */
            odds_display: string;
            /** @description Dollars: the stake of every figure below. */
            stake_usd: number;
            /** @description Dollars that the stake returns if the side wins: stake / price. */
            return_usd: number;
            /** @description Dollars that 100 dollars return if the side wins. */
            return_per_100: number;
            /** @description return_usd as text. */
            payout_display: string;
            /** @description return_usd less the stake as text. */
            profit_display: string;
            /**
             * @description Closing price: pending until the kickoff; unavailable when no price was read in the ten minutes before it; not_applicable when the pick was published at the kickoff or later.
             * @enum {string}
             */
            clv_status: "pending" | "measured" | "unavailable" | "not_applicable";
            /**
             * @description The entry price that the closing price is compared with.
             * @enum {string}
             */
            clv_basis: "frozen_displayed_entry";
            /** @description Closing-line value in percent: (close / entry - 1) × 100; left out unless measured. */
            clv_pct?: number;
            /** @description clv_pct as text; left out unless measured. */
            clv_display?: string;
            /** @description What clv_status means. */
            clv_explanation: string;
            /** @description Pure number: stakes won or lost, return / stake - 1; left out until the pick settles. */
            unit_score?: number;
            /** @description unit_score as text; left out until the pick settles. */
            unit_score_display?: string;
            /** @description Those traders, most shares first; at most 20. */
            holders: components["schemas"]["PickHolder"][];
            /** @description Why the pick was made, from a fixed template. */
            thesis: string;
            /** @description The provider's URL slug of the game; left out while unknown. */
            event_slug?: string;
            /** @description What the pick is not. */
            disclaimer: string;
        };
        /** @description The commitment ledger. Withdrawn picks stay in it. */
        PickOfTheDayLedger: {
            /** @description Every published pick, by product day and rank. */
            entries: components["schemas"]["PickOfTheDayLedgerEntry"][];
            /** @description Number of entries. */
            entry_count: number;
            /** @description Sealed entries. */
            sealed_count: number;
            /** @description Opened entries. */
            opened_count: number;
            /** @description Uncommitted entries. */
            uncommitted_count: number;
        };
        /** @description A published pick in its state. */
        PickOfTheDayLedgerEntry: components["schemas"]["PickOfTheDayLedgerSealedEntry"] | components["schemas"]["PickOfTheDayLedgerOpenedEntry"] | components["schemas"]["PickOfTheDayLedgerUncommittedEntry"];
        /** @description A commitment that anyone can check. */
        PickOfTheDayLedgerOpenedEntry: {
            /**
             * @description opened: settled, with its payload and nonce.
             * @constant
             */
            state: "opened";
            /**
             * Format: date
             * @description Product day: the date of the kickoff in US Eastern time.
             */
            pick_date: string;
            /** @description Position within the product day, from 1. Use pick_id as the identity. */
            pick_rank: number;
            /** @description The pick's stable id, an integer as text. */
            pick_id: string;
            /** @description Order of publication within the product day, from 1. */
            publication_order: number;
            /** @description Whether this is the day's free selection, which every account opens. */
            is_free_selection: boolean;
            /** @description The pick that this one replaces. Always null: picks are not replaced. */
            supersedes_pick_id: string | null;
            /** @description Page of the pick on the website. */
            permalink: string;
            /** @description SHA-256 as 64 lowercase hex digits. */
            commitment_hash: string;
            /** @description 32 random bytes as 64 lowercase hex digits. */
            commitment_nonce: string;
            /**
             * @description How the hash is computed.
             * @constant
             */
            commitment_algo: "sha256(canonical_json(payload)||nonce)";
            /**
             * Format: date-time
             * @description When the pick was sealed: before its kickoff.
             */
            sealed_at: string;
            /** @description Version of the payload. 1: the eight keys, serialized as served. */
            commitment_version: number;
            payload: components["schemas"]["PickOfTheDayCommitmentPayload"];
            /** @description Kickoff in whole seconds. */
            kickoff: string;
            /**
             * @description Result of the pick.
             * @enum {string}
             */
            outcome: "win" | "loss" | "void";
            /** @description When the result was last recorded; a correction moves it. Never null here. */
            resolved_at: string | null;
            /** @description The game. */
            matchup: string;
            /** @description Sport of the game. */
            category: string;
        };
        /** @description A commitment that is not opened. */
        PickOfTheDayLedgerSealedEntry: {
            /**
             * @description sealed: published and not settled.
             * @constant
             */
            state: "sealed";
            /**
             * Format: date
             * @description Product day: the date of the kickoff in US Eastern time.
             */
            pick_date: string;
            /** @description Position within the product day, from 1. Use pick_id as the identity. */
            pick_rank: number;
            /** @description The pick's stable id, an integer as text. */
            pick_id: string;
            /** @description Order of publication within the product day, from 1. */
            publication_order: number;
            /** @description Whether this is the day's free selection, which every account opens. */
            is_free_selection: boolean;
            /** @description The pick that this one replaces. Always null: picks are not replaced. */
            supersedes_pick_id: string | null;
            /** @description Page of the pick on the website. */
            permalink: string;
            /** @description SHA-256 as 64 lowercase hex digits. */
            commitment_hash: string;
            /**
             * @description How the hash is computed.
             * @constant
             */
            commitment_algo: "sha256(canonical_json(payload)||nonce)";
            /**
             * Format: date-time
             * @description When the pick was sealed: before its kickoff.
             */
            sealed_at: string;
            /** @description Version of the payload. 1: the eight keys, serialized as served. */
            commitment_version: number;
        };
        /** @description A pick without a commitment. */
        PickOfTheDayLedgerUncommittedEntry: {
            /**
             * @description uncommitted: it reached its kickoff without a commitment.
             * @constant
             */
            state: "uncommitted";
            /**
             * Format: date
             * @description Product day: the date of the kickoff in US Eastern time.
             */
            pick_date: string;
            /** @description Position within the product day, from 1. Use pick_id as the identity. */
            pick_rank: number;
            /** @description The pick's stable id, an integer as text. */
            pick_id: string;
            /** @description Order of publication within the product day, from 1. */
            publication_order: number;
            /** @description Whether this is the day's free selection, which every account opens. */
            is_free_selection: boolean;
            /** @description The pick that this one replaces. Always null: picks are not replaced. */
            supersedes_pick_id: string | null;
            /** @description Page of the pick on the website. */
            permalink: string;
            /**
             * @description Always true: there is no commitment.
             * @constant
             */
            pre_commitment: true;
            /**
             * @description Result of the pick.
             * @enum {string}
             */
            outcome: "pending" | "win" | "loss" | "void";
            /** @description When the result was last recorded; null while pending. */
            resolved_at: string | null;
            /** @description The pick's values; null while it is pending. They prove nothing about when it was made. */
            payload: components["schemas"]["PickOfTheDayUncommittedPayload"] | null;
            /** @description The game; left out while pending. */
            matchup?: string;
            /** @description Sport of the game; left out while pending. */
            category?: string;
        };
        /** @description Picks are released, and the caller opens none of them. */
        PickOfTheDayNoEntitledPicks: {
            /**
             * @description none: no pick of the day is open to the caller.
             * @enum {string}
             */
            state: "none";
            /**
             * Format: date
             * @description Product day: the date of the kickoff in US Eastern time.
             */
            pick_date: string;
            /** @description Empty. */
            picks: components["schemas"]["PickOfTheDayItem"][];
            /** @description Always 0. */
            pick_count: number;
            /** @description Unsettled picks that need a higher plan. */
            locked_picks: components["schemas"]["LockedPick"][];
            /** @description What opens them. */
            message: string;
            /** @description Picks that the caller will open, not yet released. */
            scheduled_picks: components["schemas"]["ScheduledPickSlot"][];
            /** @description Picks that the caller opens, released and not yet readable. */
            proof_pending_picks: components["schemas"]["ProofPendingPickSlot"][];
            /** @description Always null. */
            supersedes_pick_id: null;
        };
        /** @description The record after one decided pick. */
        PickOfTheDaySeriesPoint: {
            /**
             * Format: date
             * @description Product day: the date of the kickoff in US Eastern time.
             */
            date: string;
            /** @description Dollars: running total. */
            net_profit_usd: number;
            /** @description Running hit rate in percent, one decimal. */
            hit_rate_pct: number;
        };
        /** @description The pick's values. They were never hashed. */
        PickOfTheDayUncommittedPayload: {
            /** @description Backed price with its stored decimals. */
            backed_price: string;
            /** @description The market's condition id. */
            condition_id: string;
            /** @description Kickoff in whole seconds. */
            kickoff: string;
            /**
             * Format: date
             * @description Product day: the date of the kickoff in US Eastern time.
             */
            pick_date: string;
            /** @description Index of the backed outcome. */
            pick_outcome_index: number;
            /** @description The backed side. */
            pick_outcome_label: string;
            /** @description Position within the product day, from 1. Use pick_id as the identity. */
            pick_rank: number;
            /**
             * @description Platform of the market.
             * @constant
             */
            platform: "polymarket";
        };
        /** @description The capabilities for one provider. */
        PlatformCapabilities: {
            /** @description Letter grades and scores of traders. */
            grade: components["schemas"]["PlatformCapabilityStatus"];
            /** @description Profit and loss of traders whose history in ordinary markets is known, excluding combinations of markets with unknown legs. */
            pnl: components["schemas"]["PlatformCapabilityStatus"];
            /** @description How a trader trades. */
            strategy: components["schemas"]["PlatformCapabilityStatus"];
            /** @description The fills of one trader's position in one market. */
            timeline: components["schemas"]["PlatformCapabilityStatus"];
            /** @description Large trades. */
            large_trades: components["schemas"]["PlatformCapabilityStatus"];
            /** @description Same value as large_trades, under the old name. */
            whale_signal: components["schemas"]["PlatformCapabilityStatus"];
            /** @description Large trades that look informed. */
            suspicious_trades: components["schemas"]["PlatformCapabilityStatus"];
            /** @description Same value as suspicious_trades, under the old name. */
            insider_radar: components["schemas"]["PlatformCapabilityStatus"];
            /** @description One market with the prices of its outcomes. */
            market_snapshot: components["schemas"]["PlatformCapabilityStatus"];
        };
        /**
         * @description supported: complete. partial: with gaps that the fields state. unsupported: not available.
         * @enum {string}
         */
        PlatformCapabilityStatus: "supported" | "partial" | "unsupported";
        /** @description Capabilities by provider. */
        Platforms: {
            /** @description One entry per provider; this deployment reads one provider. */
            platforms: {
                polymarket: components["schemas"]["PlatformCapabilities"];
            };
        };
        /** @description Difference between the provider's profit and ours in the markets where both can be measured. Omitted when no market could be compared, and when the provider's rounding explains the difference. */
        PnlCorrection: {
            /**
             * @description The definition of the correction. realized_by_market_v1: our realized profit minus the provider's, summed over the markets in which the provider's position rows and our ledger agree on the shares bought and on the open shares. Our realized profit uses average cost, values open shares of a resolved market at their payout, and excludes fees on both sides.
             * @enum {string}
             */
            basis: "realized_by_market_v1";
            /** @description Our realized profit minus the provider's over the measured markets, in dollars; negative when the provider overstates. */
            amount: number;
            /** @description Our realized profit in the measured markets, in dollars, excluding fees. */
            realized?: number;
            /** @description realized plus the unrealized profit of open positions in these markets, in dollars. Omitted when one of them has no price. */
            net_total?: number;
            /**
             * Format: date-time
             * @description Time at which the provider's positions were read, UTC.
             */
            as_of: string;
            /** @description Number of compared markets. */
            markets_measured: number;
            /** @description Number of markets that are known to either side and could not be compared. */
            markets_excluded: number;
        };
        /** @description The open shares of one trader in one outcome. */
        Position: {
            /** @description pos_ followed by wallet address, condition id and outcome index (0 YES, 1 NO), separated by colons. */
            id: string;
            /**
             * @description The provider of the market.
             * @constant
             */
            platform: "polymarket";
            /** @description The trader's wallet address, lower case. */
            wallet: string;
            /**
             * @description YES is the first outcome of the market, NO the second one.
             * @enum {string}
             */
            side: "YES" | "NO";
            /** @description Token id of the outcome, a decimal string; null while unknown. */
            token_id: string | null;
            /** @description Open shares according to the recorded activity. */
            shares: number;
            /** @description Average cost in dollars per share, with four decimals. Omitted while the trader's complete activity is not known. */
            avg_price?: number;
            /** @description Value in dollars: shares times the current price of the outcome in the market snapshot. Positions without a price are not listed; `meta.unlisted` counts them. */
            current_value_usd: number;
            /** @description Cost of the shares in dollars. Omitted while the trader's complete activity is not known. */
            initial_value_usd?: number;
            /** @description Unrealized profit in dollars: value minus cost. Omitted while the trader's complete activity is not known. */
            cash_pnl?: number;
            /** @description Profit of its sales, merges and conversions minus known fees, in dollars. Omitted while the trader's complete activity is not known, and when shares without a recorded acquisition left the position. */
            realized_pnl?: number;
            exact?: components["schemas"]["PositionExact"];
            /**
             * Format: date-time
             * @description Last time at which the position was known to be right, UTC: the last complete read of the trader's activity, or the newest fill if that is later. Omitted while that activity has never been read, or cannot be applied completely.
             */
            last_reconciled_at?: string;
            /**
             * @description fresh: reconciled within the last hour. refreshing: reconciled earlier and due to be read again. stale: reconciled earlier and no longer tracked. unknown: never reconciled, so it lacks shares acquired before or outside the recorded fills; only for traders requested by name. While the market has ended and its result is pending, a position is stale unless it is unknown, because its value uses the last trade.
             * @enum {string}
             */
            freshness: "fresh" | "refreshing" | "stale" | "unknown";
            /** @description The trader of the position. */
            trader: {
                /** @description The trader's trd_ id. */
                id: string;
                /** @description The trader's wallet address, lower case. */
                address: string;
                /** @description Username on the provider; left out when there is none. */
                username?: string;
                /**
                 * @description Current grade; omitted when ungraded.
                 * @enum {string}
                 */
                grade?: "S" | "A" | "B" | "C" | "D" | "F";
                /** @description Percent from 0 to 100: profitable markets among resolved markets with a profit or a loss. Omitted when there is no such market, or while unknown. */
                win_rate?: number;
                /** @description Realized plus unrealized profit of the trader, in dollars. Omitted while an open position has no price, or while unknown. */
                pnl?: number;
                /** @description Markets in which the trader ever had shares. Omitted while unknown. */
                markets?: number;
                completeness: components["schemas"]["TrustCompleteness"];
                /** @description Whole days since the first recorded activity of the trader. Omitted while the trader's complete activity is not known. */
                wallet_age_days?: number;
                /** @description Whether the first recorded activity of the trader is at most 30 days old. */
                is_new_wallet: boolean;
            };
            /** @description The market of the position. */
            market: {
                /** @description The market's mkt_ id. */
                id: string;
                /** @description The provider's market id: 0x and 64 hex digits. */
                condition_id: string;
                /** @description The market's question; its slug or condition id until the market has been read. */
                title: string;
                /** @description The provider's URL slug; left out while unknown. */
                slug?: string;
                /** @description The provider's URL slug of the event; left out while unknown. */
                event_slug?: string;
                /** @description Market category; left out when the provider's tags match no category. */
                category?: string;
                /** @description Name of the outcome; omitted while unknown. */
                outcome_label?: string;
                /**
                 * Format: date-time
                 * @description Scheduled end of trading, UTC; omitted while unknown.
                 */
                end_date?: string;
            };
        };
        /** @description The amounts with all digits. */
        PositionExact: {
            /** @description Open shares. */
            shares: components["schemas"]["ExactDecimal"];
            /** @description Value of the shares in dollars. */
            current_value_usd: components["schemas"]["ExactDecimal"];
            /** @description Cost of the shares in dollars. Omitted while the trader's complete activity is not known. */
            cost_basis_usd?: components["schemas"]["ExactDecimal"];
            /** @description Average cost in dollars per share: cost divided by shares, with ten decimals. Omitted while the trader's complete activity is not known. */
            avg_price?: components["schemas"]["ExactDecimal"];
            /** @description Same value as cost_basis_usd, in dollars. Omitted while the trader's complete activity is not known. */
            initial_value_usd?: components["schemas"]["ExactDecimal"];
            /** @description Value minus cost, in dollars. Omitted while the trader's complete activity is not known. */
            cash_pnl?: components["schemas"]["ExactDecimal"];
            /** @description Profit of its sales, merges and conversions minus known fees, in dollars. Omitted while the trader's complete activity is not known, and when shares without a recorded acquisition left the position. */
            realized_pnl?: components["schemas"]["ExactDecimal"];
        };
        /** @description One fill of the trader, with the position after it. */
        PositionTimelineEvent: {
            /** @description The fill's pe_ id. */
            id: string;
            /**
             * Format: date-time
             * @description Settlement time of the fill, UTC.
             */
            event_timestamp: string;
            /**
             * @description Whether the trader bought or sold.
             * @enum {string}
             */
            action: "buy" | "sell";
            /**
             * @description yes is the first outcome of the market, no the second one.
             * @enum {string}
             */
            outcome_side: "yes" | "no";
            /** @description Token id of the outcome, a decimal string; null while unknown. */
            token_id: string | null;
            /** @description Change in shares: positive for a buy, negative for a sell. */
            amount_delta: number;
            /** @description Price in dollars per share, 0 to 1, with four decimals. */
            price: number;
            /** @description Dollars paid or received, excluding the fee. */
            usdc_notional: number;
            /** @description Hash of the settlement transaction: 0x and 64 hex digits. */
            tx_hash: string;
            /** @description Shares of this outcome bought minus shares sold, over all recorded fills up to and including this one. Negative when the first recorded fills are sells. */
            running_amount: number;
            /** @description Average price in dollars per share over all buys of this outcome so far; sells do not change it. 0 before any buy. */
            running_avg_price: number;
        };
        /** @description The side of a sports market that graded traders hold before the game begins. */
        PreGameSide: {
            /** @description Label of the outcome with the pile, such as a team; null while unknown. */
            side: string | null;
            /**
             * Format: date-time
             * @description When the snapshot was built, UTC.
             */
            ranked_at: string;
            /** @description Dollars of the pile, weighted by grade: S counts in full, A as a half, B as a quarter. Not a probability, in dollars. */
            backing_score: number;
            /** @description Graded dollars on YES minus those on NO, divided by both together: a fraction from -1 to 1. Holders of both outcomes count with their net shares. Null when unknown. */
            side_share: number | null;
            /** @description The provider's market id: 0x and 64 hex digits. */
            condition_id: string;
            /**
             * Format: date-time
             * @deprecated
             * @description This is another name of `ranked_at`.
             */
            signal_created_at: string;
            /** @description Token id of that outcome. Null while unknown. */
            token_id: string | null;
            /** @description The sport; null when unknown. */
            category: string | null;
            /** @description The provider's league tag of the game; null when it has none. */
            raw_category: string | null;
            /** @description The market's question; null until the market is read from the provider. */
            title: string | null;
            /** @description Slug of the game's main event; null when the provider gave none. */
            event_slug: string | null;
            /** @description Scheduled kickoff. It was in the future when the snapshot was built, UTC. Null when unknown. */
            game_start_time: string | null;
            /**
             * @deprecated
             * @description This is another name of `side`.
             */
            piled_side: string | null;
            /** @description Index of the outcome with the pile: 0 is YES, 1 is NO. */
            piled_outcome_index: number;
            /** @description Share of the graded dollars that is on the side with the pile, from 0 to 1. Null when unknown. */
            sharp_pct: number | null;
            /** @description Value of the net shares of the graded holders on that side, in dollars. */
            backed_sharp_usd: number;
            /** @description Holders of the pile graded S. */
            s_count: number;
            /** @description Holders of the pile graded A. */
            a_count: number;
            /** @description Holders of the pile graded B. */
            b_count: number;
            /** @description Holders of the pile: the sum of the three counts. */
            graded_holders: number;
            /** @description The best grade in the pile; null when unknown. */
            top_grade: ("S" | "A" | "B") | null;
            /**
             * @deprecated
             * @description This is another name of `side_share`.
             */
            smart_score: number | null;
            /** @description Volume of the market, as the provider counts it, in dollars. Null while unknown. */
            volume: number | null;
            /** @description BUY when graded traders' large trades of 24 hours go toward the side on balance, SELL when they go away from it; null without such trades. */
            net_side: ("BUY" | "SELL") | null;
            /**
             * @deprecated
             * @description This is another name of `backing_score`.
             */
            conviction_score: number;
            /** @description Holders of the pile without shares of the other outcome. Null when the holders were read more than three minutes before the snapshot. */
            one_way_holder_count: number | null;
            /** @description Holders of the pile that also hold some of the other outcome. Null when the holders were read more than three minutes before the snapshot. */
            hedged_holder_count: number | null;
            /** @description Value of the net shares of holders without the other outcome, in dollars. Null when the holders were read more than three minutes before the snapshot. */
            one_way_graded_usd: number | null;
            /** @description Share of the pile's dollars of holders without the other outcome, from 0 to 1. Null when the holders were read more than three minutes before the snapshot. */
            directional_confidence: number | null;
            /** @description The sort key, highest first, a pure number: holders graded S, then A, then B, then whole dollars. Counts above 99 are equal, and so are amounts of a billion dollars. */
            directional_rank_score: number;
            category_skill: components["schemas"]["PreGameSideCategorySkill"];
            /** @description Position in the list, from 1. */
            rank: number;
        };
        /** @description How the holders of the pile have done in the sport. It never changes the ranking. */
        PreGameSideCategorySkill: {
            /**
             * @description live: at least one holder is covered. stale: the records are more than six hours old. degraded: settled bets are not counted yet. insufficient: too few events. unknown: no holder has a record.
             * @enum {string}
             */
            status: "live" | "insufficient" | "stale" | "unknown" | "degraded";
            /** @description Version of the figure definitions. */
            model_version: string;
            /** @description Version of the category map; null when not recorded. */
            taxonomy_version: string | null;
            /**
             * @description The provider of the markets.
             * @constant
             */
            platform: "polymarket";
            /**
             * @description A constant of the format. The figures count all recorded purchases of the holders.
             * @enum {string}
             */
            scope: "observed_goldsky_primary_taker_fill";
            /**
             * @description The figures use the recorded activity of graded traders, at any size.
             * @enum {string}
             */
            source_coverage: "graded_wallet_fills";
            /**
             * Format: date-time
             * @description First recorded fill of any holder of the pile, or the snapshot's time when no fill is recorded, UTC.
             */
            observation_started_at: string;
            /**
             * Format: date-time
             * @description Time of the oldest record that is used, or the snapshot's time when there is no record, UTC.
             */
            as_of: string;
            /** @description The sport whose records are used; null when none is. */
            canonical_category: string | null;
            /** @description Holders of the pile. */
            eligible_holders: number;
            /** @description Holders of the pile with a live record in the sport. */
            covered_holders: number;
            /** @description Value of the pile, in dollars. Null when unknown. */
            backed_sharp_usd: number | null;
            /** @description Value of the net shares of the covered holders, in dollars. Null while no holder is covered. */
            covered_backed_usd: number | null;
            /** @description Share of the pile's dollars that is of covered holders, from 0 to 1. Null when the pile is worth nothing. */
            coverage_pct: number | null;
            /** @description Mean edge of the covered holders in the sport, weighted by their dollars, in dollars per share. Null while no holder is covered. */
            weighted_edge_mean: number | null;
            /** @description Mean of the lower 95 % bounds of their edges, weighted by their dollars, in dollars per share. Null while no holder is covered. */
            weighted_holder_lower_mean: number | null;
            /** @description Value of the net shares of covered holders whose lower bound is above 0, in dollars. Null while no holder is covered. */
            specialist_backed_usd: number | null;
            /** @description Share of the pile's dollars that is of those, from 0 to 1. Null while no holder is covered. */
            specialist_backed_usd_pct: number | null;
            /** @description Share of the pile's largest holder, from 0 to 1. Null when the pile is worth nothing. */
            largest_holder_backed_usd_pct: number | null;
            /** @description Fewest independent events of a covered holder. Null while no holder is covered. */
            minimum_holder_event_count: number | null;
        };
        /** @description Where every market of the snapshot ended. The same on all pages, whatever the filters are. */
        PreGameSideFunnelReport: {
            /** @description One entry for each sport. */
            sports: components["schemas"]["PreGameSideSportFunnelReport"][];
        };
        /** @description The side of a sports market that graded traders hold, outside the signals. */
        PreGameSideObservation: {
            /** @description Label of the outcome with the pile, such as a team; null while unknown. */
            side: string | null;
            /** @description Dollars of the pile, weighted by grade: S counts in full, A as a half, B as a quarter. Not a probability, in dollars. */
            backing_score: number;
            /** @description Graded dollars on YES minus those on NO, divided by both together: a fraction from -1 to 1. Holders of both outcomes count with their net shares. */
            side_share: number;
            /** @description The provider's market id: 0x and 64 hex digits. */
            condition_id: string;
            /** @description Token id of that outcome. */
            token_id: string;
            /**
             * @description The sport.
             * @enum {string}
             */
            category: "Basketball" | "Football" | "Baseball" | "Hockey" | "MMA" | "Boxing" | "Soccer" | "Cricket" | "Golf" | "Tennis" | "Esports" | "Racing" | "Table Tennis" | "Pickleball";
            /** @description The provider's league tag of the game; null when it has none. */
            raw_category: string | null;
            /** @description The market's question. */
            title: string;
            /** @description Slug of the game's main event; null when the provider gave none. */
            event_slug: string | null;
            /** @description The provider's id of the market's event; null when it gave none. */
            event_id: string | null;
            /** @description The provider's id of the game's main event; null when that is the market's own event or has no id. */
            parent_event_id: string | null;
            /**
             * Format: date-time
             * @description Scheduled kickoff, UTC.
             */
            game_start_time: string;
            /**
             * Format: date-time
             * @description When the snapshot was built, UTC.
             */
            observed_at: string;
            /**
             * @description The requested cohort.
             * @enum {string}
             */
            cohort: "wider_holder" | "in_play" | "emerging_pile";
            /**
             * @description Always true: a row describes holdings and advises nothing.
             * @constant
             */
            observation_only: true;
            /**
             * @deprecated
             * @description This is another name of `side`.
             */
            piled_side: string | null;
            /** @description Index of the outcome with the pile: 0 is YES, 1 is NO. */
            piled_outcome_index: number;
            /** @description Price of the outcome with the pile when the snapshot was built, in dollars, from 0 to 1. */
            backed_price: number;
            /** @description Share of the graded dollars that is on the side with the pile, from 0 to 1. */
            sharp_pct: number;
            /** @description Value of the net shares of the graded holders on that side, in dollars. */
            backed_sharp_usd: number;
            /** @description Holders of the pile graded S. */
            s_count: number;
            /** @description Holders of the pile graded A. */
            a_count: number;
            /** @description Holders of the pile graded B. */
            b_count: number;
            /** @description Holders of the pile: the sum of the three counts. */
            graded_holders: number;
            /**
             * @description The best grade in the pile.
             * @enum {string}
             */
            top_grade: "S" | "A" | "B";
            /**
             * @deprecated
             * @description This is another name of `side_share`.
             */
            smart_score: number;
            /** @description Volume of the market, as the provider counts it, in dollars. */
            volume: number;
            /**
             * @deprecated
             * @description This is another name of `backing_score`.
             */
            conviction_score: number;
            /**
             * @description cached: the holders come from the last stored scan.
             * @enum {string}
             */
            provider_read_source: "cached" | "live";
            /** @description Whether the last attempt to read all holders was complete. When false, the row uses the complete scan before it. */
            holder_scan_complete: boolean;
            /** @description When the reading of the holders that the row uses began, UTC. Null when unknown. */
            holder_snapshot_at: string | null;
            /**
             * @description available: the holders were read at most three minutes before the snapshot. unknown_stale: they were read earlier, so the four fields below are null. The other two values are never sent.
             * @enum {string}
             */
            directional_status: "available" | "unknown_ungrouped" | "unknown_stale" | "unavailable";
            /** @description Holders of the pile without shares of the other outcome. Null unless `directional_status` is available. */
            one_way_holder_count: number | null;
            /** @description Holders of the pile that also hold some of the other outcome. Null unless `directional_status` is available. */
            hedged_holder_count: number | null;
            /** @description Value of the net shares of holders without the other outcome, in dollars. Null unless `directional_status` is available. */
            one_way_graded_usd: number | null;
            /** @description Share of the pile's dollars of holders without the other outcome, from 0 to 1. Null unless `directional_status` is available. */
            directional_confidence: number | null;
            /** @description The sort key, highest first, a pure number: holders graded S, then A, then B, then whole dollars. Counts above 99 are equal, and so are amounts of a billion dollars. */
            directional_rank_score: number;
            /** @description Position within the snapshot's cohort, from 1. */
            rank: number;
        };
        /** @description Where the markets of one sport ended in a snapshot. */
        PreGameSideSportFunnelReport: {
            /**
             * @description The sport.
             * @enum {string}
             */
            sport: "Basketball" | "Football" | "Baseball" | "Hockey" | "MMA" | "Boxing" | "Soccer" | "Cricket" | "Golf" | "Tennis" | "Esports" | "Racing" | "Table Tennis" | "Pickleball";
            /** @description Markets of the sport on the board. */
            board_input: number;
            /** @description Whether every live game of the sport had a score frame of the last 30 seconds. */
            board_live_available: boolean;
            /** @description Whether the board has games of the sport. Without any, its state does not apply. */
            board_upcoming_configured: boolean;
            /** @description Whether `board_upcoming_status` is available. */
            board_upcoming_available: boolean;
            /**
             * @description not_configured: no game of the sport is on the board. capacity_limited: more markets than are scanned. source_unavailable: no game was read in the last 30 minutes. The other values but available are never sent.
             * @enum {string}
             */
            board_upcoming_status: "unknown" | "not_configured" | "available" | "capacity_limited" | "source_unavailable" | "cold_unavailable" | "deadline_unavailable";
            /** @description `category` when the source is unavailable, else empty. */
            board_upcoming_unavailable_scopes: ("category" | "nfl" | "cfb" | "nba" | "wnba" | "nhl" | "mls" | "valorant" | "league-of-legends" | "counter-strike-2" | "dota-2" | "registry" | "union" | "wave")[];
            /** @description Markets of the sport, and its games without a stored market. */
            input: number;
            /** @description Number of inputs by the one reason at which each ended. Reasons without inputs are left out. */
            terminals: {
                /** @description Inputs that ended so. */
                outside_horizon?: number;
                /** @description Inputs that ended so. */
                resolved?: number;
                /** @description Inputs that ended so. */
                provider_closed?: number;
                /** @description Inputs that ended so. */
                provider_excluded?: number;
                /** @description Inputs that ended so. */
                invalid_market?: number;
                /** @description Inputs that ended so. */
                missing_token?: number;
                /** @description Inputs that ended so. */
                missing_stored_market?: number;
                /** @description Inputs that ended so. */
                not_provider_live?: number;
                /** @description Inputs that ended so. */
                board_source_unavailable?: number;
                /** @description Inputs that ended so. */
                board_deadline_unavailable?: number;
                /** @description Inputs that ended so. */
                primary_slate_candidate?: number;
                /** @description Inputs that ended so. */
                zero_indexed_holder_research?: number;
                /** @description Inputs that ended so. */
                capacity_limited?: number;
                /** @description Inputs that ended so. */
                provider_unavailable?: number;
                /** @description Inputs that ended so. */
                holder_deadline_unavailable?: number;
                /** @description Inputs that ended so. */
                holder_computation_unavailable?: number;
                /** @description Inputs that ended so. */
                holder_scan_incomplete?: number;
                /** @description Inputs that ended so. */
                no_current_graded_holder?: number;
                /** @description Inputs that ended so. */
                split_holder_pile?: number;
                /** @description Inputs that ended so. */
                price_unavailable?: number;
                /** @description Inputs that ended so. */
                wider_holder_emitted?: number;
                /** @description Inputs that ended so. */
                in_play_emitted?: number;
                /** @description Inputs that ended so. */
                in_play_stale_observed?: number;
                /** @description Inputs that ended so. */
                in_play_directional_unavailable?: number;
                /** @description Inputs that ended so. */
                internal_unclassified?: number;
            };
            /** @description Sum of `terminals`. */
            terminal_total: number;
            /** @description Whether `input` equals `terminal_total`. */
            reconciled: boolean;
        };
        /** @description A pick whose release has come, while its holders or its price cannot be read. Its game is not named. */
        ProofPendingPickSlot: {
            /** @description Position within the product day, from 1. Use pick_id as the identity. */
            pick_rank: number;
            /**
             * Format: date-time
             * @description When the pick is released: one hour before the kickoff.
             */
            release_at: string;
            /**
             * Format: date-time
             * @description Scheduled start of the game.
             */
            kickoff: string;
            /**
             * Format: date-time
             * @description When to read again.
             */
            retry_at: string;
            /** @description The pick's stable id, an integer as text. */
            pick_id: string;
            /** @description Order of publication within the product day, from 1. */
            publication_order: number;
            /** @description Whether this is the day's free selection, which every account opens. */
            is_free_selection: boolean;
            /** @description The pick that this one replaces. Always null: picks are not replaced. */
            supersedes_pick_id: string | null;
        };
        /** @description How the claims of this product ended, against random purchases. */
        PublicRecord: {
            /** @description Version of the method. */
            method: string;
            /** @description Definitions, matching and intervals. */
            methodology_url: string;
            /** @description Events below which rates are null. */
            minimum_events: number;
            /**
             * Format: date-time
             * @description When a figure of the response last changed, UTC.
             */
            changed_at: string;
            /** @description The requested kinds. */
            kinds: components["schemas"]["RecordKind"][];
        };
        /** @description A mean with its 95 % interval; claims on one event count as one observation of it. */
        RecordInterval: {
            /** @description Mean in points (hundredths of a dollar a share), rounded to two decimals. */
            points: number;
            /** @description Lower end of the 95 % interval, in points, rounded down. */
            low: number;
            /** @description Upper end of the 95 % interval, in points, rounded up. */
            high: number;
        };
        /** @description The record of one kind of claim. */
        RecordKind: {
            /**
             * @description flag: a trade flagged as suspicious. grade: a large purchase of a trader whose published grade was S or A. flow_alert: an alert of smart-money flow, for the side of the flow. pick: a published pick of the day that was not withdrawn.
             * @enum {string}
             */
            kind: "flag" | "grade" | "flow_alert" | "pick";
            total: components["schemas"]["RecordTotal"];
            /** @description Months with claims, newest first. */
            months: components["schemas"]["RecordMonth"][];
        };
        /** @description The claims of one month. */
        RecordMonth: {
            /** @description UTC month of the claims' prices. */
            month: string;
            /** @description Claims published; won + lost + void + pending + late + unpriced. */
            claims: number;
            /** @description won + lost + void. */
            resolved: number;
            /** @description Claims whose side paid one dollar a share. */
            won: number;
            /** @description Claims whose side paid nothing: the misses. */
            lost: number;
            /** @description Claims whose side paid a part, as in a cancelled game. */
            void: number;
            /** @description Claims without a result. */
            pending: number;
            /** @description Claims published when the market already had its result; they are not scored. */
            late: number;
            /** @description Claims whose side had no price between 0 and 1; they are not scored. */
            unpriced: number;
            /** @description Events with a claim that won or lost. Markets without a known event count as one each. */
            events: number;
            /** @description won / (won + lost), a fraction from 0 to 1, truncated to four decimals. Null with fewer than 10 events. */
            hit_rate: number | null;
            /** @description Mean price of the claims that won or lost: the hit rate that prices imply, 0 to 1, truncated to four decimals. Null with fewer than 10 events. */
            expected_hit_rate: number | null;
            /** @description Hit rate less expected hit rate, in points. Null with fewer than 10 events. */
            edge: components["schemas"]["RecordInterval"] | null;
            /** @description Profit of one dollar on each settled claim at its price, per dollar, without fees; a void claim pays what its market paid. Null with fewer than 10 events. */
            profit_per_dollar: number | null;
            /** @description Why the rates are null: fewer than 10 events. Null with rates. */
            rates_reason: "too_few_events" | null;
            random: components["schemas"]["RecordRandomPurchases"];
            /** @description Edge of the claims less that of the random purchases, in points. Alerts and picks are at the mark price, purchases at the price paid, which contains about half the spread: there it is too high by about that. Null where either is null. */
            edge_over_random: components["schemas"]["RecordInterval"] | null;
        };
        /** @description For each scored claim a random large purchase of the same UTC day, category and price band that is no claim, drawn by a published rule. Its fields have the meaning of those of claims. */
        RecordRandomPurchases: {
            /** @description Random purchases, at most one for each claim; won + lost + void + pending + late. */
            drawn: number;
            /** @description Claims for which no purchase of the same day, category and price band was left. */
            unmatched: number;
            /** @description Claims whose side paid one dollar a share. */
            won: number;
            /** @description Claims whose side paid nothing: the misses. */
            lost: number;
            /** @description Claims whose side paid a part, as in a cancelled game. */
            void: number;
            /** @description Claims without a result. */
            pending: number;
            /** @description Purchases made when the market already had its result; they are not scored. */
            late: number;
            /** @description Events with a claim that won or lost. Markets without a known event count as one each. */
            events: number;
            /** @description won / (won + lost), a fraction from 0 to 1, truncated to four decimals. Null with fewer than 10 events. */
            hit_rate: number | null;
            /** @description Mean price of the claims that won or lost: the hit rate that prices imply, 0 to 1, truncated to four decimals. Null with fewer than 10 events. */
            expected_hit_rate: number | null;
            /** @description Hit rate less expected hit rate, in points. Null with fewer than 10 events. */
            edge: components["schemas"]["RecordInterval"] | null;
            /** @description Profit of one dollar on each settled claim at its price, per dollar, without fees; a void claim pays what its market paid. Null with fewer than 10 events. */
            profit_per_dollar: number | null;
            /** @description Why the rates are null: fewer than 10 events. Null with rates. */
            rates_reason: "too_few_events" | null;
        };
        /** @description The claims of all months: each count is the sum of the months. */
        RecordTotal: {
            /** @description Claims published; won + lost + void + pending + late + unpriced. */
            claims: number;
            /** @description won + lost + void. */
            resolved: number;
            /** @description Claims whose side paid one dollar a share. */
            won: number;
            /** @description Claims whose side paid nothing: the misses. */
            lost: number;
            /** @description Claims whose side paid a part, as in a cancelled game. */
            void: number;
            /** @description Claims without a result. */
            pending: number;
            /** @description Claims published when the market already had its result; they are not scored. */
            late: number;
            /** @description Claims whose side had no price between 0 and 1; they are not scored. */
            unpriced: number;
            /** @description Events with a claim that won or lost. Markets without a known event count as one each. */
            events: number;
            /** @description won / (won + lost), a fraction from 0 to 1, truncated to four decimals. Null with fewer than 10 events. */
            hit_rate: number | null;
            /** @description Mean price of the claims that won or lost: the hit rate that prices imply, 0 to 1, truncated to four decimals. Null with fewer than 10 events. */
            expected_hit_rate: number | null;
            /** @description Hit rate less expected hit rate, in points. Null with fewer than 10 events. */
            edge: components["schemas"]["RecordInterval"] | null;
            /** @description Profit of one dollar on each settled claim at its price, per dollar, without fees; a void claim pays what its market paid. Null with fewer than 10 events. */
            profit_per_dollar: number | null;
            /** @description Why the rates are null: fewer than 10 events. Null with rates. */
            rates_reason: "too_few_events" | null;
            random: components["schemas"]["RecordRandomPurchases"];
            /** @description Edge of the claims less that of the random purchases, in points. Alerts and picks are at the mark price, purchases at the price paid, which contains about half the spread: there it is too high by about that. Null where either is null. */
            edge_over_random: components["schemas"]["RecordInterval"] | null;
        };
        /** @description Totals of the detected large trades. All fields are null when the range has not been read. */
        ReportPayload: {
            /** @description Number of large trades detected in the range; null when the range has not been read. */
            total_large_trades: number | null;
            /** @description Same value under the old name. */
            total_whale_trades: number | null;
            /** @description Volume of these trades in dollars; null when the range has not been read. */
            total_large_trade_volume: number | null;
            /** @description Same value under the old name. */
            total_whale_volume: number | null;
            /** @description Size of the largest of these trades in dollars; null when there is none. */
            biggest_trade_size: number | null;
            /** @description Number of traders with at least one of these trades; null when the range has not been read. */
            active_traders: number | null;
            /** @description The largest trades by size: at most 50 for a day, 100 for a week or a range of days, 200 for a month. Null when the range has not been read. */
            top_large_trades: components["schemas"]["ReportTopTrade"][] | null;
            /** @description Same list under the old name; null in the same case. */
            top_whale_trades: components["schemas"]["ReportTopTrade"][] | null;
            /** @description Large trades by category, highest volume first. Trades in markets without a category are not included. Null when the range has not been read. */
            categories: {
                /** @description Category of the markets. */
                category: string;
                /** @description Number of large trades in the category. */
                whale_trade_count: number;
                /** @description Volume of these trades in dollars. */
                category_volume: number;
            }[] | null;
            /** @description Active traders by their grade when the report was built. Null when the range has not been read. */
            grade_distribution: {
                /** @description Grade letter; null for ungraded traders. */
                grade: ("S" | "A" | "B" | "C" | "D" | "F") | null;
                /** @description Number of traders with this grade. */
                count: number;
            }[] | null;
        };
        /** @description Definition of the volume, which differs from the volume of the provider. */
        ReportReconciliation: {
            /**
             * @description The volume of the large trades that this service detected, not the volume of the provider.
             * @constant
             */
            volume_kind: "local_whale_activity_volume";
            /** @description The column that the volume sums, with a note in parentheses. */
            whale_volume_source: string;
            /** @description What the figures do not include. */
            notes: string;
        };
        /** @description Report on the large trades of a day, a week, a month or a range of days. */
        ReportSnapshot: {
            /**
             * @description daily: a day. weekly: a week or a range of days. monthly: a month.
             * @enum {string}
             */
            kind: "daily" | "weekly" | "monthly";
            /**
             * Format: date-time
             * @description Time at which the report was built, UTC.
             */
            generated_at: string;
            source_range: components["schemas"]["ReportSourceRange"];
            snapshot: components["schemas"]["SnapshotState"];
            completeness: components["schemas"]["SnapshotCompleteness"];
            reconciliation: components["schemas"]["ReportReconciliation"];
            report: components["schemas"]["ReportPayload"];
        };
        /** @description The days that the report covers. */
        ReportSourceRange: {
            /**
             * Format: date
             * @description First UTC day of the range.
             */
            start_date: string;
            /**
             * Format: date
             * @description Last UTC day of the range, inclusive.
             */
            end_date: string;
            /**
             * @description Days start and end at midnight UTC.
             * @constant
             */
            timezone: "UTC";
        };
        /** @description One of the largest trades of the range. */
        ReportTopTrade: {
            /** @description Name of the traded outcome; null until the market has been read. */
            outcome: string | null;
            /** @description Whether the taker bought or sold; null when unknown. */
            side: ("BUY" | "SELL") | null;
            /** @description The market's question; null until the market has been read. */
            title: string | null;
            /** @description Dollars paid or received, excluding fees; null when unknown. */
            size: number | null;
            /** @description Average price of the order in dollars per share, 0 to 1; null when unknown. */
            price: number | null;
            /** @description Token id of the outcome, a decimal string; null while unknown. */
            token_id: string | null;
            /** @description The number in the wt_ id of the trade; null when unknown. */
            id: number | null;
            /** @description Settlement time, UTC; null when unknown. */
            trade_time: string | null;
            /** @description Category of the market; null when the provider's tags contain none. */
            market_category: string | null;
            /** @description The provider; null when unknown. */
            platform: "polymarket" | null;
            /** @description Username of the trader on the provider; null when there is none. */
            name: string | null;
            /** @description Always null: pseudonyms are not recorded. */
            pseudonym: string | null;
            /** @description Grade of the trader when the report was built; null when ungraded. */
            trader_grade: ("S" | "A" | "B" | "C" | "D" | "F") | null;
        };
        /** @description Facts about the response itself. They are not part of the ETag. */
        ResponseMeta: {
            /** @description The id of this request, equal to the `X-Request-Id` header. Include it in problem reports. */
            request_id: string;
            /** @description Whether the response was computed for an earlier request with the same path and query. */
            cached: boolean;
            /** @description Whole seconds since the cached response was computed. Absent when `cached` is false. */
            cache_age_s?: number;
            /** @description The units that this request took from the month's quota. Absent on a batch, which has `request_cost`. */
            cost?: number;
        };
        /** @description A pick that is selected and not released. Its game is not named. */
        ScheduledPickSlot: {
            /** @description Position within the product day, from 1. Use pick_id as the identity. */
            pick_rank: number;
            /**
             * Format: date-time
             * @description When the pick is released: one hour before the kickoff.
             */
            release_at: string;
            /**
             * Format: date-time
             * @description Scheduled start of the game.
             */
            kickoff: string;
            /** @description The pick's stable id, an integer as text. */
            pick_id: string;
            /** @description Order of publication within the product day, from 1. */
            publication_order: number;
            /** @description Whether this is the day's free selection, which every account opens. */
            is_free_selection: boolean;
            /** @description The pick that this one replaces. Always null: picks are not replaced. */
            supersedes_pick_id: string | null;
        };
        /** @description Net flow of graded traders in one market. */
        SmartMoneyFlowMarket: {
            /** @description The market. */
            market: {
                /** @description The market's mkt_ id. */
                id: string;
                /** @description The provider's market id: 0x and 64 hex digits. */
                condition_id: string;
                /** @description The market's question; null until the market is read from the provider. */
                title: string | null;
                /** @description The provider's URL slug; null while unknown. */
                slug: string | null;
                /** @description Market category; null when the provider's tags match no category. */
                category: string | null;
                /** @description Platform where the market trades; null while unknown. */
                platform: "polymarket" | null;
            };
            /** @description Net flow of the large trades by traders of the requested grades within the timeframe. */
            sharp_money: {
                /** @description Dollars: net flow toward YES. Buying YES and selling NO add; buying NO and selling YES subtract. */
                net_flow_usd: number;
                /**
                 * @description Side of the net flow: NO only when the exact net flow is below 0. At 0, for example without trades, YES is only a tie-break.
                 * @enum {string}
                 */
                direction: "YES" | "NO";
                /** @description Token id of that side; null while unknown. */
                token_id: string | null;
                /** @description Number of large trades counted. */
                large_trade_count: number;
                /** @description The value of large_trade_count under its old name. */
                whale_trade_count: number;
                /** @description Dollars: all purchases of either outcome. */
                buy_volume_usd: number;
                /** @description Dollars: all sales of either outcome. */
                sell_volume_usd: number;
            };
            /** @description The same object under its old name. */
            smart_money: {
                /** @description Dollars: net flow toward YES. Buying YES and selling NO add; buying NO and selling YES subtract. */
                net_flow_usd: number;
                /**
                 * @description Side of the net flow: NO only when the exact net flow is below 0. At 0, for example without trades, YES is only a tie-break.
                 * @enum {string}
                 */
                direction: "YES" | "NO";
                /** @description Token id of that side; null while unknown. */
                token_id: string | null;
                /** @description Number of large trades counted. */
                large_trade_count: number;
                /** @description The value of large_trade_count under its old name. */
                whale_trade_count: number;
                /** @description Dollars: all purchases of either outcome. */
                buy_volume_usd: number;
                /** @description Dollars: all sales of either outcome. */
                sell_volume_usd: number;
            };
            /** @description Time window, 1h, 4h, 24h or 7d. It ends when the ranking was built. */
            timeframe: string;
        };
        /** @description Coverage of the range by the report. */
        SnapshotCompleteness: {
            /**
             * @description complete: the report is final and covers every day. partial: any other report with large trades. empty: no large trade in the range; `reason` says whether there was none or whether none is known.
             * @enum {string}
             */
            status: "complete" | "partial" | "empty";
            /** @description Explanation of the status, in sentences. */
            reason: string;
            /** @description Days in the range. */
            expected_days: number;
            /** @description Days of the range with at least one detected large trade. */
            covered_days_with_large_trade_activity: number;
            /** @description Same value under the old name. */
            covered_days_with_whale_activity: number;
        };
        /** @description Version, storage and finality of the report. */
        SnapshotState: {
            /** @description Number of changes of the stored content; 0 for a report that is not stored. */
            version: number;
            /**
             * @description durable: stored. ephemeral: computed for this request and not stored, which includes every explicit range of days.
             * @enum {string}
             */
            storage: "durable" | "ephemeral";
            /**
             * @description final: read after the last time at which trades can arrive; it never changes again. rolling: may still change.
             * @enum {string}
             */
            status: "final" | "rolling";
            /**
             * Format: date-time
             * @description Time at which the report was built, UTC.
             */
            generated_at: string;
            /** @description The UTC day of final_after; null once the report is final. */
            mutable_until: string | null;
            /** @description Whether the last day of the range has passed. Late trades may still arrive. */
            period_closed: boolean;
            /**
             * Format: date-time
             * @description 7,530 seconds after the end of the range, UTC. A report that is read from this time on can be final.
             */
            final_after: string;
            /** @description Time at which the read of the recorded trades started, UTC; null when not recorded. */
            source_read_started_at: string | null;
        };
        /** @description Data of an `event: error` frame, the last of a stream that the server ends. */
        StreamErrorFrame: {
            /**
             * @description Equal to the frame's `event` field.
             * @constant
             */
            type: "error";
            /** @description Error that a reconnect would return: the `error` of `Error`. */
            error: {
                /** @description Error code. */
                code: string;
                /** @description Message for people. */
                message: string;
            } & {
                [key: string]: unknown;
            };
            /** @description true: reconnect after `error.retry_at`, from the `id` of this frame. false: a reconnect is refused. */
            retry: boolean;
        };
        /** @description Data of a frame without an `event` field. The frame also has the fields of the event: those of `data` in the webhook event. */
        StreamFrame: {
            /** @description Number of the frame on the stream, the same for every client, and equal to the SSE `id`. Numbers have no gaps. */
            seq: number;
            /**
             * Format: date-time
             * @description When the frame was put on the stream, UTC.
             */
            published_at: string;
            /** @description Type of the event, one of the values of the `event` parameter. */
            type: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Data of an `event: resync` frame: the frames between the two numbers cannot be sent. Read the current state again and continue. */
        StreamResyncFrame: {
            /**
             * @description Equal to the frame's `event` field.
             * @constant
             */
            type: "resync";
            /** @description Kind and cause of the gap. */
            completeness: {
                /**
                 * @description truncated: the resume point is older than the kept frames. lagged: the stream itself lost events. reset: the resume point is above every issued number.
                 * @enum {string}
                 */
                status: "truncated" | "lagged" | "reset";
                /** @description Cause of the gap, in one word. */
                reason: string;
            };
            /** @description Last frame number before the gap. */
            from_sequence: number;
            /** @description First frame number after the gap; the `id` of this frame is one below it. */
            to_sequence: number;
        };
        /** @description A large trade that looks informed. */
        SuspiciousTrade: {
            /** @description The flag's rf_ id. */
            id: string;
            /** @description How much the trade looks informed, in points from 60 to 100: a reason to look, not a finding. Trades below 60 points are not flagged. */
            suspicion_score: number;
            /**
             * @description Always flag, the only severity.
             * @enum {string}
             */
            severity: "flag";
            /** @description The trader who made the trade. */
            trader: {
                /** @description The trader's trd_ id. */
                id: string;
                /** @description The trader's wallet address, lower case. */
                address: string;
                /** @description Username on the provider; null when there is none. */
                username: string | null;
            };
            /** @description The market of the trade. */
            market: {
                /** @description The market's mkt_ id. */
                id: string;
                /** @description The provider's market id: 0x and 64 hex digits. */
                condition_id: string;
                /** @description The market's question; null until the market is read from the provider. */
                title: string | null;
            };
            /** @description Components of the score at the time of the assessment. */
            scores: {
                /** @description How close to news the trade was, in points from 0 to 100. Always null, because it is not measured. */
                timing: number | null;
                /** @description How well similar trades of the trader did, in points from 0 to 100. Always null, because it is not measured. */
                edge: number | null;
                /** @description Size of the trade by dollars and by its share of the market, in points from 0 to 100. An unknown share adds 0 points. Null when not measured. */
                size: number | null;
                /** @description How new the trader was to trading, in points from 0 to 100; null when the trader's history was not known. */
                fresh_wallet: number | null;
            };
            /** @description Evidence for the assessment, as stored: the inputs, the total of each track, and the deciding track. */
            evidence: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Time of the trade, UTC.
             */
            created_at: string;
        };
        /** @description One trader. Omitted values are unknown. */
        Trader: {
            /** @description The trader's trd_ id. For an address without recorded activity, trd_ followed by the address. */
            id: string;
            /** @description The trader's wallet address, lower case. */
            address: string;
            /** @description Username on the provider; left out when there is none. */
            username?: string;
            /**
             * @description Skill letter, S best and F worst: whether settled purchases won more often than the prices paid imply. Omitted when ungraded.
             * @enum {string}
             */
            grade?: "S" | "A" | "B" | "C" | "D" | "F";
            /** @description Skill from 0 to 100; 50 is exactly what the prices paid imply. Omitted when ungraded. */
            score?: number;
            /** @description Probability in percent, 0 to 100, that the trader's true edge is above zero. Omitted when ungraded. */
            forecast_score?: number;
            /** @description Fraction from 0 to 1 of the forecast that comes from the trader's own settled purchases; the rest comes from the population. Also present for ungraded traders. Omitted while no purchase has been counted, or while too few traders are known. */
            forecast_evidence?: number;
            /**
             * @description Form of the last seven days relative to all active traders of any grade. Omitted for inactive traders.
             * @enum {string}
             */
            streak_tier?: "hot" | "rising" | "neutral" | "cooling" | "cold";
            /** @description Rank on the overall leaderboard, starting at 1. Omitted when the trader is not among the first thousand. */
            rank?: number;
            /** @description Profit and loss over the trader's whole history. */
            pnl: {
                /** @description The provider's all-time profit in dollars, which is not realized + unrealized. Omitted when the provider's board does not rank the trader. */
                total?: number;
                /** @description realized + unrealized, in dollars. Omitted when either is omitted. */
                net_total?: number;
                /** @description Profit from sales, merges and settled markets including known fees and rebates, in dollars. Omitted until the trader's history in ordinary markets is known. The group pnl of data_quality says what the figure excludes. */
                realized?: number;
                /** @description Value minus cost of open positions in ordinary markets, in dollars. Omitted when one of them has no price. */
                unrealized?: number;
                /** @description Realized profit with all digits. Omitted with realized. */
                exact?: {
                    realized: components["schemas"]["ExactDecimal"];
                };
                correction?: components["schemas"]["PnlCorrection"];
            };
            /** @description Statistics over the trader's whole history. Empty until the history in ordinary markets is known. */
            stats: {
                /** @description Markets in which the trader ever had shares. */
                markets_traded?: number;
                /** @description Percent from 0 to 100: profitable markets among resolved markets with a known profit or loss. Omitted when there is no such market. */
                win_rate?: number;
                /** @description Percent from 0 to 100: profitable days among UTC days with a profit or a loss. Omitted when there is no such day. */
                daily_win_rate?: number;
                /** @description Volume of buys and sells over the trader's whole history, in dollars. */
                total_volume?: number;
                /** @description Total volume with all digits. */
                exact?: {
                    total_volume: components["schemas"]["ExactDecimal"];
                };
            };
            /** @description How the trader trades, not how well. Requires `expand=strategy`. Omitted when there are too few fills to show a behaviour. */
            strategy?: {
                /**
                 * @description Name of the dominant behaviour.
                 * @enum {string}
                 */
                strategy_type: "accumulator" | "algo_trader" | "arbitrageur" | "category_focused" | "directional" | "diversified" | "event_driven" | "high_activity" | "market_maker" | "mixed" | "momentum" | "scalper" | "speculator" | "swing_trader" | "two_sided" | "unclassified";
                /** @description Description of the behaviour, in one sentence. */
                description: string;
            };
            /** @description Record by category over settled markets with a cost of at least 20 dollars and a price between 0.05 and 0.95 dollars per share. Requires `expand=categories`. Omitted when there is no such market. */
            category_strengths?: {
                [key: string]: {
                    /** @description Markets with a profit. */
                    wins: number;
                    /** @description Markets with a profit or a loss. */
                    decided: number;
                    /** @description wins divided by decided, a fraction from 0 to 1; null with not_enough_data. */
                    win_rate: number | null;
                    /** @description Mean price paid, a fraction from 0 to 1: the win rate that the prices implied. Null with not_enough_data. */
                    expected_win_rate: number | null;
                    /** @description Profit in these markets, in dollars. */
                    pnl: number;
                    /** @description Cost of these markets, in dollars. */
                    cost: number;
                    /** @description pnl divided by cost, a fraction: 0.1 is 10 percent. Null with not_enough_data. */
                    return_on_cost: number | null;
                    /**
                     * @description measured: at least five decided markets. not_enough_data: fewer.
                     * @enum {string}
                     */
                    status: "measured" | "not_enough_data";
                };
            };
            /** @description Skill by category over all settled purchases. Requires `expand=categories`. Omitted when no purchase was in a category. */
            category_records?: components["schemas"]["CategorySkillV2"][];
            category_skill_model?: components["schemas"]["CategorySkillModelReadiness"];
            /** @description Risk and consistency figures. Requires `expand=quant_metrics`. Omitted when they were computed six or more hours ago. */
            quant_metrics?: components["schemas"]["TraderQuantMetrics"];
            /**
             * Format: date-time
             * @description Time of the last recorded fill, split, merge or conversion, UTC. Omitted when there is none.
             */
            last_active?: string;
            /**
             * Format: date-time
             * @description Time of the last complete read of the trader's activity, UTC. Omitted before the first one.
             */
            synced_at?: string;
            /**
             * @description synced: the activity has been read completely. pending: it is being read. unknown: the trader is not tracked.
             * @enum {string}
             */
            sync_status: "synced" | "pending" | "unknown";
            data_quality: components["schemas"]["DataQuality"];
            /** @description Trust metadata of each value, keyed by the name of the value. Requires `expand=trust`. */
            trust?: components["schemas"]["TraderTrust"];
        };
        /** @description The trader's record in one category. */
        TraderCategoryRecord: {
            /** @description Name of the category. Esports has its games in `games`. */
            category: string;
            /** @description Settled markets with a profit after fees. */
            wins: number;
            /** @description Settled markets with a profit or a loss; markets with a result of exactly 0 dollars do not count. */
            decided: number;
            /** @description wins divided by decided, a fraction from 0 to 1; null with not_enough_data. */
            win_rate: number | null;
            /**
             * @description measured: there are enough decided markets for a rate. not_enough_data: there are too few.
             * @enum {string}
             */
            status: "measured" | "not_enough_data";
            /** @description Records by game, most decided markets first. Omitted in every category other than Esports. */
            games?: components["schemas"]["TraderEsportsGameRecord"][];
        };
        /** @description How often one trader made a profit, by category. */
        TraderCategoryRecords: {
            /** @description The trader's trd_ id. */
            id: string;
            /** @description The trader's wallet address, lower case. */
            address: string;
            /**
             * @description Every settled market with a category counts, at any stake. A market from which shares of unknown origin left does not count.
             * @enum {string}
             */
            basis: "settled_markets_all_sizes";
            /** @description Minimum number of decided markets for a rate. */
            min_decided_for_win_rate: number;
            /** @description Time at which the records were computed, UTC. Null without records: no market has settled, or the trader's history in ordinary markets is not known. */
            computed_at: string | null;
            completeness: components["schemas"]["TrustCompleteness"];
            /** @description Records by category, most decided markets first, then by name. */
            records: components["schemas"]["TraderCategoryRecord"][];
        };
        /** @description One trader with a position summary and a note on freshness. */
        TraderContext: {
            trader: components["schemas"]["Trader"];
            /** @description Omitted when the trader's history in ordinary markets is not known, or when an open position has no price. */
            position_summary?: components["schemas"]["TraderPositionSummary"];
            /** @description Time of the figures, UTC: `position_summary.as_of`, or else the last complete read of the trader's activity. Null before the first read. */
            data_as_of: string | null;
            /** @description Age and completeness of the figures, as text. */
            freshness_note: string;
        };
        /** @description The trader's record in one esports game. */
        TraderEsportsGameRecord: {
            /** @description Name of the esports game. */
            game: string;
            /** @description Stable key of the game. */
            series_slug: string;
            /** @description Settled markets with a profit after fees. */
            wins: number;
            /** @description Settled markets with a profit or a loss; markets with a result of exactly 0 dollars do not count. */
            decided: number;
            /** @description wins divided by decided, a fraction from 0 to 1; null with not_enough_data. */
            win_rate: number | null;
            /**
             * @description measured: there are enough decided markets for a rate. not_enough_data: there are too few.
             * @enum {string}
             */
            status: "measured" | "not_enough_data";
        };
        /** @description What the file has, and how to check it. */
        TraderExportArtifactManifest: {
            /** @description Version of the manifest. */
            manifest_version: string;
            /**
             * @description Format of the file. parquet is an addition to the contract.
             * @enum {string}
             */
            format: "json" | "ndjson" | "csv" | "parquet";
            /**
             * @description Version of the file's content.
             * @enum {string}
             */
            schema_version: "trader-export-json-v1" | "trader-export-ndjson-v1" | "trader-export-csv-v1" | "trader-export-parquet-v1";
            /**
             * @description json and ndjson begin with an envelope about the trader, parquet has it in its footer; csv has only trades.
             * @enum {string}
             */
            coverage: "full_envelope_and_trades" | "trades_only";
            generation: components["schemas"]["TraderExportGeneration"];
            /**
             * Format: int64
             * @description Trades in the file.
             */
            row_count: number;
            /**
             * Format: int64
             * @description Bytes of the content, after decompression.
             */
            content_size_bytes: number;
            /** @description SHA-256 of the content, after decompression, lower-case hex. */
            content_sha256: string;
            /**
             * Format: int64
             * @description Bytes of the stored file: gzip, or Parquet as it is.
             */
            compressed_size_bytes: number;
            /** @description SHA-256 of the stored file, lower-case hex. */
            compressed_sha256: string;
            /** @description An addition to the contract. The Merkle root over the rows (RFC 6962), lower-case hex; null on files of an earlier release. */
            merkle_root: string | null;
        };
        /** @description Figures by category. */
        TraderExportCategoryWatermark: {
            /** @description Where the rows are stored. */
            source: string;
            /** @description not_in_file: the file has no such rows. */
            coverage: string;
            /** @description Null: not_in_file: the file has no such rows. */
            publication_fence: string | null;
            /** @description Null: not_in_file: the file has no such rows. */
            data_as_of: string | null;
        };
        /** @description The snapshot that the file has. */
        TraderExportGeneration: {
            /**
             * Format: uuid
             * @description Id of the snapshot.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the snapshot was selected, UTC.
             */
            selected_at: string;
            /**
             * @description The file was read in one REPEATABLE READ transaction.
             * @constant
             */
            consistency: "repeatable_read";
            source_watermarks: components["schemas"]["TraderExportSourceWatermarks"];
        };
        /** @description A job that writes the trades of one trader, and its file. */
        TraderExportJobData: {
            /**
             * Format: int64
             * @description Number of the job.
             */
            job_id: number;
            /**
             * @description queued and running lead to ready. cancel_requested becomes cancelled. reconcile_required: the storage has not confirmed the file, and it is checked again. ready, failed, expired and cancelled are final.
             * @enum {string}
             */
            status: "queued" | "running" | "cancel_requested" | "reconcile_required" | "ready" | "failed" | "expired" | "cancelled";
            /**
             * Format: int64
             * @description Trades of the snapshot; null until it is selected.
             */
            total_trades: number | null;
            /**
             * Format: int64
             * @description Trades read so far; null before the first.
             */
            processed_trades: number | null;
            /**
             * Format: int64
             * @description Bytes of the content, before compression; null until the job is ready.
             */
            file_size: number | null;
            /** @description Why a failed job failed; null otherwise. */
            error: string | null;
            /** @description Whether the status is final. */
            terminal: boolean;
            /**
             * @description What to do next.
             * @enum {string}
             */
            next_action: "poll" | "download" | "resubmit";
            /** @description Seconds until the next poll; left out in a final status. */
            poll_after_s?: number;
            /**
             * Format: date-time
             * @description When the job was submitted, UTC.
             */
            created_at: string;
            /** @description When a worker last took the job, UTC; null before. */
            started_at: string | null;
            /** @description When the file was ready, UTC; null before. */
            ready_at: string | null;
            /** @description When the job failed, UTC; null before. */
            failed_at: string | null;
            /**
             * Format: date-time
             * @description When the file is deleted: 24 hours after the submit, UTC.
             */
            expires_at: string;
            /** @description When the file expired, UTC; null before. */
            expired_at: string | null;
            /** @description When the snapshot of the data was selected, UTC; null before. */
            data_as_of: string | null;
            /** @description When the cancellation was requested, UTC; null before. */
            cancel_requested_at: string | null;
            /** @description When the job was cancelled, UTC; null before. */
            cancelled_at: string | null;
            /** @description Attempts begun; 0 while queued. */
            attempt: number;
            /** @description Attempts after which the job fails. */
            max_attempts: number;
            /**
             * @description Format of the file. parquet is an addition to the contract.
             * @enum {string}
             */
            format: "json" | "ndjson" | "csv" | "parquet";
            /** @description The file; left out unless the job is ready. */
            artifact?: {
                /** @description Id of the file. It stays the same when a new download link is issued. */
                artifact_id: string;
                /** @description ETag of the stored file. */
                etag: string | null;
                /**
                 * Format: int64
                 * @description Bytes of the stored file: gzip, or Parquet as it is.
                 */
                compressed_size_bytes: number | null;
                proof: components["schemas"]["FileProof"];
                /** @description An addition to the contract. Why proof is null. no_signing_key: the service has no signing key. earlier_release: the file was written before files were signed. Null with a proof. */
                proof_unavailable_reason: ("no_signing_key" | "earlier_release") | null;
                /** @description Encoding of the stored file; null for parquet, which is stored as it is. */
                content_encoding: "gzip" | null;
                /**
                 * @description Media type of the content.
                 * @enum {string}
                 */
                content_type: "application/json" | "application/x-ndjson" | "text/csv" | "application/vnd.apache.parquet";
                /** @description What the file has, and how to check it. */
                manifest: components["schemas"]["TraderExportArtifactManifest"] | null;
            };
        };
        /** @description Daily profit. */
        TraderExportPnlWatermark: {
            /** @description Where the rows are stored. */
            source: string;
            /** @description not_in_file: the file has no such rows. */
            coverage: string;
            /**
             * Format: int64
             * @description Null: not_in_file: the file has no such rows.
             */
            revision: number | null;
            /** @description Null: not_in_file: the file has no such rows. */
            observed_at: string | null;
        };
        /** @description Positions. */
        TraderExportPositionWatermark: {
            /** @description Where the rows are stored. */
            source: string;
            /** @description not_in_file: the file has no such rows. */
            coverage: string;
            /**
             * Format: int64
             * @description Null: not_in_file: the file has no such rows.
             */
            generation: number | null;
            /** @description Null: not_in_file: the file has no such rows. */
            data_as_of: string | null;
        };
        /** @description What an export of the trader would have. */
        TraderExportSnapshot: {
            /** @description The trader's wallet address, lower case. */
            address: string;
            /**
             * Format: date-time
             * @description When this was computed, UTC.
             */
            generated_at: string;
            source_range: components["schemas"]["ExportSourceRange"];
            completeness: components["schemas"]["ExportCompleteness"];
            reconciliation: components["schemas"]["ExportVolumeReconciliation"];
            counts: components["schemas"]["ExportCounts"];
            large_export_policy: components["schemas"]["LargeExportPolicy"];
        };
        /** @description The state of each source in the snapshot. */
        TraderExportSourceWatermarks: {
            positions: components["schemas"]["TraderExportPositionWatermark"];
            pnl: components["schemas"]["TraderExportPnlWatermark"];
            categories: components["schemas"]["TraderExportCategoryWatermark"];
            trades: components["schemas"]["TraderExportTradeWatermark"];
        };
        /** @description Trades. */
        TraderExportTradeWatermark: {
            /** @description Where the rows are stored. */
            source: string;
            /** @description complete, partial, gaps, pending or untracked: how far the trader's history was known. */
            coverage: string;
            /**
             * Format: int64
             * @description Trades in the file.
             */
            rows: number;
            /** @description UTC date of the first trade; null without one. */
            first_activity_date: string | null;
        };
        /** @description The published grade of one trader at one time. */
        TraderGradeAt: {
            /** @description The trader's trd_ id. */
            id: string;
            /** @description The trader's wallet address, lower case. */
            address: string;
            /**
             * Format: date-time
             * @description The requested time, UTC.
             */
            as_of: string;
            /**
             * @description graded: the trader had a grade letter. ungraded: the trader was assessed and had no letter. unknown: no recorded observation covers the time, because it is before the first observation, or between the computation and the publication of a grade, when clients could read either grade.
             * @enum {string}
             */
            status: "graded" | "ungraded" | "unknown";
            /** @description The grade letter at that time, S best and F worst; null unless graded. */
            grade: ("S" | "A" | "B" | "C" | "D" | "F") | null;
            /** @description Time from which the trader's grade is known, UTC; null when it has never been known. */
            available_from: string | null;
            /** @description The observation that applied at the time; null when the status is unknown. */
            observation: {
                /** @description Number of the grade observation. */
                id: number;
                /** @description Number of the trader's previous observation; null for the first one. */
                previous_observation_id: number | null;
                /**
                 * Format: date-time
                 * @description Time of the computation, UTC. The grade does not apply to earlier times.
                 */
                observed_at: string;
                /**
                 * Format: date-time
                 * @description Latest time by which clients could read the grade, UTC.
                 */
                published_by: string;
                /** @description Version of the grading method; null when not recorded. */
                model_version: string | null;
                /** @description Always null, because the build that computed a grade is not recorded. */
                model_build_sha: string | null;
                /** @description Time by which all input of the grade was recorded, UTC; null when unknown. */
                source_observed_by: string | null;
            } | null;
        };
        /** @description Realized profit of one trader by day, month and year. Sections that were not requested are omitted. */
        TraderPnl: {
            /** @description The trader's trd_ id. */
            id: string;
            /** @description The requested view. Present when `from`, `to` or `sections` was sent. */
            view?: {
                /** @description First requested UTC day; null without a bound. */
                from: string | null;
                /** @description Last requested UTC day; null without a bound. */
                to: string | null;
                /** @description The returned sections, in the order of the response. */
                sections: ("entries" | "stats" | "monthly" | "year_totals" | "drawdown")[];
                /** @description Number of recorded days in the whole history. */
                entries_total: number;
                /** @description Number of recorded days from `from` to `to`, inclusive. */
                entries_in_window: number;
                /** @description The last recorded day before `from`, where the limited curve starts. Null without `from`, or when there is no earlier day. */
                anchor: {
                    /**
                     * Format: date
                     * @description UTC day.
                     */
                    date: string;
                    /** @description Dollars: profit realized up to and including that day; null when unknown. */
                    cumulative_profit: number | null;
                    /** @description Always null, because the unrealized profit of past days is not recorded. */
                    total_pnl: number | null;
                    /** @description Dollars: distance below the highest cumulative profit so far, 0 or negative; null when unknown. */
                    drawdown: number | null;
                } | null;
            };
            /** @description Time of the last complete read of the trader's activity, UTC. Null while the trader's history in ordinary markets is not known; all sections are then omitted, because a curve with gaps would be wrong. */
            freshness_at: string | null;
            completeness: components["schemas"]["TrustCompleteness"];
            /** @description Recorded days, oldest first, limited to `from` and `to`. Cumulative values are not rebased. */
            entries?: {
                /**
                 * Format: date
                 * @description UTC day.
                 */
                date: string;
                /** @description Markets with a buy or sell on the day. */
                markets_traded?: number;
                /** @description Dollars: volume of the buys and sells of the day. */
                total_volume?: number;
                /** @description Dollars: profit realized from the first recorded day to this one, including known fees and rebates. */
                cumulative_profit?: number;
                /** @description Dollars: profit realized on the day. Shares held until settlement count on the day on which their market settled. */
                daily_change: number;
            }[];
            /** @description Statistics over all days, and over the 90, 30 and 7 UTC days that end today, independent of `from` and `to`. */
            stats?: {
                all: components["schemas"]["TraderPnlPeriodStats"];
                d90: components["schemas"]["TraderPnlPeriodStats"];
                d30: components["schemas"]["TraderPnlPeriodStats"];
                d7: components["schemas"]["TraderPnlPeriodStats"];
            };
            /** @description Whole UTC months with a recorded day or a fill, oldest first; not limited by `from` and `to`. */
            monthly?: {
                /** @description UTC year. */
                year: number;
                /** @description Month of the year, 1 to 12. */
                month: number;
                /** @description Dollars: profit realized in the month. */
                pnl: number;
                /** @description Markets with a buy or sell in the month. */
                markets_traded: number;
            }[];
            /** @description Whole UTC years with a recorded day, oldest first; not limited by `from` and `to`. */
            year_totals?: {
                /** @description UTC year. */
                year: number;
                /** @description Dollars: profit realized in the year. */
                pnl: number;
            }[];
            /** @description Recorded days, limited to `from` and `to`. The peak is that of the whole history. */
            drawdown?: {
                /**
                 * Format: date
                 * @description UTC day.
                 */
                date: string;
                /** @description Dollars: profit realized up to and including the day. */
                cumulative_profit: number;
                /** @description Dollars: distance below the highest cumulative profit of the whole history so far; 0 or negative. */
                drawdown: number;
            }[];
        };
        /** @description Realized profit in one window of UTC days. */
        TraderPnlPeriodStats: {
            /** @description Dollars: cumulative profit at the end of the window, over the whole history. */
            current: number;
            /** @description Dollars: current minus rebase_anchor. */
            change: number;
            /** @description change in percent of the absolute value of rebase_anchor. If rebase_anchor is 0, the percentage is undefined: the number then gives only the direction (100, -100 or 0), so do not show it as a percentage. */
            change_pct: number;
            /** @description Dollars: highest daily result in the window; 0 in a window without a recorded day, because nothing was realized. */
            best_day: number;
            /**
             * Format: date
             * @description UTC day of best_day. Omitted in a window without a recorded day.
             */
            best_day_date?: string;
            /** @description Dollars: lowest daily result in the window; 0 in a window without a recorded day. */
            worst_day: number;
            /**
             * Format: date
             * @description UTC day of worst_day. Omitted in a window without a recorded day.
             */
            worst_day_date?: string;
            /** @description Days with a profit. */
            win_days: number;
            /** @description Days with a loss. */
            loss_days: number;
            /** @description Dollars: change divided by the number of recorded days in the window; 0 in a window without one. */
            avg_day: number;
            /** @description Dollars: cumulative profit just before the window. */
            rebase_anchor: number;
        };
        /** @description Totals of the trader's positions. */
        TraderPositionSummary: {
            /** @description Number of markets according to the provider. Always null, because the provider does not report it. */
            markets_total: number | null;
            /** @description Markets in which the trader ever had shares. */
            markets_synced: number;
            /** @description Markets of these in which all shares have settled. */
            markets_resolved: number;
            /** @description Markets with an open position of a value above 0. */
            markets_open: number;
            /** @description Fraction from 0 to 1 of the trader's markets whose profit is known. Combinations, and markets from which shares without a recorded acquisition left, are not known. 0 for a trader without markets. */
            sync_coverage: number;
            /** @description total_realized_pnl minus the realized profit of positions that are still open, in dollars. */
            synced_realized_pnl: number;
            /** @description Realized profit including known fees and rebates, in dollars; equal to `trader.pnl.realized`. */
            total_realized_pnl: number;
            /** @description Value of open positions at market prices minus their cost, in dollars. */
            unrealized_mtm: number;
            /** @description Cost of open positions, in dollars. */
            cost_basis_locked: number;
            /** @description Percent from 0 to 100 of decided markets with a profit; null without a decided market. */
            resolved_win_rate: number | null;
            /** @description Resolved markets with a profit; null when not counted. */
            resolved_wins: number | null;
            /** @description Resolved markets with a profit or a loss; null when not counted. */
            resolved_decided: number | null;
            /** @description Time of the last complete read of the trader's activity, UTC; null before the first one. */
            as_of: string | null;
        };
        /** @description Risk and consistency figures of the trader. */
        TraderQuantMetrics: {
            /** @description Points from 0 to 100 for risk-adjusted return, profit factor, consistency, return on capital, smoothness and diversification. Null when the history is too short, or when there are too few traders to compare with. */
            smart_score: number | null;
            /** @description Points from 0 to 100: the smart score minus penalties for what makes the trader hard to copy. Null when the history is too short, or when there are too few traders to compare with. */
            copy_score: number | null;
            /** @description Annualized Sharpe ratio of the last 30 days, a pure number: mean daily return on invested capital divided by its standard deviation. Null when the history is too short. */
            sharpe_30d: number | null;
            /** @description Annualized Sharpe ratio of the last 7 days, a pure number. Null when the history is too short. */
            sharpe_7d: number | null;
            /** @description Dollars won divided by dollars lost in settled markets, a pure number; at most 1000, which is also the value without a loss. Null when the history is too short. */
            profit_factor: number | null;
            /** @description Fraction from 0 to 1 of profitable days among the latest 30 days with a result. Null when the history is too short. */
            edge_consistency: number | null;
            /** @description Percentile of sharpe_30d among all traders: percent of them below it, 0 to 100; equal values count half. Null when the trader has no such figure, or when too few traders have one. */
            sharpe_percentile: number | null;
            /** @description Percentile of profit_factor among all traders: percent of them below it, 0 to 100; equal values count half. Null when the trader has no such figure, or when too few traders have one. */
            pf_percentile: number | null;
            /** @description Percentile of edge_consistency among all traders: percent of them below it, 0 to 100; equal values count half. Null when the trader has no such figure, or when too few traders have one. */
            consistency_percentile: number | null;
        };
        /** @description Trust metadata of each value of the trader, keyed by the name of the value. */
        TraderTrust: {
            total_pnl: components["schemas"]["TrustMetadata"];
            realized_pnl: components["schemas"]["TrustMetadata"];
            net_total_pnl: components["schemas"]["TrustMetadata"];
            unrealized_pnl: components["schemas"]["TrustMetadata"];
            markets_traded: components["schemas"]["TrustMetadata"];
            win_rate: components["schemas"]["TrustMetadata"];
            daily_win_rate: components["schemas"]["TrustMetadata"];
            total_volume: components["schemas"]["TrustMetadata"];
            grade: components["schemas"]["TrustMetadata"];
            score: components["schemas"]["TrustMetadata"];
            forecast_score: components["schemas"]["TrustMetadata"];
            forecast_evidence: components["schemas"]["TrustMetadata"];
            rank: components["schemas"]["TrustMetadata"];
            streak_tier: components["schemas"]["TrustMetadata"];
            strategy: components["schemas"]["TrustMetadata"];
            category_strengths: components["schemas"]["TrustMetadata"];
            quant_metrics: components["schemas"]["TrustMetadata"];
            last_active: components["schemas"]["TrustMetadata"];
            synced_at: components["schemas"]["TrustMetadata"];
            sync_status: components["schemas"]["TrustMetadata"];
            category_records: components["schemas"]["TrustMetadata"];
            category_skill_model: components["schemas"]["TrustMetadata"];
        };
        /** @description One trader on the provider's profit leaderboard, with figures from our own records. */
        TrendingWallet: {
            /** @description The trader's trd_ id. */
            id: string;
            /** @description The trader's wallet address, lower case. */
            address: string;
            /** @description Rank on the provider's leaderboard, starting at 1. */
            rank: number;
            /** @description Username on the provider; left out when there is none. */
            username?: string;
            /** @description URL of the trader's picture on the provider; left out when there is none. */
            profile_image_url?: string;
            /**
             * @description Platform where the trader trades.
             * @constant
             */
            platform: "polymarket";
            /** @description Dollars: the provider's profit figure for the window. It orders the list. */
            trending_pnl_usd: number;
            /** @description Dollars: purchases and sales in our records, over whole UTC days. Left out until the trader's activity is known. */
            window_volume_usd?: number;
            /** @description Shares traded in the window as counted by the provider, not dollars. Left out when the provider gives none. */
            window_volume_shares?: number;
            /** @description Markets with a ledger entry in our records within the window. */
            window_markets_traded: number;
            /** @description UTC days with a ledger entry in our records within the window. */
            window_trade_days: number;
            /**
             * @description Current skill grade, S best and F worst; left out when ungraded.
             * @enum {string}
             */
            grade?: "S" | "A" | "B" | "C" | "D" | "F";
            /**
             * @description Recent form: the last seven days compared with all active traders; left out for inactive traders.
             * @enum {string}
             */
            streak_tier?: "hot" | "rising" | "neutral" | "cooling" | "cold";
            /** @description Dollars: realized profit in ordinary markets by our own accounting with fees and rebates, plus the unrealized profit of open shares. Left out when either is not known. */
            all_time_pnl_usd?: number;
            /**
             * Format: date-time
             * @description Time up to which the open shares in `all_time_pnl_usd` are valued at current prices, UTC; later price changes may be missing. Left out with that figure.
             */
            all_time_pnl_as_of?: string;
            pnl_correction?: components["schemas"]["PnlCorrection"];
            completeness: components["schemas"]["TrustCompleteness"];
            /** @description Current skill score, 0 to 100; 50 is exactly what the prices paid imply. Left out when ungraded. */
            all_time_score?: number;
            /**
             * Format: date-time
             * @description When the trader's activity was last read to its end, UTC; left out if it never was.
             */
            last_synced?: string;
            /** @description Realized profit per day in our records, oldest first. Days with a profit of exactly 0 are left out, so it is empty for a trader that realized nothing. The sum can differ from trending_pnl_usd. */
            daily_pnl_series: {
                /**
                 * Format: date
                 * @description UTC day.
                 */
                date: string;
                /** @description Dollars: realized profit on the UTC day. */
                pnl_usd: number;
            }[];
        };
        /** @description Whether a value is complete, and why not. */
        TrustCompleteness: {
            /**
             * @description complete: nothing is missing. partial: a part is missing. not_computed: the value can be computed, but has not been. not_applicable: the value cannot exist. unavailable: the inputs of the value are not known.
             * @enum {string}
             */
            status: "complete" | "partial" | "not_computed" | "not_applicable" | "unavailable";
            /** @description Why the value is missing or partial, as text. Left out when complete. */
            detail?: string;
        };
        /** @description Age of a value. */
        TrustFreshness: {
            /**
             * @description fresh: within its maximum age. refreshing: older, and about to be read again. stale: past its maximum age, or older than a result that is awaited. not_live: final, not expected to change. unknown: without a timestamp. unavailable: there is no value.
             * @enum {string}
             */
            status: "fresh" | "refreshing" | "stale" | "not_live" | "unknown" | "unavailable";
            /**
             * Format: date-time
             * @description Time that the value describes, UTC. Left out without a timestamp.
             */
            as_of?: string;
            /** @description Age in seconds after which the value is stale. Left out when it has no maximum age. */
            max_age_s?: number;
        };
        /** @description Source, freshness, reconciliation and completeness of one value. */
        TrustMetadata: {
            source: components["schemas"]["TrustSource"];
            freshness: components["schemas"]["TrustFreshness"];
            reconciliation: components["schemas"]["TrustReconciliation"];
            completeness: components["schemas"]["TrustCompleteness"];
        };
        /** @description What a value was checked against. */
        TrustReconciliation: {
            /**
             * @description provider_backed: the provider's own value. db_mirror: a copy in our database. computed: our own value, not compared with another source. partial: only a part was compared. not_applicable: there is nothing to compare. unavailable: there is no value.
             * @enum {string}
             */
            status: "provider_backed" | "db_mirror" | "computed" | "partial" | "not_applicable" | "unavailable";
            /** @description What was compared, as text. Left out when the status says everything. */
            detail?: string;
        };
        /** @description Where a value comes from. */
        TrustSource: {
            /**
             * @description provider: as given by the provider. database: as stored. computed: computed by this API from stored data. cache: from an earlier response. client_input: from the request. unavailable: there is no value.
             * @enum {string}
             */
            kind: "provider" | "database" | "cache" | "computed" | "client_input" | "unavailable";
            /** @description Table and column, or component of the service, that the value comes from. */
            owner: string;
            /** @description Part of the owner, where the owner has several values. */
            field?: string;
        };
        /** @description The fields to change. Omitted fields stay unchanged. */
        UpdateWebhookRequest: {
            /** @description Name of the endpoint, chosen by you, 1 to 100 characters. */
            name?: string;
            /**
             * Format: uri
             * @description URL to which events are posted: https, port 443, a public host, no user name or password, and different from the URLs of the account's other endpoints. Any other URL is 400.
             */
            url?: string;
            /** @description Event types to deliver, at least one. Duplicates are removed. */
            event_types?: components["schemas"]["WebhookEventType"][];
            trade_filters?: components["schemas"]["LargeTradeSubscriptionFilters"];
            /** @description false stops deliveries and moves pending deliveries to dead_letter. true re-enables a disabled endpoint. Unchanged when omitted. */
            enabled?: boolean;
        };
        /** @description Budget usage of an account, over all of its API keys. */
        Usage: {
            /** @description Requests in the last 60 seconds. Requests for usage or identity are not counted. */
            rate_limit: {
                /** @description Requests counted in the window. */
                used: number;
                /** @description Requests allowed within the window. */
                limit: number;
                /** @description Requests left in the window. */
                remaining: number;
                /** @description When the oldest counted request leaves the window, in Unix seconds. */
                reset_at: number;
                /**
                 * @description Length of the window in seconds.
                 * @constant
                 */
                window_seconds: 60;
            };
            /** @description Requests on this UTC day. */
            daily_usage: {
                /** @description Requests on the day. */
                used: number;
                /** @description Always null: there is no daily limit. */
                limit: number | null;
                /** @description Always null: there is no daily limit. */
                remaining: number | null;
                /** @description When the next UTC day begins, in Unix seconds. */
                reset_at: number;
                /**
                 * @description Length of the day in seconds.
                 * @constant
                 */
                window_seconds: 86400;
            };
            /** @description Quota of this UTC month. Null when the requests could not be counted. */
            monthly_quota: {
                /** @description Requests in this UTC month. */
                used: number;
                /** @description Requests per UTC month that the subscription includes. */
                limit: number;
                /** @description Included requests that are left. */
                remaining: number;
                /** @description When the next UTC month begins, in Unix seconds. */
                reset_at: number;
                /** @description Time from which the ceiling is enforced, in Unix seconds. */
                enforced_from: number;
                /** @description Whether requests beyond the ceiling are refused. */
                binding: boolean;
                /** @description Whether the account pays for requests beyond the included ones. */
                pay_as_you_go: boolean;
                /** @description Number of requests per UTC month after which requests are refused: the limit, or more with pay-as-you-go. Null when requests are never refused. */
                ceiling: number | null;
            } | null;
        };
        /** @description The token that verifies the endpoint. */
        VerifyWebhookRequest: {
            /** @description The token that was returned when the endpoint was created or its URL was changed. */
            verification_token: string;
        };
        /** @description A watchlist with its addresses. */
        Watchlist: {
            /** @description The list's wl_ id, for the filter `watchlist`. */
            id: string;
            /**
             * @description Always watchlist.
             * @constant
             */
            object: "watchlist";
            /** @description Name chosen by the owner. */
            name: string;
            /** @description Number of addresses in the list. */
            wallet_count: number;
            /**
             * Format: date-time
             * @description Time of creation, UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change of name or addresses, UTC. The same content again does not change it.
             */
            updated_at: string;
            /** @description The addresses in lower case, in ascending order. */
            wallets: string[];
        };
        /** @description Name and addresses of a watchlist. Both are required. */
        WatchlistContent: {
            /** @description Name of the list, chosen by you, 1 to 100 characters. */
            name: string;
            /** @description All addresses of the list, at most 5000, in upper or lower case. Repeated ones are stored once. An empty list is valid and matches no trade. */
            wallets: string[];
        };
        /** @description A watchlist without its addresses. */
        WatchlistSummary: {
            /** @description The list's wl_ id, for the filter `watchlist`. */
            id: string;
            /**
             * @description Always watchlist.
             * @constant
             */
            object: "watchlist";
            /** @description Name chosen by the owner. */
            name: string;
            /** @description Number of addresses in the list. */
            wallet_count: number;
            /**
             * Format: date-time
             * @description Time of creation, UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change of name or addresses, UTC. The same content again does not change it.
             */
            updated_at: string;
        };
        /** @description A number of items; read the items from the list. */
        WebhookCountData: {
            /** @description Number of new or changed items. */
            count: number;
        };
        /** @description The delivery of one event to one endpoint. It never contains the posted body or the secret. */
        WebhookDelivery: {
            /** @description Number of the delivery. It is the same in all attempts and in their headers. */
            id: number;
            /**
             * @description Always webhook_delivery.
             * @constant
             */
            object: "webhook_delivery";
            /** @description Unique id of the event. It is the same in all attempts, and when the same trade, flag, synced trader, grade or job is recorded again after a restore of the database. */
            event_id: string;
            event_type: components["schemas"]["WebhookEventType"];
            /** @description pending: not attempted yet. processing: an attempt is in flight. retry: an attempt failed and another one follows. delivered: the receiver accepted it. dead_letter: there are no further attempts. */
            status: string;
            /** @description Number of attempts so far. */
            attempt_count: number;
            /** @description HTTP status of the response to the last attempt. Omitted before the first attempt, and when there was no response. */
            last_response_status?: number;
            /** @description Last error. Omitted when there was none. */
            last_error?: string;
            /**
             * Format: date-time
             * @description Time at which the receiver first accepted the delivery. Omitted before that. UTC.
             */
            delivered_at?: string;
            /** @description Time of the next attempt; null while an attempt is in flight, and when no attempt follows. UTC. */
            next_attempt_at: string | null;
            /** @description Reason for the time of the next attempt. receiver_retry_after: the receiver sent Retry-After. transient_failure: a failure that may be temporary. permanent_or_auth_failure: a failure that may be permanent. manual_redelivery: the owner requested it. configuration_changed: the endpoint was changed. Null for a first attempt, and when next_attempt_at is null. */
            retry_schedule_reason: ("receiver_retry_after" | "transient_failure" | "permanent_or_auth_failure" | "manual_redelivery" | "configuration_changed") | null;
            /**
             * Format: date-time
             * @description Time at which the delivery was created. UTC.
             */
            created_at: string;
        };
        /** @description An endpoint to which events are posted. */
        WebhookEndpoint: {
            /** @description Number of the endpoint. */
            id: number;
            /**
             * @description Always webhook.
             * @constant
             */
            object: "webhook";
            /** @description Name chosen by the owner. */
            name: string;
            /**
             * Format: uri
             * @description URL to which events are posted.
             */
            url: string;
            /** @description Registered event types, in the spelling that deliveries use. */
            event_types: components["schemas"]["WebhookEventType"][];
            trade_filters: components["schemas"]["LargeTradeSubscriptionFilters"];
            status: components["schemas"]["WebhookStatus"];
            /** @description Time at which the current URL was verified; null before that. UTC. */
            verified_at: string | null;
            /**
             * Format: date-time
             * @description Expiry of the latest verification token. UTC.
             */
            verification_token_expires_at: string;
            /** @description Number of consecutive failed attempts, over all deliveries. */
            failure_count: number;
            /**
             * Format: date-time
             * @description Time of creation. UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change. UTC.
             */
            updated_at: string;
            retry_policy: components["schemas"]["WebhookRetryPolicy"];
            secret_rotation: components["schemas"]["WebhookSecretRotation"];
            /** @description Secret that signs deliveries: whsec_ and 43 characters. Present only in responses that create, prepare or activate it; omitted in all other responses. */
            signing_secret?: string;
            verification?: components["schemas"]["WebhookVerification"];
        };
        /** @description An event type that endpoints can register. */
        WebhookEventDescriptor: {
            id: components["schemas"]["WebhookEventType"];
            /** @description Condition under which the event occurs. */
            description: string;
            /** @description Name of the schema of the event data. */
            payload_shape: string;
            /**
             * @description active: the event can occur. dormant: the event can be registered but does not occur at present.
             * @enum {string}
             */
            status: "active" | "dormant";
        };
        /**
         * @description An event type from GET /api/v1/webhooks/events. Some events have two spellings: either one registers the event, and deliveries use the registered spelling.
         * @enum {string}
         */
        WebhookEventType: "large_trade_inserted_v2" | "large_trades_inserted" | "whale_trades_inserted" | "live_sports_updated" | "trader_synced" | "whale_trader_synced" | "large_positions_updated" | "wallet_grade_changed" | "suspicious_trade_flagged" | "insider_radar_flag_raised" | "sharp_money_flow_detected" | "smart_money_flow_detected" | "export_job_ready" | "export_job_failed" | "export_job_expired" | "export_job_cancelled";
        /** @description An export or dataset job of the account. The event never contains a download URL. */
        WebhookExportJobData: {
            /** @description The job's id, as its status operation accepts it. */
            job_id: number;
            /**
             * @description Kind of job.
             * @enum {string}
             */
            kind: "trader_export" | "whale_dataset";
            /**
             * @description Final status of the job.
             * @enum {string}
             */
            status: "ready" | "failed" | "expired" | "cancelled";
            /**
             * @description Format of the file.
             * @enum {string}
             */
            format: "json" | "ndjson" | "csv" | "parquet";
            /** @description Row number of the exported trader: 12 is trd_12; left out on datasets. */
            trader_id?: number;
            /** @description The filters of a dataset; left out on exports. */
            filters?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the job was submitted, UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the file is deleted, UTC.
             */
            expires_at: string;
            /** @description Why a failed job failed; null otherwise. */
            error: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A large trade as recorded. */
        WebhookLargeTradeInsertedV2Data: {
            /** @description The event's id, equal to `id` of the delivery's body. */
            event_id: string;
            /** @description The trade's number: 81 is wt_81. */
            whale_alert_id: number;
            /** @description The market: the provider's condition id. */
            condition_id: string;
            /** @description The trader's number: 12 is trd_12. */
            trader_id: number;
            /** @description The trader's wallet address. */
            wallet: string;
            /** @description The trader's grade when the trade was recorded; null if ungraded. */
            grade: ("S" | "A" | "B" | "C" | "D" | "F") | null;
            /** @description Size in dollars, without fees, exact. */
            size_usd: string;
            /** @description Number of shares, exact. */
            shares: string;
            /** @description Dollars per share, 0 to 1, exact. */
            price: string;
            /**
             * @description Whether the trader bought or sold.
             * @enum {string}
             */
            side: "BUY" | "SELL";
            /** @description Index of the outcome, from 0 in the provider's order; null while the market has not been read. */
            outcome_index: number | null;
            /**
             * Format: date-time
             * @description Time of the fill, UTC.
             */
            traded_at: string;
            /**
             * @description The provider.
             * @constant
             */
            platform: "polymarket";
        };
        /** @description A change in a covered game. */
        WebhookLiveSportsUpdatedData: {
            /** @description The game's slug, as the games operations accept it. */
            event_slug: string;
            /** @description The provider's game id. */
            game_id?: string;
            /** @description The game's league. */
            league?: string;
            /** @description Version of the game's state; it increases with every change. */
            version: number;
            /** @description Fields that changed since the previous version. */
            changed: string[];
            /**
             * Format: date-time
             * @description Time at which the provider reported the change, UTC.
             */
            observed_at: string;
            /**
             * Format: date-time
             * @description Time at which the change was recorded, UTC.
             */
            published_at: string;
            /** @description The game's status in the provider's terms. */
            status?: string;
            /** @description The current part of the game. */
            period?: string;
            /** @description The game clock. */
            clock?: string;
            /** @description Whether the game is in progress. */
            live?: boolean;
            /** @description Whether the game has ended. */
            ended?: boolean;
            /** @description Current scores, one entry per competitor. */
            scores?: {
                /** @description Short name. */
                team?: string;
                /** @description Full name; omitted when it equals the short name. */
                full_name?: string;
                /** @description Score in the provider's format. */
                score?: string;
                /** @description Score in the current map, where the game has maps. */
                map_score?: unknown;
            }[];
            /** @description Number of maps or games in the series, such as bo3. */
            series_format?: string;
            /** @description Path of the game's current state. Read it when a version is missing. */
            snapshot_url: string;
        };
        /** @description Retries when the receiver does not accept a delivery. */
        WebhookRetryPolicy: {
            /** @description Maximum number of attempts of one delivery. */
            max_attempts: number;
            /**
             * @description Status of a delivery after the last failed attempt.
             * @constant
             */
            terminal_status: "dead_letter";
            /** @description Maximum total wait between the attempts of one delivery in seconds, unless the receiver requests longer waits. Attempts are about a minute apart. */
            retry_horizon_seconds: number;
            /** @description Number of consecutive failed attempts, over all deliveries, that disables the endpoint. Any success resets the count. */
            disable_after_consecutive_failures: number;
        };
        /** @description State of the rotation of the signing secret. */
        WebhookSecretRotation: {
            /**
             * @description idle: one secret signs and none is prepared. pending: a secret is prepared and does not sign yet. overlap: the current and the previous secret both sign.
             * @enum {string}
             */
            status: "idle" | "pending" | "overlap";
            /** @description Time at which the previous secret stops signing; null outside an overlap. UTC. */
            overlap_expires_at: string | null;
        };
        /** @description A market where the net flow of graded traders is on one side. */
        WebhookSharpMoneyFlowDetectedData: {
            /** @description The market: the provider's condition id. */
            condition_id: string;
            /** @description Dollars on YES minus dollars on NO in the window. */
            net_flow_usd: number;
            /** @description Absolute net flow in dollars. */
            abs_net_flow_usd: number;
            /**
             * @description The side of the net flow.
             * @enum {string}
             */
            dominant_side: "yes" | "no";
            /**
             * @description The lowest grade included in the sum.
             * @enum {string}
             */
            grade_floor: "S" | "A" | "B" | "C" | "D" | "F";
            /** @description Number of large trades in the sum. */
            whale_trade_count: number;
            /** @description Length of the window: 1h, 4h, 24h or 7d. */
            window: string;
        };
        /**
         * @description pending_verification: nothing is delivered until the endpoint is verified. active: events are delivered. disabled: by the owner, after eight consecutive failures, or because the receiver responded with 410.
         * @enum {string}
         */
        WebhookStatus: "pending_verification" | "active" | "disabled";
        /** @description A large trade whose suspicion score has reached the reporting threshold. */
        WebhookSuspiciousTradeFlaggedData: {
            /** @description The flag's number: 81 is rf_81. */
            trade_id: number;
            /** @description The trader's wallet address. */
            wallet: string;
            /** @description The trader's number: 12 is trd_12. */
            trader_id: number;
            /** @description The market: the provider's condition id. */
            condition_id: string;
            /** @description Suspicion score, 0 to 100. */
            suspicion_score: number;
            /**
             * @description The rule that flagged the trade.
             * @enum {string}
             */
            track: "whale" | "fresh_conviction" | "sliced_position";
            /**
             * @description The side of the market that the trader took.
             * @enum {string}
             */
            side: "yes" | "no";
            /** @description Size in dollars, truncated to cents. */
            size: number;
            /** @description Dollars per share, 0 to 1, truncated to four decimals. */
            price: number;
        };
        /** @description Result of a test event. */
        WebhookTest: {
            /**
             * @description Always webhook_test.
             * @constant
             */
            object: "webhook_test";
            /** @description Whether the receiver responded with 2xx in time. */
            delivered: boolean;
            /** @description HTTP status of the response; null when there was none. */
            response_status: number | null;
            /** @description Error of the request; null when there was none. */
            error: string | null;
            /** @description Duration of the request in milliseconds. */
            duration_ms: number;
        };
        /** @description A trader whose complete activity is now recorded. */
        WebhookTraderSyncedData: {
            /** @description The trader's number: 12 is trd_12. */
            trader_id: number;
            /** @description The trader's wallet address. */
            wallet: string;
        };
        /** @description The token to verify the endpoint with. Present only in the response that creates the endpoint or changes its URL; omitted in all other responses. */
        WebhookVerification: {
            /** @description Token that verifies the endpoint: whv_ and 32 hex digits. */
            token: string;
            /**
             * Format: date-time
             * @description Expiry of the token, 24 hours after its creation. UTC.
             */
            expires_at: string;
        };
        /** @description An attempt to verify an endpoint by a signed challenge, posted up to four times until the receiver responds with 2xx. */
        WebhookVerificationAttempt: {
            /**
             * Format: uuid
             * @description Id of the attempt.
             */
            id: string;
            /**
             * @description Always webhook_verification_attempt.
             * @constant
             */
            object: "webhook_verification_attempt";
            /** @description Number of the endpoint. */
            webhook_id: number;
            /**
             * @description queued: a challenge is scheduled. running: a challenge is in flight. verified, failed, cancelled and expired are final.
             * @enum {string}
             */
            state: "queued" | "running" | "verified" | "failed" | "cancelled" | "expired";
            /** @description Result of the last challenge, or the reason for the end of the attempt. verified: the receiver responded with 2xx. target_rejected: the URL is not allowed. challenge_timeout: no response within 10 seconds. transport_failed: no connection. receiver_rejected: a response other than 2xx. token_expired: the verification token has expired. endpoint_changed: the endpoint no longer waits for verification, or has another URL. owner_revoked: the account may no longer use webhooks. attempts_exhausted: all four challenges failed. internal_error: a failure of this service. Null before the first challenge ends. */
            outcome: ("verified" | "target_rejected" | "challenge_timeout" | "transport_failed" | "receiver_rejected" | "token_expired" | "endpoint_changed" | "owner_revoked" | "attempts_exhausted" | "internal_error") | null;
            /** @description Number of challenges so far. */
            attempt_count: number;
            /** @description Maximum number of challenges. */
            max_attempts: number;
            /**
             * Format: date-time
             * @description Latest end of the attempt: 15 minutes after its start, or the expiry of the token if that is earlier. UTC.
             */
            expires_at: string;
            /** @description Time of the next challenge; null unless the state is queued. UTC. */
            next_attempt_at: string | null;
            /** @description HTTP status of the last response; null before the first one. */
            last_response_status: number | null;
            /** @description Start of the first challenge; null before that. UTC. */
            started_at: string | null;
            /** @description End of the attempt; null before that. UTC. */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description Time at which the attempt was requested. UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change. UTC.
             */
            updated_at: string;
            /** @description Path of this attempt, relative to the API. */
            status_url: string;
        };
        /** @description A change of a trader's published grade. */
        WebhookWalletGradeChangedData: {
            /** @description The trader's wallet address. */
            wallet: string;
            /** @description The trader's number: 12 is trd_12. */
            trader_id: number;
            /**
             * @description The previous grade.
             * @enum {string}
             */
            old_grade: "S" | "A" | "B" | "C" | "D" | "F";
            /**
             * @description The new grade.
             * @enum {string}
             */
            new_grade: "S" | "A" | "B" | "C" | "D" | "F";
            /**
             * @description `upgrade` when the new grade is better than the old one, else `downgrade`.
             * @enum {string}
             */
            direction: "upgrade" | "downgrade";
            /** @description The score behind the new grade, 0 to 100. */
            final_score?: number;
            /**
             * Format: date
             * @description Date of the change, UTC.
             */
            date: string;
            /**
             * @description The worse of the two grades. A list with this minimum grade contains the trader before or after the change.
             * @enum {string}
             */
            grade_floor: "S" | "A" | "B" | "C" | "D" | "F";
        };
        /** @description What the file has, and how to check it. */
        WhaleDatasetArtifactManifest: {
            /** @description Version of the manifest. */
            manifest_version: string;
            /**
             * @description Format of the file. parquet is an addition to the contract.
             * @enum {string}
             */
            format: "ndjson" | "parquet";
            /**
             * @description Version of the rows.
             * @constant
             */
            schema_version: "whale_dataset_v1";
            /**
             * @description Large trades as they were detected; a trade that is never detected is missing.
             * @constant
             */
            coverage: "best_effort_detected_whale_alerts";
            generation: components["schemas"]["WhaleDatasetGeneration"];
            /**
             * Format: int64
             * @description Trades in the file.
             */
            row_count: number;
            /**
             * Format: int64
             * @description Bytes of the content, after decompression.
             */
            content_size_bytes: number;
            /** @description SHA-256 of the content, after decompression, lower-case hex. */
            content_sha256: string;
            /**
             * Format: int64
             * @description Bytes of the stored file: gzip, or Parquet as it is.
             */
            compressed_size_bytes: number;
            /** @description SHA-256 of the stored file, lower-case hex. */
            compressed_sha256: string;
            /** @description An addition to the contract. The Merkle root over the rows (RFC 6962), lower-case hex; null on files of an earlier release. */
            merkle_root: string | null;
        };
        /** @description How to continue after the file without a gap. */
        WhaleDatasetContinuation: {
            /**
             * @description The operation that continues after the file.
             * @constant
             */
            path: "/api/v1/events/feed/since";
            /** @description Its first cursor. Send the two filters below with it. */
            cursor: string;
            /** @description Decimal. The first transaction of the replay. */
            from_commit_xid: string;
            /** @description The filter condition_id; null: leave it out. */
            condition_id: string | null;
            /** @description The filter min_size, in dollars; null: leave it out. */
            min_size: string | null;
            /** @description How a trade of the file is recognised in the replay. */
            deduplication_identity: string;
            /**
             * @description The replay has trades of any time: filter them by traded_at.
             * @constant
             */
            time_window_applies_to_deltas: false;
            /** @description How often the replay has a trade. Events are kept for seven days. */
            delivery: string;
        };
        /** @description The filters of the dataset. */
        WhaleDatasetFilters: {
            /**
             * Format: date-time
             * @description Start of the range, included, UTC.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the range, excluded, UTC.
             */
            to: string;
            /** @description Condition id of the market; null for all markets. */
            condition_id: string | null;
            /** @description Minimum size in cents; null for all sizes. */
            min_size_cents: number | null;
        };
        /** @description The snapshot that the file has. */
        WhaleDatasetGeneration: {
            /**
             * @description Version of the rows.
             * @constant
             */
            dataset_schema_version: "whale_dataset_v1";
            /**
             * Format: uuid
             * @description Id of the snapshot.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the snapshot was selected, UTC.
             */
            selected_at: string;
            /**
             * @description All trades that were committed below the horizon of one REPEATABLE READ snapshot.
             * @constant
             */
            consistency: "repeatable_read_commit_horizon";
            filters: components["schemas"]["WhaleDatasetFilters"];
            /** @description Decimal. Every line has a smaller inserted_xid. */
            commit_horizon_xid: string;
            continuation: components["schemas"]["WhaleDatasetContinuation"];
            /**
             * @description The stored large trades.
             * @constant
             */
            source: "whale_alerts";
            /** @description What the file covers. */
            coverage: string;
            /**
             * Format: date-time
             * @description When the file is deleted, UTC.
             */
            expires_at: string;
            /** @description Milliseconds from the selection to the finished file. */
            extraction_elapsed_ms: number;
        };
        /** @description A job that writes a dataset, and its file. */
        WhaleDatasetJobData: {
            /**
             * Format: int64
             * @description Number of the job.
             */
            job_id: number;
            /**
             * @description queued and running lead to ready. cancel_requested becomes cancelled. reconcile_required: the storage has not confirmed the file, and it is checked again. ready, failed, expired and cancelled are final.
             * @enum {string}
             */
            status: "queued" | "running" | "cancel_requested" | "reconcile_required" | "ready" | "failed" | "expired" | "cancelled";
            /**
             * Format: int64
             * @description Trades of the snapshot; null until it is selected.
             */
            total_trades: number | null;
            /**
             * Format: int64
             * @description Trades read so far; null before the first.
             */
            processed_trades: number | null;
            /**
             * Format: int64
             * @description Bytes of the content, before compression; null until the job is ready.
             */
            file_size: number | null;
            /** @description Why a failed job failed; null otherwise. */
            error: string | null;
            /** @description Whether the status is final. */
            terminal: boolean;
            /**
             * @description What to do next.
             * @enum {string}
             */
            next_action: "poll" | "download" | "resubmit";
            /** @description Seconds until the next poll; left out in a final status. */
            poll_after_s?: number;
            /**
             * Format: date-time
             * @description When the job was submitted, UTC.
             */
            created_at: string;
            /** @description When a worker last took the job, UTC; null before. */
            started_at: string | null;
            /** @description When the file was ready, UTC; null before. */
            ready_at: string | null;
            /** @description When the job failed, UTC; null before. */
            failed_at: string | null;
            /**
             * Format: date-time
             * @description When the file is deleted: 24 hours after the submit, UTC.
             */
            expires_at: string;
            /** @description When the file expired, UTC; null before. */
            expired_at: string | null;
            /** @description When the snapshot of the data was selected, UTC; null before. */
            data_as_of: string | null;
            /** @description When the cancellation was requested, UTC; null before. */
            cancel_requested_at: string | null;
            /** @description When the job was cancelled, UTC; null before. */
            cancelled_at: string | null;
            /** @description Attempts begun; 0 while queued. */
            attempt: number;
            /** @description Attempts after which the job fails. */
            max_attempts: number;
            /**
             * @description Format of the file. parquet is an addition to the contract.
             * @enum {string}
             */
            format: "ndjson" | "parquet";
            filters: components["schemas"]["WhaleDatasetFilters"];
            /** @description The file; left out unless the job is ready. */
            artifact?: {
                /** @description Id of the file. It stays the same when a new download link is issued. */
                artifact_id: string;
                /** @description ETag of the stored file. */
                etag: string | null;
                /**
                 * Format: int64
                 * @description Bytes of the stored file: gzip, or Parquet as it is.
                 */
                compressed_size_bytes: number | null;
                proof: components["schemas"]["FileProof"];
                /** @description An addition to the contract. Why proof is null. no_signing_key: the service has no signing key. earlier_release: the file was written before files were signed. Null with a proof. */
                proof_unavailable_reason: ("no_signing_key" | "earlier_release") | null;
                /** @description Encoding of the stored file; null for parquet, which is stored as it is. */
                content_encoding: "gzip" | null;
                /**
                 * @description Media type of the content.
                 * @enum {string}
                 */
                content_type: "application/x-ndjson" | "application/vnd.apache.parquet";
                /** @description What the file has, and how to check it. */
                manifest: components["schemas"]["WhaleDatasetArtifactManifest"] | null;
            };
        };
        /** @description Which trades: those with from <= traded_at < to. The range must not be longer than 31 days. */
        WhaleDatasetRequest: {
            /**
             * Format: date-time
             * @description Start of the range, included.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the range, excluded. It must not be in the future.
             */
            to: string;
            /** @description Only this market, by condition id or mkt_ id. An unknown market is 400. */
            condition_id?: string;
            /** @description Minimum size in dollars, without fees, rounded to cents. Sizes are compared in cents. */
            min_size?: number;
            /**
             * @description Format of the file: ndjson, or parquet with the same rows. An addition to the contract, which has ndjson only.
             * @default ndjson
             * @enum {string}
             */
            format?: "ndjson" | "parquet";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getApiDiscovery: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "api_discovery";
                        /** @description The data of the response. */
                        data: components["schemas"]["ApiDiscovery"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    redirectApiOpenapiSpec: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "health";
                        /** @description The data of the response. */
                        data: components["schemas"]["Health"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getCoverage: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "platforms";
                        /** @description The data of the response. */
                        data: components["schemas"]["Platforms"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getPlatforms: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "platforms";
                        /** @description The data of the response. */
                        data: components["schemas"]["Platforms"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    registerAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 201 */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "agent_registration";
                        /** @description The data of the response. */
                        data: components["schemas"]["AgentRegistration"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "usage";
                        /** @description The data of the response. */
                        data: components["schemas"]["Usage"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getAccountIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "account";
                        /** @description The data of the response. */
                        data: components["schemas"]["AccountIdentity"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getTrader: {
        parameters: {
            query?: {
                /** @description Optional parts of the trader. None when omitted. For several values repeat the parameter or separate them with commas. Unknown values are ignored. */
                expand?: ("strategy" | "categories" | "quant_metrics" | "trust")[];
                /** @description Maximum age of the data in seconds, measured from `data_quality.as_of`. Older or incomplete data is 409 `freshness_ceiling_unsatisfied`. Any age when omitted. An integer, 0 or more. Anything else is refused with 400. */
                max_age_s?: number;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The trader: its wallet address (0x and 40 hex digits), its trd_ id, or a known username. Case-insensitive. An address without recorded activity returns a trader with unknown values. An unknown id or username is 404; an id of another resource type is 400. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "trader";
                        /** @description The data of the response. */
                        data: components["schemas"]["Trader"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    batchGetTraders: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchTradersRequest"];
            };
        };
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "trader_batch";
                        /** @description The data of the response. */
                        data: components["schemas"]["BatchTraderItem"][];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"] & {
                            /** @description Items in the request. */
                            total_items: number;
                            /** @description Items with status ok. */
                            successful_items: number;
                            /** @description Items with status error. */
                            failed_items: number;
                            /** @description Item units charged for the request: one per item, also for items that failed. */
                            request_cost: number;
                            rate_limit: components["schemas"]["BatchRateLimitMeta"];
                        };
                    };
                };
            };
        };
    };
    getTraderContext: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The trader: its wallet address (0x and 40 hex digits), its trd_ id, or a known username. Case-insensitive. An address without recorded activity returns a trader with unknown values. An unknown id or username is 404; an id of another resource type is 400. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "trader_context";
                        /** @description The data of the response. */
                        data: components["schemas"]["TraderContext"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getTraderContextMarkdown: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path: {
                /** @description The trader: its wallet address (0x and 40 hex digits), its trd_ id, or a known username. Case-insensitive. An address without recorded activity returns a trader with unknown values. An unknown id or username is 404; an id of another resource type is 400. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                };
            };
        };
    };
    getTraderPnl: {
        parameters: {
            query?: {
                /** @description First UTC day of `entries` and `drawdown`, inclusive. A day after `to` is 400. Defaults to the first recorded day. A calendar date, YYYY-MM-DD. Anything else is refused with 400. */
                from?: string;
                /** @description Last UTC day of `entries` and `drawdown`, inclusive. Defaults to today. A calendar date, YYYY-MM-DD. Anything else is refused with 400. */
                to?: string;
                /** @description Sections to return. All when omitted. For several values repeat the parameter or separate them with commas. Unknown values are refused with 400. */
                sections?: ("entries" | "stats" | "monthly" | "year_totals" | "drawdown")[];
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The trader: its wallet address (0x and 40 hex digits), its trd_ id, or a known username. Case-insensitive. An address without recorded activity returns a trader with unknown values. An unknown id or username is 404; an id of another resource type is 400. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "trader_pnl";
                        /** @description The data of the response. */
                        data: components["schemas"]["TraderPnl"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getTraderGradeAt: {
        parameters: {
            query: {
                /** @description The requested time. A time in the future is 400. An RFC 3339 date-time with UTC offset. Anything else is refused with 400. */
                as_of: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The trader: its wallet address (0x and 40 hex digits), its trd_ id, or a known username. Case-insensitive. An address without recorded activity returns a trader with unknown values. An unknown id or username is 404; an id of another resource type is 400. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "trader_grade_at";
                        /** @description The data of the response. */
                        data: components["schemas"]["TraderGradeAt"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getTraderCategoryRecords: {
        parameters: {
            query?: {
                /** @description Only the record of this category, spelled exactly as in the response. Any other name returns empty `records`. All when omitted. */
                category?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The trader: its wallet address (0x and 40 hex digits), its trd_ id, or a known username. Case-insensitive. An address without recorded activity returns a trader with unknown values. An unknown id or username is 404; an id of another resource type is 400. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "trader_category_records";
                        /** @description The data of the response. */
                        data: components["schemas"]["TraderCategoryRecords"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listLargeTrades: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description Minimum size in dollars, without fees. Sizes are compared in cents, rounded half up. A value below 0 counts as 0. A number; default 5000. Anything else is refused with 400. */
                min_size?: number;
                /** @description Only markets of this category. Case is ignored, and other names of a category, such as a league name, are accepted. An unknown name returns an empty list. All categories when left out. */
                category?: string;
                /** @description Only traders whose current grade is this one or better. S is the best, F the worst; ungraded traders never match. All traders, graded or not, when left out. Other values are refused with 400; values are case-sensitive. */
                min_grade?: "S" | "A" | "B" | "C" | "D" | "F";
                /** @description true: only trades with a suspicion_score of 60 or more. true or 1, false or 0; default false. Anything else is refused with 400. */
                suspicious_only?: boolean;
                /** @description Minimum market_volume_share, a fraction. Trades with an unknown share match only a minimum of 0. All when left out. A number from 0 to 1. Anything else is refused with 400. */
                min_market_volume_share?: number;
                /** @description recent: newest first. market_volume_share: largest share first and unknown shares last, over the last 30 days or, when `from` is sent, since `from`. Default recent. Other values are refused with 400; values are case-sensitive. */
                sort?: "recent" | "market_volume_share";
                /** @description Only trades that became visible after this trade, by its wt_ id or the integer in it. Only with sort=recent. An unknown trade, or one that more than 10,000 trades have followed, returns 400. All when left out. Text in another format is refused with 400. */
                since?: string;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["LargeTrade"][];
                        data_quality: components["schemas"]["DataQuality"];
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listLargeTradeHistory: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description Minimum size in dollars, without fees. Sizes are compared in cents, rounded half up. A value below 0 counts as 0. A number; default 5000. Anything else is refused with 400. */
                min_size?: number;
                /** @description Only markets of this category. Case is ignored, and other names of a category, such as a league name, are accepted. An unknown name returns an empty list. All categories when left out. */
                category?: string;
                /** @description Only traders whose current grade is this one or better. S is the best, F the worst; ungraded traders never match. All traders, graded or not, when left out. Other values are refused with 400; values are case-sensitive. */
                min_grade?: "S" | "A" | "B" | "C" | "D" | "F";
                /** @description true: only trades with a suspicion_score of 60 or more. true or 1, false or 0; default false. Anything else is refused with 400. */
                suspicious_only?: boolean;
                /** @description Minimum market_volume_share, a fraction. Trades with an unknown share match only a minimum of 0. All when left out. A number from 0 to 1. Anything else is refused with 400. */
                min_market_volume_share?: number;
                /** @description recent: newest first. market_volume_share: largest share first and unknown shares last, over the last 30 days or, when `from` is sent, since `from`. Default recent. Other values are refused with 400; values are case-sensitive. */
                sort?: "recent" | "market_volume_share";
                /** @description Only this market, by condition id. An unknown market returns an empty list. All when left out. */
                condition_id?: string;
                /** @description Only this trader, by wallet address, trd_ id or username. An unknown trader returns an empty list. All when left out. */
                trader?: string;
                /** @description Only this provider. There is one provider, so `all` and `polymarket` return the same list. Default all. Other values are refused with 400; values are case-sensitive. */
                platform?: "polymarket" | "all";
                /** @description Start of the period, included. No bound when left out. An RFC 3339 date-time with UTC offset. Anything else is refused with 400. */
                from?: string;
                /** @description End of the period, excluded; must be later than `from`. No bound when left out. An RFC 3339 date-time with UTC offset. Anything else is refused with 400. */
                to?: string;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["LargeTrade"][];
                        data_quality: components["schemas"]["DataQuality"];
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"] & {
                            /** @description Source of the trades. */
                            source: {
                                /**
                                 * @description Replay of stored trades.
                                 * @constant
                                 */
                                kind: "local_replay";
                                /**
                                 * @description A constant of the format: the stored large trades.
                                 * @constant
                                 */
                                table: "whale_alerts";
                                /**
                                 * @description The response never calls the provider.
                                 * @constant
                                 */
                                provider_fetch_at_request_time: false;
                            };
                            /** @description Completeness of the trades. */
                            completeness: {
                                /**
                                 * @description Every detected trade is listed; missed trades are not.
                                 * @constant
                                 */
                                status: "best_effort";
                                /** @description What can be missing, as text. */
                                reason: string;
                            };
                        };
                    };
                };
            };
        };
    };
    getLargeTrade: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The trade's wt_ id, or the integer in it. Any other text returns 400; an unknown trade returns 404. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "large_trade";
                        /** @description The data of the response. */
                        data: components["schemas"]["LargeTradeDetail"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listLargeTradeCounterpartyExecutions: {
        parameters: {
            query: {
                /** @description Snapshot to read: `counterparty_analysis.snapshot_id` of the large trade. A snapshot that is no longer current, or belongs to another trade, returns 400 `cursor_expired`. */
                snapshot_id: string;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The trade's wt_ id, or the integer in it. Any other text returns 400; an unknown trade returns 404. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "counterparty_analysis";
                        /** @description The data of the response. */
                        data: components["schemas"]["CounterpartyAnalysis"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listLargeTradeCounterpartyMakers: {
        parameters: {
            query: {
                /** @description Snapshot to read: `counterparty_analysis.snapshot_id` of the large trade. A snapshot that is no longer current, or belongs to another trade, returns 400 `cursor_expired`. */
                snapshot_id: string;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The trade's wt_ id, or the integer in it. Any other text returns 400; an unknown trade returns 404. */
                id: string;
                /** @description Id of the execution from the response of the large trade. An execution of another trade returns 404. */
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "counterparty_maker_page";
                        /** @description The data of the response. */
                        data: components["schemas"]["CounterpartyMakerPage"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listWhaleTrades: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description Minimum size in dollars, without fees. Sizes are compared in cents, rounded half up. A value below 0 counts as 0. A number; default 5000. Anything else is refused with 400. */
                min_size?: number;
                /** @description Only markets of this category. Case is ignored, and other names of a category, such as a league name, are accepted. An unknown name returns an empty list. All categories when left out. */
                category?: string;
                /** @description Only traders whose current grade is this one or better. S is the best, F the worst; ungraded traders never match. All traders, graded or not, when left out. Other values are refused with 400; values are case-sensitive. */
                min_grade?: "S" | "A" | "B" | "C" | "D" | "F";
                /** @description true: only trades with a suspicion_score of 60 or more. true or 1, false or 0; default false. Anything else is refused with 400. */
                suspicious_only?: boolean;
                /** @description Minimum market_volume_share, a fraction. Trades with an unknown share match only a minimum of 0. All when left out. A number from 0 to 1. Anything else is refused with 400. */
                min_market_volume_share?: number;
                /** @description recent: newest first. market_volume_share: largest share first and unknown shares last, over the last 30 days or, when `from` is sent, since `from`. Default recent. Other values are refused with 400; values are case-sensitive. */
                sort?: "recent" | "market_volume_share";
                /** @description Only trades that became visible after this trade, by its wt_ id or the integer in it. Only with sort=recent. An unknown trade, or one that more than 10,000 trades have followed, returns 400. All when left out. Text in another format is refused with 400. */
                since?: string;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["LargeTrade"][];
                        data_quality: components["schemas"]["DataQuality"];
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listWhaleTradeHistory: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description Minimum size in dollars, without fees. Sizes are compared in cents, rounded half up. A value below 0 counts as 0. A number; default 5000. Anything else is refused with 400. */
                min_size?: number;
                /** @description Only markets of this category. Case is ignored, and other names of a category, such as a league name, are accepted. An unknown name returns an empty list. All categories when left out. */
                category?: string;
                /** @description Only traders whose current grade is this one or better. S is the best, F the worst; ungraded traders never match. All traders, graded or not, when left out. Other values are refused with 400; values are case-sensitive. */
                min_grade?: "S" | "A" | "B" | "C" | "D" | "F";
                /** @description true: only trades with a suspicion_score of 60 or more. true or 1, false or 0; default false. Anything else is refused with 400. */
                suspicious_only?: boolean;
                /** @description Minimum market_volume_share, a fraction. Trades with an unknown share match only a minimum of 0. All when left out. A number from 0 to 1. Anything else is refused with 400. */
                min_market_volume_share?: number;
                /** @description recent: newest first. market_volume_share: largest share first and unknown shares last, over the last 30 days or, when `from` is sent, since `from`. Default recent. Other values are refused with 400; values are case-sensitive. */
                sort?: "recent" | "market_volume_share";
                /** @description Only this market, by condition id. An unknown market returns an empty list. All when left out. */
                condition_id?: string;
                /** @description Only this trader, by wallet address, trd_ id or username. An unknown trader returns an empty list. All when left out. */
                trader?: string;
                /** @description Only this provider. There is one provider, so `all` and `polymarket` return the same list. Default all. Other values are refused with 400; values are case-sensitive. */
                platform?: "polymarket" | "all";
                /** @description Start of the period, included. No bound when left out. An RFC 3339 date-time with UTC offset. Anything else is refused with 400. */
                from?: string;
                /** @description End of the period, excluded; must be later than `from`. No bound when left out. An RFC 3339 date-time with UTC offset. Anything else is refused with 400. */
                to?: string;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["LargeTrade"][];
                        data_quality: components["schemas"]["DataQuality"];
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"] & {
                            /** @description Source of the trades. */
                            source: {
                                /**
                                 * @description Replay of stored trades.
                                 * @constant
                                 */
                                kind: "local_replay";
                                /**
                                 * @description A constant of the format: the stored large trades.
                                 * @constant
                                 */
                                table: "whale_alerts";
                                /**
                                 * @description The response never calls the provider.
                                 * @constant
                                 */
                                provider_fetch_at_request_time: false;
                            };
                            /** @description Completeness of the trades. */
                            completeness: {
                                /**
                                 * @description Every detected trade is listed; missed trades are not.
                                 * @constant
                                 */
                                status: "best_effort";
                                /** @description What can be missing, as text. */
                                reason: string;
                            };
                        };
                    };
                };
            };
        };
    };
    getWhaleTrade: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The trade's wt_ id, or the integer in it. Any other text returns 400; an unknown trade returns 404. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "whale_trade";
                        /** @description The data of the response. */
                        data: components["schemas"]["LargeTradeDetail"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listWhaleTradeCounterpartyExecutions: {
        parameters: {
            query: {
                /** @description Snapshot to read: `counterparty_analysis.snapshot_id` of the large trade. A snapshot that is no longer current, or belongs to another trade, returns 400 `cursor_expired`. */
                snapshot_id: string;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The trade's wt_ id, or the integer in it. Any other text returns 400; an unknown trade returns 404. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "counterparty_analysis";
                        /** @description The data of the response. */
                        data: components["schemas"]["CounterpartyAnalysis"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listWhaleTradeCounterpartyMakers: {
        parameters: {
            query: {
                /** @description Snapshot to read: `counterparty_analysis.snapshot_id` of the large trade. A snapshot that is no longer current, or belongs to another trade, returns 400 `cursor_expired`. */
                snapshot_id: string;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The trade's wt_ id, or the integer in it. Any other text returns 400; an unknown trade returns 404. */
                id: string;
                /** @description Id of the execution from the response of the large trade. An execution of another trade returns 404. */
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "counterparty_maker_page";
                        /** @description The data of the response. */
                        data: components["schemas"]["CounterpartyMakerPage"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listLeaderboard: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description Ranks within this category instead of overall. Spelled as in responses; politics, culture, science and business are also accepted in other spellings and cases. A category without ranked traders returns an empty list. */
                category?: string;
                /** @description Only traders with this trading style now. All when left out. Other values are refused with 400; values are case-sensitive. */
                strategy?: "accumulator" | "algo_trader" | "arbitrageur" | "category_focused" | "directional" | "diversified" | "event_driven" | "high_activity" | "market_maker" | "mixed" | "momentum" | "scalper" | "speculator" | "swing_trader" | "two_sided" | "unclassified";
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["LeaderboardEntry"][];
                        /** @description Traders that match the filters, on all pages. */
                        total: number;
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"] & {
                            /** @description Number of the ranking generation that the page comes from. */
                            ranking_generation: number;
                            /**
                             * Format: date-time
                             * @description When that generation was built, UTC.
                             */
                            ranking_as_of: string;
                        };
                    };
                };
            };
        };
    };
    listTrendingWallets: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 50 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description Which leaderboard of the provider: weekly (7d) or monthly (30d). Default 7d. Other values are refused with 400; values are case-sensitive. */
                window?: "7d" | "30d";
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["TrendingWallet"][];
                        /** @description Traders on the leaderboard. */
                        total: number;
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    searchMarkets: {
        parameters: {
            query: {
                /** @description Words in the title, in any case; a blank value is refused. 1 to 512 characters; a longer text is refused with 400, as is an empty one. */
                q: string;
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description active: only markets that are trading. closed: only markets whose trading has closed, that have resolved, or whose end time has passed without later quotes. all: both. Default all. Other values are refused with 400; values are case-sensitive. */
                status?: "active" | "closed" | "all";
                /** @description Only markets of this category. Case is ignored, and other names of a category, such as a league name, are accepted. An unknown name returns an empty list. All categories when left out. */
                category?: string;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["MarketSearchResult"][];
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    exploreMarkets: {
        parameters: {
            query?: {
                /** @description Only markets of this category. Case is ignored, and other names of a category, such as a league name, are accepted. An unknown name returns an empty list. All categories when left out. */
                category?: string;
                /** @description active: only markets that are trading. closed: only markets whose trading has closed, that have resolved, or whose end time has passed without later quotes. all: both. Default all. Other values are refused with 400; values are case-sensitive. */
                status?: "active" | "closed" | "all";
                /** @description Only this provider. There is one provider, so `all` and `polymarket` return the same list. Default polymarket. Other values are refused with 400; values are case-sensitive. */
                platform?: "polymarket";
                /** @description trending: 24-hour volume and recent large trades. hot: discover_score. expiring: earliest end first. large_trades: most large trades first; whales is the old name. volume: largest all-time volume first. newest: newest market first. Default trending. Other values are refused with 400; values are case-sensitive. */
                sort?: "trending" | "hot" | "expiring" | "large_trades" | "whales" | "volume" | "newest";
                /** @description Maximum number of items per page. Default 24. An integer outside 1 to 48 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description Only entries with these words in a title. All when left out or blank. 0 to 64 characters; a longer text is refused with 400. */
                q?: string;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["ExploreEntry"][];
                        /** @description Entries that match the filters. On the first page only. */
                        total?: number;
                        facets: components["schemas"]["ExploreFacets"];
                        /**
                         * Format: date-time
                         * @description When the list was built, UTC. Not part of the ETag.
                         */
                        computed_at: string;
                        /** @description Seconds for which the list still counts as fresh. Not part of the ETag. */
                        fresh_for_seconds: number;
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getMarketSnapshot: {
        parameters: {
            query?: {
                /** @description Fields to add. None when left out. For several values repeat the parameter or separate them with commas. Unknown values are ignored. */
                expand?: "trust"[];
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The market: the provider's condition id (0x and 64 hex digits) or the mkt_ id. Any other text returns 400; an unknown market returns 404. */
                condition_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "market_snapshot";
                        /** @description The data of the response. */
                        data: components["schemas"]["MarketSnapshot"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getMarketCandles: {
        parameters: {
            query?: {
                /** @description Length of a bucket: a UTC day, or an ISO week that starts on Monday. Default 1d. Other values are refused with 400; values are case-sensitive. */
                resolution?: "1d" | "1w";
                /** @description Only buckets that start after this time, in Unix seconds. A value later than `to` returns 400. No bound when left out. An integer. Anything else is refused with 400. */
                from?: number;
                /** @description Only buckets that start at or before this time, in Unix seconds. No bound when left out. An integer. Anything else is refused with 400. */
                to?: number;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The market: the provider's condition id (0x and 64 hex digits) or the mkt_ id. Any other text returns 400; an unknown market returns 404. */
                condition_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "market_candles";
                        /** @description The data of the response. */
                        data: components["schemas"]["MarketCandles"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"] & {
                            /** @description Time from which every trade is recorded, UTC. A window or bucket that starts earlier is incomplete. Null while no trade is recorded. */
                            covered_from: string | null;
                        };
                    };
                };
            };
        };
    };
    getMarketFlow: {
        parameters: {
            query?: {
                /** @description Time window: the last hour, 4 hours, 24 hours or 7 days. Default 24h. Other values are refused with 400; values are case-sensitive. */
                timeframe?: "1h" | "4h" | "24h" | "7d";
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The market: the provider's condition id (0x and 64 hex digits) or the mkt_ id. Any other text returns 400; an unknown market returns 404. */
                condition_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "market_flow";
                        /** @description The data of the response. */
                        data: components["schemas"]["MarketFlow"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"] & {
                            /** @description Time from which every trade is recorded, UTC. A window or bucket that starts earlier is incomplete. Null while no trade is recorded. */
                            covered_from: string | null;
                        };
                    };
                };
            };
        };
    };
    getMarketHolders: {
        parameters: {
            query?: {
                /** @description Only traders listed on this side, the side where they hold more shares: yes is the first outcome of the market, no the second. Default all. Other values are refused with 400; values are case-sensitive. */
                outcome?: "yes" | "no" | "all";
                /** @description Only traders with this grade or a better one; S is the best. Default B. Other values are refused with 400; values are case-sensitive. */
                min_grade?: "S" | "A" | "B";
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The market: the provider's condition id (0x and 64 hex digits) or the mkt_ id. Any other text returns 400; an unknown market returns 404. */
                condition_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["MarketHolder"][];
                        /** @description Holders that match the filters, on all pages. */
                        total: number;
                        market: components["schemas"]["MarketHoldersMarket"];
                        scan: components["schemas"]["MarketHoldersScan"];
                        totals: components["schemas"]["MarketHoldersTotals"];
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getMarketContextMarkdown: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path: {
                /** @description The market: the provider's condition id (0x and 64 hex digits) or the mkt_ id. Any other text returns 400; an unknown market returns 404. */
                condition_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                };
            };
        };
    };
    batchGetMarketFlow: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchMarketFlowRequest"];
            };
        };
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "market_flow_batch";
                        /** @description The data of the response. */
                        data: components["schemas"]["BatchMarketFlowItem"][];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"] & {
                            /** @description Items in the request. */
                            total_items: number;
                            /** @description Items with status ok. */
                            successful_items: number;
                            /** @description Items with status error. */
                            failed_items: number;
                            /** @description Item units charged for the request: one per item, also for items that failed. */
                            request_cost: number;
                            rate_limit: components["schemas"]["BatchRateLimitMeta"];
                            /** @description Time from which every trade is recorded, UTC. A window or bucket that starts earlier is incomplete. Null while no trade is recorded. */
                            covered_from: string | null;
                        };
                    };
                };
            };
        };
    };
    getMarketIntel: {
        parameters: {
            query?: {
                /** @description Time window: the last hour, 4 hours, 24 hours or 7 days. Default 24h. Other values are refused with 400; values are case-sensitive. */
                timeframe?: "1h" | "4h" | "24h" | "7d";
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The market: the provider's condition id (0x and 64 hex digits) or the mkt_ id. Any other text returns 400; an unknown market returns 404. */
                condition_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "market_intel";
                        /** @description The data of the response. */
                        data: components["schemas"]["MarketFlow"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"] & {
                            /** @description Time from which every trade is recorded, UTC. A window or bucket that starts earlier is incomplete. Null while no trade is recorded. */
                            covered_from: string | null;
                        };
                    };
                };
            };
        };
    };
    batchGetMarketIntel: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchMarketFlowRequest"];
            };
        };
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "market_intel_batch";
                        /** @description The data of the response. */
                        data: components["schemas"]["BatchMarketFlowItem"][];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"] & {
                            /** @description Items in the request. */
                            total_items: number;
                            /** @description Items with status ok. */
                            successful_items: number;
                            /** @description Items with status error. */
                            failed_items: number;
                            /** @description Item units charged for the request: one per item, also for items that failed. */
                            request_cost: number;
                            rate_limit: components["schemas"]["BatchRateLimitMeta"];
                            /** @description Time from which every trade is recorded, UTC. A window or bucket that starts earlier is incomplete. Null while no trade is recorded. */
                            covered_from: string | null;
                        };
                    };
                };
            };
        };
    };
    getReports: {
        parameters: {
            query: {
                /** @description The kind of report. Other values are refused with 400; values are case-sensitive. */
                granularity: "daily" | "weekly" | "monthly";
                /** @description The day, ISO week, range of days or month, in the form that `granularity` requires. A period that does not exist in the calendar or is not covered is 400. An empty text is refused with 400. */
                period: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "report_snapshot";
                        /** @description The data of the response. */
                        data: components["schemas"]["ReportSnapshot"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getDailyReportSnapshot: {
        parameters: {
            query: {
                /** @description The UTC day, YYYY-MM-DD, from the first covered day to tomorrow. Other days are 400. Text in another format is refused with 400. */
                date: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "report_snapshot";
                        /** @description The data of the response. */
                        data: components["schemas"]["ReportSnapshot"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getWeeklyReportSnapshot: {
        parameters: {
            query?: {
                /** @description First UTC day of the range, YYYY-MM-DD, inclusive. Requires `to` and excludes `week`. Text in another format is refused with 400. */
                from?: string;
                /** @description Last UTC day of the range, inclusive, at most 30 days after `from`. Text in another format is refused with 400. */
                to?: string;
                /** @description The ISO week as year and week number. A week without a covered day is 400, and so is a request without `week`, `from` and `to`. Text in another format is refused with 400. */
                week?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "report_snapshot";
                        /** @description The data of the response. */
                        data: components["schemas"]["ReportSnapshot"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getMonthlyReportSnapshot: {
        parameters: {
            query: {
                /** @description The UTC month, YYYY-MM. A month without a covered day is 400. Text in another format is refused with 400. */
                month: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "report_snapshot";
                        /** @description The data of the response. */
                        data: components["schemas"]["ReportSnapshot"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    searchContent: {
        parameters: {
            query: {
                /** @description Search words; a blank value is refused. 1 to 256 characters; a longer text is refused with 400, as is an empty one. */
                q: string;
                /** @description Maximum number of items per page. Default 10. An integer outside 1 to 50 is clamped; anything else is refused with 400. */
                limit?: number;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["ContentSearchResult"][];
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listPositions: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description live: each page shows the current positions. snapshot: all pages show the positions at the time of the first page; requires `wallet`, otherwise 400. Default live. Other values are refused with 400; values are case-sensitive. */
                consistency?: "live" | "snapshot";
                /** @description Minimum value in dollars, compared in cents (half a cent rounds up). The default is 100, or no minimum with `wallet`. A value below 100 applies only with `wallet` or `condition_id`. A number. Anything else is refused with 400. */
                min_size?: number;
                /** @description Only markets of this category, spelled exactly as in responses; any other spelling returns an empty list. All categories when left out. */
                category?: string;
                /** @description Only this market, by condition id or mkt_ id. An unknown market returns an empty list. All markets when left out. */
                condition_id?: string;
                /** @description Only these traders, each by address, trd_ id or username; put @ before a username that looks like an address or an id. An unknown trader is 404. When omitted, all traders whose complete activity is known. For several values repeat the parameter or separate them with commas. More than 25 are refused with 400. */
                wallet?: string[];
                /** @description Only traders whose current grade is this one or better. S is the best, F the worst; ungraded traders never match. All traders, graded or not, when left out. Other values are refused with 400; values are case-sensitive. */
                min_grade?: "S" | "A" | "B" | "C" | "D" | "F";
                /** @description Only positions on this side: yes is the first outcome of the market, no the second one. Both when omitted. Other values are refused with 400; values are case-sensitive. */
                side?: "yes" | "no";
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["Position"][];
                        data_quality: components["schemas"]["DataQuality"];
                        /** @description Positions on all pages. Without a minimum value it also counts the positions in `meta.unlisted`, so it can be higher than the number of rows. Omitted when there are too many to count. */
                        total?: number;
                        /** @description The snapshot that all pages show. Only with `consistency=snapshot`. */
                        snapshot?: {
                            /**
                             * Format: date-time
                             * @description Time at which the rows were frozen, UTC.
                             */
                            as_of: string;
                            /**
                             * Format: date-time
                             * @description Time until which the pages can be read, UTC.
                             */
                            expires_at: string;
                            /** @description Number of frozen rows, at most 500. */
                            row_count: number;
                        };
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"] & {
                            /** @description Open positions that match the filters other than `min_size` and are not listed: the price of the outcome is unknown, or the outcome belongs to a combination of markets or is neither YES nor NO. Omitted when there are none, and in requests without `wallet` and `condition_id`. */
                            unlisted?: {
                                /** @description Number of positions; null when there are more than 1,000. */
                                positions: number | null;
                                /** @description Cost of these positions in dollars; null when they are not counted, or when the complete activity of their traders is not known. */
                                cost_usd: number | null;
                            };
                        };
                    };
                };
            };
        };
    };
    listLargePositions: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description Minimum combined value in dollars. The default is 50,000, and a lower value has no effect. A number, 0 or more. Anything else is refused with 400. */
                min_size?: number;
                /** @description Only markets of these categories, as one CSV record (RFC 4180); a name that contains a comma needs quotes. Case-insensitive. An unknown category matches nothing. All categories when omitted. */
                category?: string;
                /** @description Only traders with this grade or a better one when the list was built; S is the best, F the worst. All graded traders when omitted. Other values are refused with 400; values are case-sensitive. */
                min_grade?: "S" | "A" | "B" | "C" | "D" | "F";
                /** @description Only this market, by condition id or mkt_ id. An unknown market returns an empty list. All markets when left out. */
                condition_id?: string;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["LargePosition"][];
                        /** @description Positions that match the filters, on all pages. */
                        total: number;
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getPositionTimeline: {
        parameters: {
            query: {
                /** @description The market: its condition id or its mkt_ id. An unknown market returns an empty list. */
                condition_id: string;
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The trader: @username, address, trd_ id, the number of a trd_ id, or username, tried in this order. An unknown trader is 404; a trader whose fills are not recorded is 404 `trader_not_tracked`. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["PositionTimelineEvent"][];
                        /** @description Recorded fills of the trader in the market, on all pages. */
                        total: number;
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getPositionTimelineById: {
        parameters: {
            query: {
                /** @description The market: its condition id or its mkt_ id. An unknown market returns an empty list. */
                condition_id: string;
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The trader: @username, address, trd_ id, the number of a trd_ id, or username, tried in this order. An unknown trader is 404; a trader whose fills are not recorded is 404 `trader_not_tracked`. */
                trader: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["PositionTimelineEvent"][];
                        /** @description Recorded fills of the trader in the market, on all pages. */
                        total: number;
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listSharpMoneyFlows: {
        parameters: {
            query?: {
                /** @description Time window: the last hour, 4 hours, 24 hours or 7 days. The window ends when the ranking was built. 24 hours when neither this nor `window` is sent. Other values are refused with 400; values are case-sensitive. */
                timeframe?: "1h" | "4h" | "24h" | "7d";
                /** @description Another name for `timeframe`. If both are sent, they must be equal; otherwise the request returns 400. Other values are refused with 400; values are case-sensitive. */
                window?: "1h" | "4h" | "24h" | "7d";
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description Only markets of this category. Case is ignored, and other names of a category, such as a league name, are accepted. An unknown name returns an empty list. All categories when left out. */
                category?: string;
                /** @description Only this provider. There is one provider, so `all` and `polymarket` return the same list. Default all. Other values are refused with 400; values are case-sensitive. */
                platform?: "polymarket" | "all";
                /** @description Only trades by traders with this grade or a better one count. S is the best, F the worst; ungraded traders never count. Default B. Other values are refused with 400; values are case-sensitive. */
                min_grade?: "S" | "A" | "B" | "C" | "D" | "F";
                /** @description Only markets whose net flow is on this side. Both sides when left out. Other values are refused with 400; values are case-sensitive. */
                direction?: "YES" | "NO";
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list is refused with 400 `invalid_query`. A cursor of other filters, or of a list that has been replaced, is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["SmartMoneyFlowMarket"][];
                        /** @description Markets that match the filters, on all pages. */
                        total: number;
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listSmartMoneyFlows: {
        parameters: {
            query?: {
                /** @description Time window: the last hour, 4 hours, 24 hours or 7 days. The window ends when the ranking was built. 24 hours when neither this nor `window` is sent. Other values are refused with 400; values are case-sensitive. */
                timeframe?: "1h" | "4h" | "24h" | "7d";
                /** @description Another name for `timeframe`. If both are sent, they must be equal; otherwise the request returns 400. Other values are refused with 400; values are case-sensitive. */
                window?: "1h" | "4h" | "24h" | "7d";
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description Only markets of this category. Case is ignored, and other names of a category, such as a league name, are accepted. An unknown name returns an empty list. All categories when left out. */
                category?: string;
                /** @description Only this provider. There is one provider, so `all` and `polymarket` return the same list. Default all. Other values are refused with 400; values are case-sensitive. */
                platform?: "polymarket" | "all";
                /** @description Only trades by traders with this grade or a better one count. S is the best, F the worst; ungraded traders never count. Default B. Other values are refused with 400; values are case-sensitive. */
                min_grade?: "S" | "A" | "B" | "C" | "D" | "F";
                /** @description Only markets whose net flow is on this side. Both sides when left out. Other values are refused with 400; values are case-sensitive. */
                direction?: "YES" | "NO";
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list is refused with 400 `invalid_query`. A cursor of other filters, or of a list that has been replaced, is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["SmartMoneyFlowMarket"][];
                        /** @description Markets that match the filters, on all pages. */
                        total: number;
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listSuspiciousTrades: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description Minimum suspicion_score, in points. All flags have at least 60, so a lower value has no effect; a value above 100 returns an empty list. A number; default 0. Anything else is refused with 400. */
                min_suspicion?: number;
                /** @description Only this severity. All flags have severity flag, so watch returns an empty list. All when omitted. Other values are refused with 400; values are case-sensitive. */
                severity?: "flag" | "watch";
                /** @description live: each page shows the current flags. stable: all pages show the flags that existed at the time of the first page; requires the same `limit` on every page. Default live. Other values are refused with 400; values are case-sensitive. */
                mode?: "live" | "stable";
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["SuspiciousTrade"][];
                        /** @description Flags that match the filters, on all pages. */
                        total: number;
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getSuspiciousTrade: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The flag's rf_ id, or the integer in it. Any other text returns 400; an unknown flag returns 404. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "suspicious_trade";
                        /** @description The data of the response. */
                        data: components["schemas"]["SuspiciousTrade"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listInsiderRadar: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description Minimum suspicion_score, in points. All flags have at least 60, so a lower value has no effect; a value above 100 returns an empty list. A number; default 0. Anything else is refused with 400. */
                min_suspicion?: number;
                /** @description Only this severity. All flags have severity flag, so watch returns an empty list. All when omitted. Other values are refused with 400; values are case-sensitive. */
                severity?: "flag" | "watch";
                /** @description live: each page shows the current flags. stable: all pages show the flags that existed at the time of the first page; requires the same `limit` on every page. Default live. Other values are refused with 400; values are case-sensitive. */
                mode?: "live" | "stable";
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["SuspiciousTrade"][];
                        /** @description Flags that match the filters, on all pages. */
                        total: number;
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getInsiderRadarFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The flag's rf_ id, or the integer in it. Any other text returns 400; an unknown flag returns 404. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "radar_flag";
                        /** @description The data of the response. */
                        data: components["schemas"]["SuspiciousTrade"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listGames: {
        parameters: {
            query?: {
                /** @description Only this sport, as in `coverage.sports`. Case is ignored, and - and _ read as a space. An unknown name returns an empty list. All sports when left out. */
                sport?: string;
                /** @description Only this league, as in `coverage.leagues`. All leagues when left out. */
                league?: string;
                /** @description Only games in this state. Another value returns an empty list. All states when left out. */
                status?: "scheduled" | "live" | "paused" | "ended" | "postponed" | "cancelled" | "suspended" | "delayed" | "unknown";
                /** @description Only games whose kickoff is known and not before this time. An RFC 3339 date-time with UTC offset. Anything else is refused with 400. */
                starts_after?: string;
                /** @description Only games whose kickoff is known and not after this time. Not before `starts_after`. An RFC 3339 date-time with UTC offset. Anything else is refused with 400. */
                starts_before?: string;
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["Game"][];
                        /**
                         * Format: date-time
                         * @description When this response was put together, UTC.
                         */
                        as_of: string;
                        coverage: components["schemas"]["GamesCoverage"];
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getGame: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The slug of the game's event. Case is ignored. */
                event_slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "game";
                        /** @description The data of the response. */
                        data: components["schemas"]["Game"];
                        /**
                         * Format: date-time
                         * @description When this response was put together, UTC.
                         */
                        as_of: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listPreGameSides: {
        parameters: {
            query?: {
                /** @description Only markets of this category. Case is ignored, and other names of a category, such as a league name, are accepted. An unknown name returns an empty list. All categories when left out. */
                category?: string;
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description Only signals of games whose kickoff is at most this many hours after the snapshot. Default 12. An integer outside 1 to 48 is clamped; anything else is refused with 400. */
                horizon_hours?: number;
                /** @description Only signals with a holder of this grade or a better one; S is the best. Default B. Other values are refused with 400; values are case-sensitive. */
                min_grade?: "S" | "A" | "B";
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["PreGameSide"][];
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"] & {
                            /**
                             * @description degraded when a part of the board or its holders could not be read, or a rebuild is late.
                             * @enum {string}
                             */
                            directional_source: "live" | "degraded";
                            /**
                             * @description db_only when the newest snapshot is older than five minutes, because its rebuild is late.
                             * @enum {string}
                             */
                            ranking_source: "live" | "db_only";
                            /**
                             * @description Category skill of all listed signals, on all pages. live: every one has it. partial: some have. unavailable: none has. degraded: the records are not updated.
                             * @enum {string}
                             */
                            category_skill_source: "live" | "partial" | "degraded" | "unavailable";
                            /** @description Version of the figure definitions. */
                            category_skill_model_version: string;
                            /** @description Version of the category map. */
                            category_skill_taxonomy_version: string;
                            /**
                             * @description The provider of the markets.
                             * @constant
                             */
                            category_skill_platform: "polymarket";
                            /**
                             * @description A constant of the format. The figures count all recorded purchases of the holders.
                             * @enum {string}
                             */
                            category_skill_scope: "observed_goldsky_primary_taker_fill";
                            /**
                             * @description The figures use the recorded activity of graded traders, at any size.
                             * @enum {string}
                             */
                            category_skill_source_coverage: "graded_wallet_fills";
                            /** @description Whether no trader's record was computed in the six hours before the snapshot. */
                            category_skill_model_operationally_degraded: boolean;
                            /** @description Number of listed signals, on all pages, by the status of their category skill. */
                            category_skill_status_counts: {
                                /** @description Listed signals whose category skill is live. */
                                live: number;
                                /** @description Listed signals whose category skill is insufficient. */
                                insufficient: number;
                                /** @description Listed signals whose category skill is stale. */
                                stale: number;
                                /** @description Listed signals whose category skill is unknown. */
                                unknown: number;
                                /** @description Listed signals whose category skill is degraded. */
                                degraded: number;
                            };
                            /** @description SHA-256, in hex, of the JSON text of this page's `data` before category skill was added: without spaces, fields in the order of the response. */
                            category_skill_base_payload_hash: string;
                            /** @description The same hash of `data` as sent, with `category_skill` removed from each row. Equal hashes show that category skill changed nothing else. */
                            category_skill_enriched_base_payload_hash: string;
                        };
                    };
                };
            };
        };
    };
    listPreGameSideObservations: {
        parameters: {
            query: {
                /** @description wider_holder: before kickoff, one side has 60 % or more, and the market is not a signal. emerging_pile: those with 75 % to below 85 %, a complete holder scan, and a kickoff an hour or more after the snapshot. in_play: live games whose score frame was at most 30 seconds old. Other values are refused with 400; values are case-sensitive. */
                cohort: "wider_holder" | "in_play" | "emerging_pile";
                /** @description Only markets of this category. Case is ignored, and other names of a category, such as a league name, are accepted. An unknown name returns an empty list. All categories when left out. */
                category?: string;
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["PreGameSideObservation"][];
                        /**
                         * Format: date-time
                         * @description When the snapshot was built. All pages of one walk use the same snapshot, UTC.
                         */
                        snapshot_as_of: string;
                        /** @description Whether some market of the snapshot could not be judged because data is missing or too old, or the rebuild of the snapshot is late. Markets beyond the number that is scanned do not count. */
                        degraded: boolean;
                        funnel: components["schemas"]["PreGameSideFunnelReport"];
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Null on the last page. */
                        next_cursor: string | null;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listSportsEdgeObservations: {
        parameters: {
            query: {
                /** @description wider_holder: before kickoff, one side has 60 % or more, and the market is not a signal. emerging_pile: those with 75 % to below 85 %, a complete holder scan, and a kickoff an hour or more after the snapshot. in_play: live games whose score frame was at most 30 seconds old. Other values are refused with 400; values are case-sensitive. */
                cohort: "wider_holder" | "in_play" | "emerging_pile";
                /** @description Only markets of this category. Case is ignored, and other names of a category, such as a league name, are accepted. An unknown name returns an empty list. All categories when left out. */
                category?: string;
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["PreGameSideObservation"][];
                        /**
                         * Format: date-time
                         * @description When the snapshot was built. All pages of one walk use the same snapshot, UTC.
                         */
                        snapshot_as_of: string;
                        /** @description Whether some market of the snapshot could not be judged because data is missing or too old, or the rebuild of the snapshot is late. Markets beyond the number that is scanned do not count. */
                        degraded: boolean;
                        funnel: components["schemas"]["PreGameSideFunnelReport"];
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Null on the last page. */
                        next_cursor: string | null;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getEdgeHunter: {
        parameters: {
            query?: {
                /** @description What to read. Signals when left out. Other values are refused with 400; values are case-sensitive. */
                view?: "signals" | "observations" | "board";
                /** @description Required for observations, without effect on the other views. wider_holder: before kickoff, one side has 60 % or more, and the market is not a signal. emerging_pile: those with 75 % to below 85 %, a complete holder scan, and a kickoff an hour or more after the snapshot. in_play: live games whose score frame was at most 30 seconds old. Other values are refused with 400; values are case-sensitive. */
                cohort?: "wider_holder" | "in_play" | "emerging_pile";
                /** @description Only markets of this category. Case is ignored, and other names of a category, such as a league name, are accepted. An unknown name returns an empty list. All categories when left out. */
                category?: string;
                /** @description Only signals of games whose kickoff is at most this many hours after the snapshot. Default 12. An integer outside 1 to 48 is clamped; anything else is refused with 400. */
                horizon_hours?: number;
                /** @description Only signals with a holder of this grade or a better one; S is the best. Default B. Other values are refused with 400; values are case-sensitive. */
                min_grade?: "S" | "A" | "B";
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: (components["schemas"]["PreGameSide"] | components["schemas"]["PreGameSideObservation"] | components["schemas"]["EdgeBoardSport"])[];
                        /** @description Signals that match the filters, on all pages. Only with signals. */
                        total?: number;
                        /**
                         * Format: date-time
                         * @description When the snapshot was built. All pages of one walk use the same snapshot, UTC. Only with observations.
                         */
                        snapshot_as_of?: string;
                        /** @description Whether some market of the snapshot could not be judged because data is missing or too old, or the rebuild of the snapshot is late. Markets beyond the number that is scanned do not count. Only with observations. */
                        degraded?: boolean;
                        funnel?: components["schemas"]["PreGameSideFunnelReport"];
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Null on the last page. */
                        next_cursor: string | null;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"] & {
                            /**
                             * @description degraded when a part of the board or its holders could not be read, or a rebuild is late. Only with signals.
                             * @enum {string}
                             */
                            directional_source?: "live" | "degraded";
                            /**
                             * @description db_only when the newest snapshot is older than five minutes, because its rebuild is late. Only with signals.
                             * @enum {string}
                             */
                            ranking_source?: "live" | "db_only";
                            /**
                             * @description Category skill of all listed signals, on all pages. live: every one has it. partial: some have. unavailable: none has. degraded: the records are not updated. Only with signals.
                             * @enum {string}
                             */
                            category_skill_source?: "live" | "partial" | "degraded" | "unavailable";
                            /** @description Version of the figure definitions. Only with signals. */
                            category_skill_model_version?: string;
                            /** @description Version of the category map. Only with signals. */
                            category_skill_taxonomy_version?: string;
                            /**
                             * @description The provider of the markets. Only with signals.
                             * @constant
                             */
                            category_skill_platform?: "polymarket";
                            /**
                             * @description A constant of the format. The figures count all recorded purchases of the holders. Only with signals.
                             * @enum {string}
                             */
                            category_skill_scope?: "observed_goldsky_primary_taker_fill";
                            /**
                             * @description The figures use the recorded activity of graded traders, at any size. Only with signals.
                             * @enum {string}
                             */
                            category_skill_source_coverage?: "graded_wallet_fills";
                            /** @description Whether no trader's record was computed in the six hours before the snapshot. Only with signals. */
                            category_skill_model_operationally_degraded?: boolean;
                            /** @description Number of listed signals, on all pages, by the status of their category skill. Only with signals. */
                            category_skill_status_counts?: {
                                /** @description Listed signals whose category skill is live. */
                                live: number;
                                /** @description Listed signals whose category skill is insufficient. */
                                insufficient: number;
                                /** @description Listed signals whose category skill is stale. */
                                stale: number;
                                /** @description Listed signals whose category skill is unknown. */
                                unknown: number;
                                /** @description Listed signals whose category skill is degraded. */
                                degraded: number;
                            };
                            /** @description SHA-256, in hex, of the JSON text of this page's `data` before category skill was added: without spaces, fields in the order of the response. Only with signals. */
                            category_skill_base_payload_hash?: string;
                            /** @description The same hash of `data` as sent, with `category_skill` removed from each row. Equal hashes show that category skill changed nothing else. Only with signals. */
                            category_skill_enriched_base_payload_hash?: string;
                        };
                    };
                };
            };
        };
    };
    listSportsEdgeSignals: {
        parameters: {
            query?: {
                /** @description Only markets of this category. Case is ignored, and other names of a category, such as a league name, are accepted. An unknown name returns an empty list. All categories when left out. */
                category?: string;
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
                /** @description Only signals of games whose kickoff is at most this many hours after the snapshot. Default 12. An integer outside 1 to 48 is clamped; anything else is refused with 400. */
                horizon_hours?: number;
                /** @description Only signals with a holder of this grade or a better one; S is the best. Default B. Other values are refused with 400; values are case-sensitive. */
                min_grade?: "S" | "A" | "B";
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getPickOfTheDay: {
        parameters: {
            query?: {
                /** @description The product day. Today in US Eastern time when left out. A calendar date, YYYY-MM-DD. Anything else is refused with 400. */
                date?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "pick_of_the_day";
                        /** @description The data of the response. */
                        data: components["schemas"]["PickOfTheDayData"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getPickOfTheDayArchive: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "pick_of_the_day_archive";
                        /** @description The data of the response. */
                        data: components["schemas"]["PickOfTheDayArchive"];
                        /** @description Whether another page follows. */
                        has_more: boolean;
                        /** @description Cursor of the next page; left out when none follows. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getPickOfTheDayLedger: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "pick_of_the_day_ledger";
                        /** @description The data of the response. */
                        data: components["schemas"]["PickOfTheDayLedger"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getPickOfTheDayLedgerEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The pick's id. Any other text returns 400; an unknown pick returns 404. */
                pick_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "pick_of_the_day_ledger_entry";
                        /** @description The data of the response. */
                        data: components["schemas"]["PickOfTheDayLedgerEntry"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listComboFills: {
        parameters: {
            query?: {
                /** @description Only combos with one of these statuses. Combos of unknown status match only without this filter. Separate several values with commas: pending, won, lost. `all` is no filter. Other values are refused with 400; values are case-sensitive. */
                result?: string;
                /** @description Only combos with one of these numbers of legs. Combos whose legs are not known never match. Separate several values with commas: 2, 3, 4, 5+. `all` is no filter. Other values are refused with 400; values are case-sensitive. */
                legs?: string;
                /** @description Minimum `collateral_usdc`, in whole dollars, compared in cents. An integer from 0 to 1000000000; default 0. Anything else is refused with 400. */
                min_stake?: number;
                /** @description Minimum `payout_multiplier`. Sells have none and match only without this filter. 0 is no filter, else an integer from 2 to 1000000; default 0. Anything else is refused with 400. */
                min_multiplier?: number;
                /** @description Only traders whose current grade is one of these. Ungraded traders never match. Separate several values with commas: S, A, B, C, D, F. `all` is no filter. Other values are refused with 400; values are case-sensitive. */
                grades?: string;
                /** @description Only combos with a leg in one of these sports or leagues, by the category and tags of the leg's market. A leg whose sport is not known never matches. Separate several values with commas: nfl, ncaaf, nba, wnba, baseball, hockey, soccer, tennis, table-tennis, esports, mma, boxing, golf, cricket, f1, pickleball. `all` is no filter. Other values are refused with 400; values are case-sensitive. */
                sports?: string;
                /** @description recent: newest first. largest: most dollars first. payout: buys only, the most shares first, which are the dollars that the fill pays when its side wins. Default recent. Other values are refused with 400; values are case-sensitive. */
                sort?: "recent" | "largest" | "payout";
                /** @description Only fills of this time before now. Without it: all for recent, 24h for largest and payout. Other values are refused with 400; values are case-sensitive. */
                window?: "24h" | "7d" | "all";
                /** @description Maximum number of items per page. Default 50. An integer outside 1 to 200 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, or `block_number:log_index` of any fill: only fills before it, in the order recent. Omitted or empty: the first page. Another form, a cursor with another order, and a block and log index that no fill has, are refused with 400. */
                cursor?: string;
                /** @description The `next_offset` of the previous page, for the orders largest and payout. Above 0 it is refused with 400 in the order recent. Fills that arrive between two pages move the following ones. An integer from 0 to 5000; default 0. Anything else is refused with 400. */
                offset?: number;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["ComboFill"][];
                        /**
                         * @description The order of the list.
                         * @enum {string}
                         */
                        sort: "recent" | "largest" | "payout";
                        /**
                         * @description The window of the list.
                         * @enum {string}
                         */
                        window: "24h" | "7d" | "all";
                        /** @description Maximum number of fills of this page. */
                        limit: number;
                        coverage: components["schemas"]["ComboCoverage"];
                        /** @description Send it as `offset` to get the next page. Only in the orders largest and payout; left out when `has_more` is false. */
                        next_offset?: number;
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Only in the order recent; left out when `has_more` is false. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getCombosSummary: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "combos_summary";
                        /** @description The data of the response. */
                        data: components["schemas"]["CombosSummary"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getCombo: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The condition id of the combo: 0x and 62 hex digits, lower case. Any other text returns 400; an id that is not of a known combo returns 404. */
                condition_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "combo";
                        /** @description The data of the response. */
                        data: components["schemas"]["ComboDetail"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getRecord: {
        parameters: {
            query?: {
                /** @description Only this kind of claim. All when left out. Other values are refused with 400; values are case-sensitive. */
                kind?: "flag" | "grade" | "flow_alert" | "pick";
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "record";
                        /** @description The data of the response. */
                        data: components["schemas"]["PublicRecord"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listProofHeads: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default 20. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description Sequence of the older head of a consistency proof, from 1. An integer from 1 to 1000000. Anything else is refused with 400. */
                from_sequence?: number;
                /** @description Sequence of the newer head of a consistency proof. An integer from 1 to 1000000. Anything else is refused with 400. */
                to_sequence?: number;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["ArchiveHead"][];
                        /** @description The requested consistency proof; null when none was requested. */
                        consistency: components["schemas"]["ArchiveConsistencyProof"] | null;
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getRowProof: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A large trade's wt_ id, a fill's pe_ id, or `pick_` and the pick_id of a pick's commitment. Any other text returns 400; a row that does not exist or is not archived yet returns 404. */
                row_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "archive_row_proof";
                        /** @description The data of the response. */
                        data: components["schemas"]["ArchiveRowProof"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getStream: {
        parameters: {
            query?: {
                /** @description Number of the last received frame; the stream continues after it. The header `Last-Event-ID` takes precedence. A value that is not a whole number counts as left out. */
                last_event_id?: string;
                /** @description Another name for `last_event_id`, which takes precedence. */
                seq?: string;
                /** @description Only frames of these types, separated by commas: LargeTradeInsertedV2, WhaleTradesInserted, LiveScoreChanged, trader_synced, large_positions_updated, wallet_grade_changed, suspicious_trade_flagged, sharp_money_flow_detected, export_job_ready, export_job_failed, export_job_expired, export_job_cancelled, resync, error. Any other name returns 400; a blank value means no filter. */
                event?: string;
                /** @description Only frames about this market, by condition id or mkt_ id. Any other text, or the mkt_ id of an unknown market, returns 400. */
                condition_id?: string;
                /** @description Only `LargeTradeInsertedV2` of traders with this grade or a better one, and `wallet_grade_changed` to such a grade. Other values are refused with 400; values are case-sensitive. */
                min_grade?: "S" | "A" | "B" | "C" | "D" | "F";
                /** @description Only large trades (`LargeTradeInsertedV2` in the stream) of these wallet addresses. For more addresses use `watchlist`; both together are refused with 400. For several values repeat the parameter or separate them with commas. More than 25, and text in another format, are refused with 400. */
                wallet?: string[];
                /** @description Only large trades (`LargeTradeInsertedV2` in the stream) of the wallets in this watchlist of the account, as the list is when the trade is sent. An empty list matches no trade. An id that is not a watchlist of this account is refused with 400. Text in another format is refused with 400. */
                watchlist?: string;
                /** @description Only `LargeTradeInsertedV2` of at least this many dollars, compared in cents, rounded half up: a decimal above 0 with at most six decimal places. Text in another format is refused with 400. */
                min_size?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description Where to resume: the `id` of the last frame that you received. Browsers send it automatically. It takes precedence over the equivalent query parameters; a value that is not a whole number is ignored. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    getEventReplaySince: {
        parameters: {
            query?: {
                /** @description `next_cursor` of a page, or `cursor` of an event. A cursor is valid only with the filters it was issued for; with other filters it returns `cursor_expired`. */
                cursor?: string;
                /** @description Maximum number of items per page. Default 50. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description Only this trader, by wallet address, trd_ id or username. An unknown trader matches nothing, and the cursor still advances. */
                trader?: string;
                /** @description Only large trades (`LargeTradeInsertedV2` in the stream) of these wallet addresses. For more addresses use `watchlist`; both together are refused with 400. For several values repeat the parameter or separate them with commas. More than 25, and text in another format, are refused with 400. */
                wallet?: string[];
                /** @description Only large trades (`LargeTradeInsertedV2` in the stream) of the wallets in this watchlist of the account, as the list is when the trade is sent. An empty list matches no trade. An id that is not a watchlist of this account is refused with 400. Text in another format is refused with 400. */
                watchlist?: string;
                /** @description Only this market, by condition id or mkt_ id. An unknown market returns an empty list. All markets when left out. */
                condition_id?: string;
                /** @description Only traders whose current grade is this one or better. S is the best, F the worst; ungraded traders never match. All traders, graded or not, when left out. Other values are refused with 400; values are case-sensitive. */
                min_grade?: "S" | "A" | "B" | "C" | "D" | "F";
                /** @description Minimum size in dollars, without fees. Sizes are compared in cents, rounded half up. All when left out. A number from 0 to 1000000000000000. Anything else is refused with 400. */
                min_size?: number | string;
                /** @description Adds the large trade to each event. For several values repeat the parameter or separate them with commas. Unknown values are ignored. */
                expand?: "trade"[];
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "event_replay";
                        /** @description The data of the response. */
                        data: components["schemas"]["EventReplayEvent"][];
                        /** @description Whether further events are readable now. With filters, the next page can be empty and still have a next page. */
                        has_more: boolean;
                        /** @description Cursor of the next page. Always present, also after the last event. It advances past events that do not match the filters. */
                        next_cursor: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"] & {
                            /** @description Range and filters of the page. */
                            replay: {
                                /** @description The cursor of the request. Without a cursor, the position before all events, which is valid until the oldest event is removed. */
                                from_cursor: string;
                                /** @description Cursor at the end of the page, equal to `next_cursor`. */
                                to_cursor: string;
                                /** @description Row number of the last trade on earlier pages; 0 when there is none. */
                                from_sequence: number;
                                /** @description Row number of the last trade on the page, or `from_sequence` on an empty page. */
                                to_sequence: number;
                                /**
                                 * @description Oldest first, in the order in which events became visible.
                                 * @constant
                                 */
                                ordering: "commit_visibility_then_id_asc";
                                /** @description Whether recorded events wait for an older open transaction. They appear on a later page; none is skipped. */
                                pending_beyond_horizon: boolean;
                                /** @description Filters of the replay; left out when there are none. */
                                filters?: {
                                    /** @description The `trader` parameter as sent. */
                                    trader?: string;
                                    /** @description The provider's market id. */
                                    condition_id?: string;
                                    /**
                                     * @description The lowest grade that matches.
                                     * @enum {string}
                                     */
                                    min_grade?: "S" | "A" | "B" | "C" | "D" | "F";
                                    /** @description Minimum size in dollars. */
                                    min_size?: number;
                                    /** @description The wallet addresses in lower case, each once. */
                                    wallet?: string[];
                                    /** @description The watchlist's wl_ id. */
                                    watchlist?: string;
                                };
                                /** @description Expanded fields; empty when none were requested. */
                                expand: "trade"[];
                            };
                            /** @description Retention of events. */
                            retention: {
                                /**
                                 * @description Events are stored in the database.
                                 * @constant
                                 */
                                status: "durable_database";
                                /** @description Number of events that are currently kept. */
                                retained_events: number;
                                /**
                                 * @description Always false: an expired cursor returns 400 `cursor_expired`.
                                 * @constant
                                 */
                                cursor_expired: false;
                            };
                            /** @description Completeness of the page. */
                            completeness: {
                                /**
                                 * @description complete: the page has no gaps, and more events follow. caught_up: no further events are readable yet.
                                 * @enum {string}
                                 */
                                status: "complete" | "caught_up";
                                /** @description The status as text. */
                                reason: string;
                            };
                        };
                    };
                };
            };
        };
    };
    getTraderExportSnapshot: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path: {
                /** @description The trader: its wallet address (0x and 40 hex digits), its trd_ id, or a known username. Case-insensitive. A trader without any recorded activity is 404; an id of another resource type is 400. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "trader_export_snapshot";
                        /** @description The data of the response. */
                        data: components["schemas"]["TraderExportSnapshot"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    submitTraderExport: {
        parameters: {
            query?: {
                /** @description Format of the file. parquet is an addition to the contract. Default json. Other values are refused with 400; values are case-sensitive. */
                format?: "json" | "ndjson" | "csv" | "parquet";
                /** @description true returns only a queued job, and otherwise starts a new one. true or 1, false or 0; default false. Anything else is refused with 400. */
                fresh?: boolean;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path: {
                /** @description The trader: its wallet address (0x and 40 hex digits), its trd_ id, or a known username. Case-insensitive. A trader without any recorded activity is 404; an id of another resource type is 400. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "trader_export_job";
                        /** @description The data of the response. */
                        data: components["schemas"]["TraderExportJobData"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
            /** @description 202 */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "trader_export_job";
                        /** @description The data of the response. */
                        data: components["schemas"]["TraderExportJobData"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getTraderExportStatus: {
        parameters: {
            query: {
                /** @description Number of the job. A job of another account, trader or kind is 404, as a missing one. An integer, 1 or more. Anything else is refused with 400. */
                job_id: number;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path: {
                /** @description The trader: its wallet address (0x and 40 hex digits), its trd_ id, or a known username. Case-insensitive. A trader without any recorded activity is 404; an id of another resource type is 400. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "trader_export_job";
                        /** @description The data of the response. */
                        data: components["schemas"]["TraderExportJobData"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    cancelTraderExport: {
        parameters: {
            query: {
                /** @description Number of the job. A job of another account, trader or kind is 404, as a missing one. An integer, 1 or more. Anything else is refused with 400. */
                job_id: number;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path: {
                /** @description The trader: its wallet address (0x and 40 hex digits), its trd_ id, or a known username. Case-insensitive. A trader without any recorded activity is 404; an id of another resource type is 400. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "trader_export_job";
                        /** @description The data of the response. */
                        data: components["schemas"]["TraderExportJobData"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    downloadTraderExport: {
        parameters: {
            query: {
                /** @description Number of the job. A job of another account, trader or kind is 404, as a missing one. An integer, 1 or more. Anything else is refused with 400. */
                job_id: number;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path: {
                /** @description The trader: its wallet address (0x and 40 hex digits), its trd_ id, or a known username. Case-insensitive. A trader without any recorded activity is 404; an id of another resource type is 400. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    submitWhaleDataset: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WhaleDatasetRequest"];
            };
        };
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "whale_dataset_job";
                        /** @description The data of the response. */
                        data: components["schemas"]["WhaleDatasetJobData"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
            /** @description 202 */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "whale_dataset_job";
                        /** @description The data of the response. */
                        data: components["schemas"]["WhaleDatasetJobData"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getWhaleDatasetStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path: {
                /** @description Number of the job. Any other text is 400; a job of another account or kind is 404, as a missing one. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "whale_dataset_job";
                        /** @description The data of the response. */
                        data: components["schemas"]["WhaleDatasetJobData"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    cancelWhaleDataset: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path: {
                /** @description Number of the job. Any other text is 400; a job of another account or kind is 404, as a missing one. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "whale_dataset_job";
                        /** @description The data of the response. */
                        data: components["schemas"]["WhaleDatasetJobData"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    downloadWhaleDataset: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path: {
                /** @description Number of the job. Any other text is 400; a job of another account or kind is 404, as a missing one. */
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listWatchlists: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["WatchlistSummary"][];
                        /** @description Number of watchlists. */
                        total: number;
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    createWatchlist: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description A text of your choice that identifies one intent. A repeat within 24 hours with the same request returns the first response and runs nothing; with a different request it is refused with 422. An empty or longer text is refused with 400. Without the header every request runs. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WatchlistContent"];
            };
        };
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "watchlist";
                        /** @description The data of the response. */
                        data: components["schemas"]["WatchlistSummary"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getWatchlist: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path: {
                /** @description The watchlist's wl_ id. Any other text is 400; an id that is not a watchlist of this account is 404. */
                watchlist_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "watchlist";
                        /** @description The data of the response. */
                        data: components["schemas"]["Watchlist"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    replaceWatchlist: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description A text of your choice that identifies one intent. A repeat within 24 hours with the same request returns the first response and runs nothing; with a different request it is refused with 422. An empty or longer text is refused with 400. Without the header every request runs. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The watchlist's wl_ id. Any other text is 400; an id that is not a watchlist of this account is 404. */
                watchlist_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WatchlistContent"];
            };
        };
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "watchlist";
                        /** @description The data of the response. */
                        data: components["schemas"]["WatchlistSummary"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    deleteWatchlist: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description A text of your choice that identifies one intent. A repeat within 24 hours with the same request returns the first response and runs nothing; with a different request it is refused with 422. An empty or longer text is refused with 400. Without the header every request runs. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The watchlist's wl_ id. Any other text is 400; an id that is not a watchlist of this account is 404. */
                watchlist_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "watchlist";
                        /** @description The data of the response. */
                        data: components["schemas"]["DeletedWatchlist"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listWebhookEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["WebhookEventDescriptor"][];
                        /** @description Number of event types, including older spellings. */
                        total: number;
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["WebhookEndpoint"][];
                        /** @description Number of endpoints. */
                        total: number;
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description A text of your choice that identifies one intent. A repeat within 24 hours with the same request returns the first response and runs nothing; with a different request it is refused with 422. An empty or longer text is refused with 400. Without the header every request runs. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "webhook";
                        /** @description The data of the response. */
                        data: components["schemas"]["WebhookEndpoint"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path: {
                /** @description Number of the endpoint. Any other text is 400; a missing endpoint, or one of another account, is 404. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "webhook";
                        /** @description The data of the response. */
                        data: components["schemas"]["WebhookEndpoint"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description A text of your choice that identifies one intent. A repeat within 24 hours with the same request returns the first response and runs nothing; with a different request it is refused with 422. An empty or longer text is refused with 400. Without the header every request runs. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Number of the endpoint. Any other text is 400; a missing endpoint, or one of another account, is 404. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "webhook";
                        /** @description The data of the response. */
                        data: components["schemas"]["WebhookEndpoint"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description A text of your choice that identifies one intent. A repeat within 24 hours with the same request returns the first response and runs nothing; with a different request it is refused with 422. An empty or longer text is refused with 400. Without the header every request runs. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Number of the endpoint. Any other text is 400; a missing endpoint, or one of another account, is 404. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "webhook";
                        /** @description The data of the response. */
                        data: components["schemas"]["WebhookEndpoint"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    verifyWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path: {
                /** @description Number of the endpoint. Any other text is 400; a missing endpoint, or one of another account, is 404. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyWebhookRequest"];
            };
        };
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "webhook";
                        /** @description The data of the response. */
                        data: components["schemas"]["WebhookEndpoint"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    createWebhookVerificationAttempt: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description A text of your choice that identifies one intent. A repeat within 24 hours with the same request returns the first response and runs nothing; with a different request it is refused with 422. An empty or longer text is refused with 400. Without the header every request runs. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Number of the endpoint. Any other text is 400; a missing endpoint, or one of another account, is 404. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookVerificationAttemptRequest"];
            };
        };
        responses: {
            /** @description 202 */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "webhook_verification_attempt";
                        /** @description The data of the response. */
                        data: components["schemas"]["WebhookVerificationAttempt"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    getWebhookVerificationAttempt: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path: {
                /** @description Number of the endpoint. Any other text is 400; a missing endpoint, or one of another account, is 404. */
                id: number;
                /** @description Id of the attempt, a UUID. Any other text is 400; an id that is not an attempt of this endpoint is 404. */
                attempt_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "webhook_verification_attempt";
                        /** @description The data of the response. */
                        data: components["schemas"]["WebhookVerificationAttempt"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description A text of your choice that identifies one intent. A repeat within 24 hours with the same request returns the first response and runs nothing; with a different request it is refused with 422. An empty or longer text is refused with 400. Without the header every request runs. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Number of the endpoint. Any other text is 400; a missing endpoint, or one of another account, is 404. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "webhook";
                        /** @description The data of the response. */
                        data: components["schemas"]["WebhookEndpoint"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    prepareWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description A text of your choice that identifies one intent. A repeat within 24 hours with the same request returns the first response and runs nothing; with a different request it is refused with 422. An empty or longer text is refused with 400. Without the header every request runs. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Number of the endpoint. Any other text is 400; a missing endpoint, or one of another account, is 404. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "webhook";
                        /** @description The data of the response. */
                        data: components["schemas"]["WebhookEndpoint"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    activateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description A text of your choice that identifies one intent. A repeat within 24 hours with the same request returns the first response and runs nothing; with a different request it is refused with 422. An empty or longer text is refused with 400. Without the header every request runs. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Number of the endpoint. Any other text is 400; a missing endpoint, or one of another account, is 404. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "webhook";
                        /** @description The data of the response. */
                        data: components["schemas"]["WebhookEndpoint"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    retireWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description A text of your choice that identifies one intent. A repeat within 24 hours with the same request returns the first response and runs nothing; with a different request it is refused with 422. An empty or longer text is refused with 400. Without the header every request runs. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Number of the endpoint. Any other text is 400; a missing endpoint, or one of another account, is 404. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "webhook";
                        /** @description The data of the response. */
                        data: components["schemas"]["WebhookEndpoint"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Maximum number of items per page. Default 50. An integer outside 1 to 100 is clamped; anything else is refused with 400. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, unchanged and with the same filters. Omitted or empty: the first page. A cursor of another list or of other filters is refused with 400 `invalid_query`. A cursor of a list that has been replaced is refused with 400 `cursor_expired`: request the first page again. */
                cursor?: string;
            };
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path: {
                /** @description Number of the endpoint. Any other text is 400; a missing endpoint, or one of another account, is 404. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: `data` is a page of rows.
                         * @constant
                         */
                        object: "list";
                        /** @description The rows of this page, in the list's order. */
                        data: components["schemas"]["WebhookDelivery"][];
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Send it as `cursor` to get the next page. Absent on the last page. */
                        next_cursor?: string;
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    redeliverWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
                /** @description A text of your choice that identifies one intent. A repeat within 24 hours with the same request returns the first response and runs nothing; with a different request it is refused with 422. An empty or longer text is refused with 400. Without the header every request runs. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Number of the endpoint. Any other text is 400; a missing endpoint, or one of another account, is 404. */
                id: number;
                /** @description Number of the delivery. Any other text is 400; a number that is not a delivery of this endpoint is 404. */
                delivery_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "webhook_delivery";
                        /** @description The data of the response. */
                        data: components["schemas"]["WebhookDelivery"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description `strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`. */
                "X-Query-Validation"?: string;
            };
            path: {
                /** @description Number of the endpoint. Any other text is 400; a missing endpoint, or one of another account, is 404. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The type of `data`.
                         * @constant
                         */
                        object: "webhook_test";
                        /** @description The data of the response. */
                        data: components["schemas"]["WebhookTest"];
                        /** @description Facts about the response itself. */
                        meta: components["schemas"]["ResponseMeta"];
                    };
                };
            };
        };
    };
    createMcpJsonRpcResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description The revision of the protocol. None means 2025-03-26. */
                "MCP-Protocol-Version"?: string;
                /** @description The id that `initialize` returned. It is echoed. */
                "Mcp-Session-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["McpJsonRpcRequest"];
            };
        };
        responses: {
            /** @description 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpJsonRpcResponse"];
                };
            };
            /** @description 202 */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_large_trade_inserted_v2: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The signature covers the exact bytes of the body: verify it before parsing. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The event's id, the same on every attempt and on a redelivery. */
                    id: string;
                    /**
                     * @description The name under which the endpoint registered the event.
                     * @constant
                     */
                    type: "large_trade_inserted_v2";
                    /**
                     * Format: date-time
                     * @description When the trade was filled, UTC.
                     */
                    created_at: string;
                    data: components["schemas"]["WebhookLargeTradeInsertedV2Data"];
                };
            };
        };
        responses: never;
    };
    receive_large_trades_inserted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The signature covers the exact bytes of the body: verify it before parsing. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The event's id, the same on every attempt and on a redelivery. */
                    id: string;
                    /**
                     * @description The name under which the endpoint registered the event.
                     * @constant
                     */
                    type: "large_trades_inserted";
                    /**
                     * Format: date-time
                     * @description When the event was recorded, UTC.
                     */
                    created_at: string;
                    data: components["schemas"]["WebhookCountData"];
                };
            };
        };
        responses: never;
    };
    receive_whale_trades_inserted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The signature covers the exact bytes of the body: verify it before parsing. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The event's id, the same on every attempt and on a redelivery. */
                    id: string;
                    /**
                     * @description The name under which the endpoint registered the event.
                     * @constant
                     */
                    type: "whale_trades_inserted";
                    /**
                     * Format: date-time
                     * @description When the event was recorded, UTC.
                     */
                    created_at: string;
                    data: components["schemas"]["WebhookCountData"];
                };
            };
        };
        responses: never;
    };
    receive_live_sports_updated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The signature covers the exact bytes of the body: verify it before parsing. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The event's id, the same on every attempt and on a redelivery. */
                    id: string;
                    /**
                     * @description The name under which the endpoint registered the event.
                     * @constant
                     */
                    type: "live_sports_updated";
                    /**
                     * Format: date-time
                     * @description When the event was recorded, UTC.
                     */
                    created_at: string;
                    data: components["schemas"]["WebhookLiveSportsUpdatedData"];
                };
            };
        };
        responses: never;
    };
    receive_trader_synced: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The signature covers the exact bytes of the body: verify it before parsing. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The event's id, the same on every attempt and on a redelivery. */
                    id: string;
                    /**
                     * @description The name under which the endpoint registered the event.
                     * @constant
                     */
                    type: "trader_synced";
                    /**
                     * Format: date-time
                     * @description When the event was recorded, UTC.
                     */
                    created_at: string;
                    data: components["schemas"]["WebhookTraderSyncedData"];
                };
            };
        };
        responses: never;
    };
    receive_whale_trader_synced: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The signature covers the exact bytes of the body: verify it before parsing. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The event's id, the same on every attempt and on a redelivery. */
                    id: string;
                    /**
                     * @description The name under which the endpoint registered the event.
                     * @constant
                     */
                    type: "whale_trader_synced";
                    /**
                     * Format: date-time
                     * @description When the event was recorded, UTC.
                     */
                    created_at: string;
                    data: components["schemas"]["WebhookTraderSyncedData"];
                };
            };
        };
        responses: never;
    };
    receive_large_positions_updated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The signature covers the exact bytes of the body: verify it before parsing. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The event's id, the same on every attempt and on a redelivery. */
                    id: string;
                    /**
                     * @description The name under which the endpoint registered the event.
                     * @constant
                     */
                    type: "large_positions_updated";
                    /**
                     * Format: date-time
                     * @description When the event was recorded, UTC.
                     */
                    created_at: string;
                    data: components["schemas"]["WebhookCountData"];
                };
            };
        };
        responses: never;
    };
    receive_wallet_grade_changed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The signature covers the exact bytes of the body: verify it before parsing. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The event's id, the same on every attempt and on a redelivery. */
                    id: string;
                    /**
                     * @description The name under which the endpoint registered the event.
                     * @constant
                     */
                    type: "wallet_grade_changed";
                    /**
                     * Format: date-time
                     * @description When the event was recorded, UTC.
                     */
                    created_at: string;
                    data: components["schemas"]["WebhookWalletGradeChangedData"];
                };
            };
        };
        responses: never;
    };
    receive_suspicious_trade_flagged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The signature covers the exact bytes of the body: verify it before parsing. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The event's id, the same on every attempt and on a redelivery. */
                    id: string;
                    /**
                     * @description The name under which the endpoint registered the event.
                     * @constant
                     */
                    type: "suspicious_trade_flagged";
                    /**
                     * Format: date-time
                     * @description When the event was recorded, UTC.
                     */
                    created_at: string;
                    data: components["schemas"]["WebhookSuspiciousTradeFlaggedData"];
                };
            };
        };
        responses: never;
    };
    receive_insider_radar_flag_raised: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The signature covers the exact bytes of the body: verify it before parsing. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The event's id, the same on every attempt and on a redelivery. */
                    id: string;
                    /**
                     * @description The name under which the endpoint registered the event.
                     * @constant
                     */
                    type: "insider_radar_flag_raised";
                    /**
                     * Format: date-time
                     * @description When the event was recorded, UTC.
                     */
                    created_at: string;
                    data: components["schemas"]["WebhookSuspiciousTradeFlaggedData"];
                };
            };
        };
        responses: never;
    };
    receive_sharp_money_flow_detected: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The signature covers the exact bytes of the body: verify it before parsing. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The event's id, the same on every attempt and on a redelivery. */
                    id: string;
                    /**
                     * @description The name under which the endpoint registered the event.
                     * @constant
                     */
                    type: "sharp_money_flow_detected";
                    /**
                     * Format: date-time
                     * @description When the event was recorded, UTC.
                     */
                    created_at: string;
                    data: components["schemas"]["WebhookSharpMoneyFlowDetectedData"];
                };
            };
        };
        responses: never;
    };
    receive_smart_money_flow_detected: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The signature covers the exact bytes of the body: verify it before parsing. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The event's id, the same on every attempt and on a redelivery. */
                    id: string;
                    /**
                     * @description The name under which the endpoint registered the event.
                     * @constant
                     */
                    type: "smart_money_flow_detected";
                    /**
                     * Format: date-time
                     * @description When the event was recorded, UTC.
                     */
                    created_at: string;
                    data: components["schemas"]["WebhookSharpMoneyFlowDetectedData"];
                };
            };
        };
        responses: never;
    };
    receive_export_job_ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The signature covers the exact bytes of the body: verify it before parsing. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The event's id, the same on every attempt and on a redelivery. */
                    id: string;
                    /**
                     * @description The name under which the endpoint registered the event.
                     * @constant
                     */
                    type: "export_job_ready";
                    /**
                     * Format: date-time
                     * @description When the event was recorded, UTC.
                     */
                    created_at: string;
                    data: components["schemas"]["WebhookExportJobData"];
                };
            };
        };
        responses: never;
    };
    receive_export_job_failed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The signature covers the exact bytes of the body: verify it before parsing. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The event's id, the same on every attempt and on a redelivery. */
                    id: string;
                    /**
                     * @description The name under which the endpoint registered the event.
                     * @constant
                     */
                    type: "export_job_failed";
                    /**
                     * Format: date-time
                     * @description When the event was recorded, UTC.
                     */
                    created_at: string;
                    data: components["schemas"]["WebhookExportJobData"];
                };
            };
        };
        responses: never;
    };
    receive_export_job_expired: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The signature covers the exact bytes of the body: verify it before parsing. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The event's id, the same on every attempt and on a redelivery. */
                    id: string;
                    /**
                     * @description The name under which the endpoint registered the event.
                     * @constant
                     */
                    type: "export_job_expired";
                    /**
                     * Format: date-time
                     * @description When the event was recorded, UTC.
                     */
                    created_at: string;
                    data: components["schemas"]["WebhookExportJobData"];
                };
            };
        };
        responses: never;
    };
    receive_export_job_cancelled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The signature covers the exact bytes of the body: verify it before parsing. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The event's id, the same on every attempt and on a redelivery. */
                    id: string;
                    /**
                     * @description The name under which the endpoint registered the event.
                     * @constant
                     */
                    type: "export_job_cancelled";
                    /**
                     * Format: date-time
                     * @description When the event was recorded, UTC.
                     */
                    created_at: string;
                    data: components["schemas"]["WebhookExportJobData"];
                };
            };
        };
        responses: never;
    };
}
