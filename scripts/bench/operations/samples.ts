import { z } from "zod";
import { RECORD_KINDS } from "../../../src/domain/record/record-kinds.ts";
import type { SampleFacts } from "./sample-facts.ts";
import { MINUTE_MS } from "../../../src/scoring/utc-calendar.ts";

/** One request. With a body it is a POST. */
export interface Sample {
  readonly path: string;
  readonly body?: unknown;
}

/** Requests that share one form: a list without filters, or with one of them. */
export interface SampleForm {
  readonly name: string;
  readonly samples: readonly Sample[];
  /** Set where a cursor works only for the key that received it: its pages are not compared. */
  readonly isPerKey?: true;
}

/** Reads a path of the measured API. @returns the decoded body */
export type ReadPath = (path: string) => Promise<unknown>;

type Sampler = (facts: SampleFacts, ask: ReadPath) => readonly SampleForm[] | Promise<readonly SampleForm[]>;

const API = "/api/v1";
const CATEGORIES = ["Politics", "Crypto", "Soccer", "Pickleball"];
const WORDS = ["arsenal", "bitcoin texas", "will", "trump ohio december", "cease"];
const MISSPELT = ["bitcion", "arsenla", "etherium tokio"];
/** The maximum number of batch items. */
const BATCH = 25;

const form = (name: string, paths: readonly string[]): SampleForm => ({
  name,
  samples: paths.map((path) => ({ path: API + path })),
});
const each = <Item>(items: readonly Item[], path: (item: Item) => string) => items.map(path);
/** The forms of a list: without a query, and with each of the given queries. */
const listForms = (path: string, queries: readonly (string | readonly string[])[]): SampleForm[] => [
  form("default", [path, `${path}?limit=50`]),
  ...queries.map((query) => {
    const all = typeof query === "string" ? [query] : query;
    return form(
      all[0] ?? "",
      each(all, (one) => `${path}?${one}`),
    );
  }),
];
const categories = CATEGORIES.map((name) => `category=${name}`);
const yesterday = (facts: SampleFacts) => facts.days[1] ?? facts.days[0] ?? "2026-11-20";
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString();

const SIGNAL_FILTERS = [categories, "horizon_hours=48", "horizon_hours=48&min_grade=S"];
/** The forms of a list of observations; `path` ends where its query continues. */
const observationForms = (path: string): SampleForm[] => [
  form("default", [`${path}cohort=wider_holder`, `${path}cohort=wider_holder&limit=50`]),
  form("cohort", [`${path}cohort=emerging_pile`, `${path}cohort=in_play`]),
  form(
    "category",
    each(categories, (category) => `${path}cohort=wider_holder&${category}`),
  ),
];

const oneForm =
  (paths: (facts: SampleFacts) => readonly string[]): Sampler =>
  (facts) => [form("default", paths(facts))];

const largeTrades =
  (path: string): Sampler =>
  ({ largeTrades: ids }) =>
    listForms(path, [
      "min_size=0",
      "min_size=50000",
      categories,
      "min_grade=A",
      "suspicious_only=true",
      "min_market_volume_share=0.01",
      "sort=market_volume_share",
      ["sort=market_volume_share&category=Politics", "sort=market_volume_share&min_grade=B"],
      ids.slice(5, 25).map((id) => `since=wt_${id}`),
    ]);

const largeTradeHistory =
  (path: string): Sampler =>
  ({ traders, markets, days }) =>
    listForms(path, [
      "min_size=50000",
      categories,
      "min_grade=A",
      "suspicious_only=true",
      "sort=market_volume_share",
      "min_market_volume_share=0.01",
      markets.map((id) => `condition_id=${id}`),
      traders.map((address) => `trader=${address}`),
      ["trader=generated-0", "trader=nobody-of-this-name"],
      `from=${days.at(-1)}T00:00:00Z&to=${days[0]}T00:00:00Z`,
    ]);

const marketFlow =
  (name: string): Sampler =>
  ({ markets }) => [
    form(
      "default",
      each(markets, (id) => `/market/${id}/${name}`),
    ),
    form(
      "timeframe=7d",
      each(markets, (id) => `/market/${id}/${name}?timeframe=7d`),
    ),
  ];

const flowBatch =
  (name: string): Sampler =>
  ({ markets }) => [
    {
      name: `${BATCH} markets`,
      samples: ["7d", "24h"].map((timeframe) => ({
        path: `${API}/markets/${name}/batch`,
        body: { condition_ids: markets.slice(0, BATCH), timeframe },
      })),
    },
  ];

