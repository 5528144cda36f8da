import { sql } from "drizzle-orm";
import { boolean, check, doublePrecision, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { id, instant, microUsd, rowId } from "../../columns.ts";

/**
 * The settled bets of one trader in one market, netted, as the integer sums of `src/scoring/skill/cluster-sums.ts`.
 * `cluster` is the provider event of the market, or the negated market id where no event is known. `story` is the key of
 * the story of the event (`src/ingest/skill/story-key.ts`), or 0 where the event has no series.
 */
export const skillMarkets = pgTable(
  "skill_markets",
  {
    marketId: rowId("market_id").notNull(),
    traderId: rowId("trader_id").notNull(),
    cluster: rowId("cluster").notNull(),
    bets: integer("bets").notNull(),
    usdMicro: microUsd("usd_micro").notNull(),
    edgeMicro: microUsd("edge_micro").notNull(),
    varianceMicro: microUsd("variance_micro").notNull(),
    /** 0 where no close is known. */
    closeUsdMicro: microUsd("close_usd_micro")
      .notNull()
      .default(sql`0`),
    closeEdgeMicro: microUsd("close_edge_micro")
      .notNull()
      .default(sql`0`),
    closeVarianceMicro: microUsd("close_variance_micro")
      .notNull()
      .default(sql`0`),
    /** Not read since `is_by_role`. Written for the release before it, until that is gone. */
    isNetted: boolean("is_netted"),
    /** Not read since `is_by_close`. Written for the release before it, until that is gone. */
    isByRole: boolean("is_by_role"),
    /** Not read since `story`. Written for the release before it, until that is gone. */
    isByClose: boolean("is_by_close"),
    /** Null for sums from before stories were known: they are computed again, and have none until then. */
    story: rowId("story"),
  },
  (table) => [
    primaryKey({ columns: [table.marketId, table.traderId] }),
    index("skill_markets_cluster").on(table.traderId, table.cluster),
    index("skill_markets_not_netted")
      .on(table.marketId)
      .where(sql`is_netted is null`)
      .concurrently(),
    index("skill_markets_not_by_role")
      .on(table.marketId)
      .where(sql`is_by_role is null`)
      .concurrently(),
    index("skill_markets_not_by_close")
      .on(table.marketId)
      .where(sql`is_by_close is null`)
      .concurrently(),
    index("skill_markets_without_story")
      .on(table.marketId)
      .where(sql`story is null`)
      .concurrently(),
  ],
);

/**
 * The clusters of one trader in one story, as the integer sums of `src/scoring/skill/story-sums.ts`, in units of 1e-9.
 * All are 0 once its bets there were withdrawn.
 */
export const skillStories = pgTable(
  "skill_stories",
  {
    traderId: rowId("trader_id").notNull(),
    story: rowId("story").notNull(),
    edge: rowId("edge").notNull(),
    information: rowId("information").notNull(),
    deviation: rowId("deviation").notNull(),
  },
  (table) => [primaryKey({ columns: [table.traderId, table.story] })],
);

/**
 * Markets whose bets must be read again: they have settled, their result has changed, they moved to another
 * event or story, or a late fill arrived.
 */
export const skillDue = pgTable("skill_due", {
  marketId: rowId("market_id").primaryKey(),
  since: instant("since").notNull().defaultNow(),
  /** The traders concerned; null means all traders with bets in the market. */
  traderIds: rowId("trader_ids").array(),
});

/** The close that the bets of a market were last scored with. A market without a close has no row. */
export const skillCloses = pgTable("skill_closes", {
  marketId: rowId("market_id").primaryKey(),
  /** SHA-256 of the kickoff and the trades of the close, in hex. */
  digest: text("digest").notNull(),
});

/**
 * The complete input of a trader's grade: the sums of `src/scoring/skill/evidence.ts` over its clusters. All
 * but the counts are in units of 1e-9, those over pairs of one story in units of 1e-6.
 */
export const traderSkill = pgTable(
  "trader_skill",
  {
    traderId: rowId("trader_id").primaryKey(),
    bets: integer("bets").notNull(),
    clusters: integer("clusters").notNull(),
    weight: rowId("weight").notNull(),
    edge: rowId("edge").notNull(),
    information: rowId("information").notNull(),
    squareInformation: rowId("square_information").notNull(),
    edgeEdge: rowId("edge_edge").notNull(),
    edgeVariance: rowId("edge_variance").notNull(),
    varianceVariance: rowId("variance_variance").notNull(),
    closeClusters: integer("close_clusters").notNull().default(0),
    closeEdge: rowId("close_edge")
      .notNull()
      .default(sql`0`),
    closeInformation: rowId("close_information")
      .notNull()
      .default(sql`0`),
    closeSquareInformation: rowId("close_square_information")
      .notNull()
      .default(sql`0`),
    closeEdgeEdge: rowId("close_edge_edge")
      .notNull()
      .default(sql`0`),
    closeEdgeVariance: rowId("close_edge_variance")
      .notNull()
      .default(sql`0`),
    closeVarianceVariance: rowId("close_variance_variance")
      .notNull()
      .default(sql`0`),
    crossEdgeEdge: rowId("cross_edge_edge")
      .notNull()
      .default(sql`0`),
    crossEdgeVariance: rowId("cross_edge_variance")
      .notNull()
      .default(sql`0`),
    crossVarianceEdge: rowId("cross_variance_edge")
      .notNull()
      .default(sql`0`),
    crossVarianceVariance: rowId("cross_variance_variance")
      .notNull()
      .default(sql`0`),
    storyEdgeEdge: rowId("story_edge_edge")
      .notNull()
      .default(sql`0`),
    storyEdgeVariance: rowId("story_edge_variance")
      .notNull()
      .default(sql`0`),
    storyVarianceVariance: rowId("story_variance_variance")
      .notNull()
      .default(sql`0`),
    storyInformation: rowId("story_information")
      .notNull()
      .default(sql`0`),
    /** Whether the row has changed since the trader was last graded. */
    isDue: boolean("is_due").notNull(),
    /** When the letter must be decided again because evidence stops being recent; null where recent evidence decides nothing. */
    recentUntil: instant("recent_until"),
  },
  (table) => [
    index("trader_skill_due")
      .on(table.traderId)
      .where(sql`is_due`),
    index("trader_skill_recent_until")
      .on(table.recentUntil)
      .where(sql`recent_until is not null`)
      .concurrently(),
  ],
);

/**
 * The population that traders are shrunk toward, as estimated at one time. Never updated: every grade
 * references the population it was computed with.
 */
export const skillPopulations = pgTable("skill_populations", {
  id: id(),
  methodVersion: text("method_version").notNull(),
  asOf: instant("as_of").notNull(),
  wallets: integer("wallets").notNull(),
  mean: doublePrecision("mean").notNull(),
  variance: doublePrecision("variance").notNull(),
  dispersion: doublePrecision("dispersion").notNull(),
  typicalVariance: doublePrecision("typical_variance").notNull(),
  /** Null in populations of versions that did not test it. */
  significance: doublePrecision("significance"),
  /** Null while too few traders have closing lines; the same holds for the next five. */
  closeMean: doublePrecision("close_mean"),
  closeVariance: doublePrecision("close_variance"),
  closeCovariance: doublePrecision("close_covariance"),
  closeSignificance: doublePrecision("close_significance"),
  closeDispersion: doublePrecision("close_dispersion"),
  crossDispersion: doublePrecision("cross_dispersion"),
  /** 0 in populations of versions that took events of one story for independent. */
  storyCorrelation: doublePrecision("story_correlation").notNull().default(0),
});

/** Every published grade of a trader, valid from `valid_from` until the next row's. Never updated. */
export const traderGrades = pgTable(
  "trader_grades",
  {
    id: id(),
    traderId: rowId("trader_id").notNull(),
    /** When it was computed: it says nothing about any earlier time. */
    validFrom: instant("valid_from").notNull(),
    publishedAt: instant("published_at").notNull().defaultNow(),
    methodVersion: text("method_version").notNull(),
    /** Null when there was no population to shrink toward. */
    populationId: rowId("population_id").references(() => skillPopulations.id),
    /** SHA-256 of `canonicalGradeInput`, in hex. */
    inputHash: text("input_hash").notNull(),
    grade: text("grade"),
    score: doublePrecision("score"),
    forecastScore: doublePrecision("forecast_score"),
    forecastEvidence: doublePrecision("forecast_evidence"),
    /** Why there is no grade; null when graded. */
    ungradedReason: text("ungraded_reason"),
    /** `GradeComponents` and the evidence, so that the grade can be explained and recomputed. */
    components: jsonb("components").notNull(),
  },
  (table) => [
    index("trader_grades_at").on(table.traderId, table.validFrom, table.id),
    index("trader_grades_published").on(table.publishedAt, table.id),
    check("trader_grades_grade", sql`${table.grade} in ('S', 'A', 'B', 'C', 'D', 'F')`),
  ],
);