const moneyFlows =
  (path: string): Sampler =>
  () =>
    listForms(path, [
      ["window=1h", "window=4h", "window=7d"],
      categories,
      "min_grade=S",
      ["direction=YES", "direction=NO"],
    ]);

const suspiciousTrades =
  (path: string): Sampler =>
  () =>
    listForms(path, ["min_suspicion=80", ["severity=flag", "severity=watch"], "mode=stable"]);

const timeline =
  (wallet: (pair: SampleFacts["pairs"][number]) => string): Sampler =>
  ({ pairs }) =>
    ["", "&limit=5"].map((limit) =>
      form(
        limit === "" ? "default" : limit,
        each(pairs, (pair) => `${wallet(pair)}/position-timeline?condition_id=${pair.conditionId}${limit}`),
      ),
    );

const executions =
  (path: string): Sampler =>
  async ({ largeTrades: ids }, ask) => [
    form(
      "default",
      (await snapshotsOf(ids, ask)).map(
        ({ id, snapshot }) => `${path}/${id}/counterparties/executions?snapshot_id=${snapshot}`,
      ),
    ),
  ];

const makers =
  (path: string): Sampler =>
  async ({ largeTrades: ids }, ask) => [
    form(
      "default",
      (await snapshotsOf(ids, ask)).flatMap(({ id, snapshot, execution }) =>
        execution === null
          ? []
          : [`${path}/${id}/counterparties/executions/${execution}/makers?snapshot_id=${snapshot}`],
      ),
    ),
  ];

const LargeTrade = z.object({
  data: z.object({
    counterparty_analysis: z.object({
      snapshot_id: z.string().nullable(),
      unavailable_executions: z.array(z.object({ id: z.string() })),
    }),
  }),
});

/** The counterparty snapshots that the trades' own responses name. */
async function snapshotsOf(
  ids: readonly string[],
  ask: ReadPath,
): Promise<{ id: string; snapshot: string; execution: string | null }[]> {
  const found = [];
  for (const id of ids.slice(0, 20)) {
    const { snapshot_id: snapshot, unavailable_executions: unavailable } = LargeTrade.parse(
      await ask(`${API}/large-trades/${id}`),
    ).data.counterparty_analysis;
    if (snapshot !== null) found.push({ id, snapshot, execution: unavailable[0]?.id ?? null });
  }
  return found;
}

/** The samples of every operation of the registry. A test fails when one is missing. */
export const SAMPLES: Readonly<Record<string, Sampler>> = {
  getApiDiscovery: oneForm(() => [""]),
  redirectApiOpenapiSpec: oneForm(() => ["/openapi.json"]),
  getHealth: oneForm(() => ["/health"]),
  getCoverage: oneForm(() => ["/coverage"]),
  getPlatforms: oneForm(() => ["/platforms"]),
  registerAgent: () => [{ name: "default", samples: [{ path: `${API}/agents/register`, body: {} }] }],
  getUsage: oneForm(() => ["/usage"]),
  getAccountIdentity: oneForm(() => ["/me"]),
  getTrader: ({ traders, traderIds }) => [
    form(
      "default",
      each(traders, (address) => `/trader/${address}`),
    ),
    form(
      "expand",
      each(traders, (address) => `/trader/${address}?expand=strategy,categories,quant_metrics,trust`),
    ),
    form(
      "by id",
      each(traderIds, (id) => `/trader/trd_${id}`),
    ),
    form("by name", ["/trader/generated-0", "/trader/generated-7"]),
  ],
  batchGetTraders: ({ traders }) => [
    {
      name: `${BATCH} wallets`,
      samples: [{ path: `${API}/traders/batch`, body: { traders: traders.slice(0, BATCH) } }],
    },
    {
      name: "expand",
      samples: [
        {
          path: `${API}/traders/batch`,
          body: { traders: traders.slice(0, BATCH), expand: ["strategy", "categories", "quant_metrics", "trust"] },
        },
      ],
    },
  ],
  getTraderContext: oneForm(({ traders }) => each(traders, (address) => `/trader/${address}/context`)),
  getTraderContextMarkdown: oneForm(({ traders }) => each(traders, (address) => `/trader/${address}/context.md`)),
  getTraderPnl: ({ traders, days }) => [
    form(
      "default",
      each(traders, (address) => `/trader/${address}/pnl`),
    ),
    form(
      "sections",
      each(traders, (address) => `/trader/${address}/pnl?sections[]=entries&sections[]=drawdown`),
    ),
    form(
      "from, to",
      each(traders, (address) => `/trader/${address}/pnl?from=${days.at(-1)}&to=${days[0]}`),
    ),
  ],
  getTraderGradeAt: oneForm(({ traders }) =>
    each(traders, (address) => `/trader/${address}/grade-at?as_of=${minutesAgo(1)}`),
  ),
  getTraderCategoryRecords: ({ traders }) => [
    form(
      "default",
      each(traders, (address) => `/trader/${address}/categories`),
    ),
    form(
      "category",
      each(traders, (address) => `/trader/${address}/categories?category=Politics`),
    ),
  ],
  listLargeTrades: largeTrades("/large-trades"),
  listWhaleTrades: largeTrades("/whale-trades"),
  listLargeTradeHistory: largeTradeHistory("/large-trades/history"),
  listWhaleTradeHistory: largeTradeHistory("/whale-trades/history"),
  getLargeTrade: oneForm(({ largeTrades: ids }) => each(ids, (id) => `/large-trades/wt_${id}`)),
  getWhaleTrade: oneForm(({ largeTrades: ids }) => each(ids, (id) => `/whale-trades/wt_${id}`)),
  listLargeTradeCounterpartyExecutions: executions("/large-trades"),
  listWhaleTradeCounterpartyExecutions: executions("/whale-trades"),
  listLargeTradeCounterpartyMakers: makers("/large-trades"),
  listWhaleTradeCounterpartyMakers: makers("/whale-trades"),
  listLeaderboard: () => listForms("/leaderboard", [categories, ["strategy=diversified", "strategy=two_sided"]]),
  listTrendingWallets: () => listForms("/leaderboard/trending", ["window=30d", "limit=10"]),
  searchMarkets: () => [
    form(
      "words",
      each(WORDS, (words) => `/markets/search?q=${encodeURIComponent(words)}`),
    ),
    form("in every title", ["/markets/search?q=generated", "/markets/search?q=generated&limit=50"]),
    form(
      "misspelt",
      each(MISSPELT, (words) => `/markets/search?q=${encodeURIComponent(words)}`),
    ),
    form("status", ["/markets/search?q=generated&status=active", "/markets/search?q=generated&status=closed"]),
    form(
      "category",
      each(categories, (category) => `/markets/search?q=generated&${category}`),
    ),
  ],
  exploreMarkets: () =>
    listForms("/markets/explore", [
      ["sort=volume", "sort=hot", "sort=newest", "sort=expiring", "sort=large_trades"],
      categories,
      ["status=closed", "status=all"],
      ["q=bitcoin", "q=generated", "q=bitcion"],
    ]),
  getMarketSnapshot: ({ markets }) => [
    form(
      "default",
      each(markets, (id) => `/market/${id}/snapshot`),
    ),
    form(
      "expand",
      each(markets, (id) => `/market/${id}/snapshot?expand=trust`),
    ),
  ],
  getMarketCandles: ({ markets }) => [
    form(
      "default",
      each(markets, (id) => `/market/${id}/candles`),
    ),
    form(
      "resolution=1w",
      each(markets, (id) => `/market/${id}/candles?resolution=1w`),
    ),
  ],
  getMarketFlow: marketFlow("flow"),
  getMarketIntel: marketFlow("intel"),
  batchGetMarketFlow: flowBatch("flow"),
  batchGetMarketIntel: flowBatch("intel"),
  getMarketHolders: ({ scannedMarkets }) => [
    form(
      "default",
      each(scannedMarkets, (id) => `/market/${id}/holders`),
    ),
    form(
      "outcome",
      each(scannedMarkets, (id) => `/market/${id}/holders?outcome=no&limit=50`),
    ),
    form(
      "min_grade",
      each(scannedMarkets, (id) => `/market/${id}/holders?min_grade=A`),
    ),
  ],
  getMarketContextMarkdown: oneForm(({ markets }) => each(markets, (id) => `/market/${id}/context.md`)),
  getEventReplaySince: ({ traders, markets }) => [
    form("default", ["/events/feed/since", "/events/feed/since?limit=100"]),
    form(
      "trader",
      each(traders, (address) => `/events/feed/since?trader=${address}`),
    ),
    form(
      "condition_id",
      each(markets, (id) => `/events/feed/since?condition_id=${id}`),
    ),
    form("min_grade, min_size", ["/events/feed/since?min_grade=A", "/events/feed/since?min_size=50000"]),
  ],
  getReports: (facts) => [form("default", [`/reports?granularity=daily&period=${yesterday(facts)}`])],
  getDailyReportSnapshot: oneForm(({ days }) => each(days, (day) => `/reports/daily?date=${day}`)),
  getWeeklyReportSnapshot: (facts) => [
    form("week", ["/reports/weekly?week=2026-46"]),
    form("from, to", [`/reports/weekly?from=${facts.days[6] ?? yesterday(facts)}&to=${yesterday(facts)}`]),
  ],
  getMonthlyReportSnapshot: (facts) => [form("default", [`/reports/monthly?month=${yesterday(facts).slice(0, 7)}`])],
  searchContent: () => [
    form("words", [
      "/content/search?q=grade",
      "/content/search?q=suspicious+trades",
      "/content/search?q=gradse&limit=50",
    ]),
  ],
  listPositions: ({ traders, markets }) => [
    ...listForms("/positions", [
      "min_size=5000",
      categories,
      ["min_grade=A", "min_grade=S"],
      ["side=yes", "side=no"],
      markets.slice(0, 12).map((id) => `condition_id=${id}`),
      traders.map((address) => `wallet=${address}`),
      `wallet=${traders.slice(0, 25).join(",")}`,
    ]),
    {
      ...form(
        "snapshot",
        each(traders.slice(1, 12), (address) => `/positions?wallet=${address}&consistency=snapshot`),
      ),
      isPerKey: true,
    },
  ],
  listLargePositions: ({ markets }) =>
    listForms("/large-positions", [
      "min_size=50000",
      categories,
      ["min_grade=A", "min_grade=S"],
      markets.slice(0, 12).map((id) => `condition_id=${id}`),
    ]),
  getPositionTimeline: timeline(({ address }) => `/trader/${address}`),
  getPositionTimelineById: timeline(({ traderId }) => `/traders/trd_${traderId}`),
  listSharpMoneyFlows: moneyFlows("/markets/sharp-money-flows"),
  listSmartMoneyFlows: moneyFlows("/markets/smart-money-flows"),
  listPreGameSides: () => listForms("/sports/pre-game-sides", SIGNAL_FILTERS),
  listPreGameSideObservations: () => observationForms("/sports/pre-game-side-observations?"),
  listSportsEdgeObservations: () => observationForms("/sports-edge-observations?"),
  getEdgeHunter: () => [
    ...listForms("/edge-hunter", SIGNAL_FILTERS),
    ...observationForms("/edge-hunter?view=observations&"),
    form("view=board", ["/edge-hunter?view=board", "/edge-hunter?view=board&category=Soccer"]),
  ],
  getPickOfTheDay: oneForm(({ pickDays }) => each(pickDays, (day) => `/pick-of-the-day?date=${day}`)),
  getPickOfTheDayArchive: oneForm(() => ["/pick-of-the-day/archive", "/pick-of-the-day/archive?limit=100"]),
  getPickOfTheDayLedger: oneForm(() => ["/pick-of-the-day/ledger"]),
  getPickOfTheDayLedgerEntry: oneForm(({ picks }) => each(picks, (id) => `/pick-of-the-day/ledger/${id}`)),
  getRecord: () => [
    form("all kinds", ["/record"]),
    form(
      "kind",
      each(RECORD_KINDS, (kind) => `/record?kind=${kind}`),
    ),
  ],
  listProofHeads: () => listForms("/proofs/heads", ["from_sequence=1&to_sequence=1"]),
  getRowProof: oneForm((facts) => each(facts.largeTrades, (id) => `/proofs/rows/wt_${id}`)),
  listSuspiciousTrades: suspiciousTrades("/suspicious-trades"),
  listInsiderRadar: suspiciousTrades("/insider-radar"),
  getSuspiciousTrade: oneForm(({ suspiciousTrades: ids }) => each(ids, (id) => `/suspicious-trades/rf_${id}`)),
  getInsiderRadarFlag: oneForm(({ suspiciousTrades: ids }) => each(ids, (id) => `/insider-radar/rf_${id}`)),
  listGames: () =>
    listForms("/games", [
      ["sport=Soccer", "sport=esports"],
      ["league=nba", "league=epl"],
      ["status=live", "status=scheduled"],
      `starts_after=${minutesAgo(60)}`,
      `starts_before=${minutesAgo(-600)}`,
    ]),
  listComboFills: () =>
    listForms("/combos/fills", [
      ["sort=largest", "sort=largest&window=7d", "sort=largest&window=all"],
      ["sort=payout", "sort=payout&window=7d", "sort=payout&window=all"],
      ["result=pending", "result=won,lost"],
      ["legs=2,3", "legs=5%2B"],
      ["min_stake=100", "min_multiplier=10"],
      ["grades=S,A", "sports=nba,soccer"],
      ["window=24h", "cursor=1795176000:1"],
      "sort=largest&window=all&offset=5000",
    ]),
  getCombosSummary: oneForm(() => ["/combos/summary"]),
  getCombo: oneForm(({ combos }) => each(combos, (id) => `/combos/${id}`)),
  getGame: oneForm(({ games }) => each(games, (slug) => `/games/${slug}`)),
};
