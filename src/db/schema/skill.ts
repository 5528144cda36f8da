import { sql } from "drizzle-orm";
import { boolean, check, doublePrecision, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { id, instant, microUsd, rowId } from "../columns.ts";

/**
 * The settled bets of one wallet in one market, as the integer sums of `src/scoring/skill/cluster-sums.ts`. `cluster` is the provider event
 * the market belongs to, or the negated market id where no event is known.
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
  },
  (table) => [primaryKey({ columns: [table.marketId, table.traderId] }), index("skill_markets_cluster").on(table.traderId, table.cluster)],
);

/** Markets whose bets have to be read again: they have settled, settled otherwise, moved to another event, or got a late fill. */
export const skillDue = pgTable("skill_due", {
  marketId: rowId("market_id").primaryKey(),
  since: instant("since").notNull().defaultNow(),
  /** The wallets whose bets these are; null is all that have any. */
  traderIds: rowId("trader_ids").array(),
});

/** All a wallet's grade rests on: the sums of `src/scoring/skill/evidence.ts` over its clusters, all but the counts in parts of 1e-9. */
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
    /** Whether it has changed since it was last graded. */
    isDue: boolean("is_due").notNull(),
  },
  (table) => [
    index("trader_skill_due")
      .on(table.traderId)
      .where(sql`is_due`),
  ],
);

/** The population that wallets are shrunk toward, as estimated at one time. Never updated: every grade names the one it was made with. */
export const skillPopulations = pgTable("skill_populations", {
  id: id(),
  methodVersion: text("method_version").notNull(),
  asOf: instant("as_of").notNull(),
  wallets: integer("wallets").notNull(),
  mean: doublePrecision("mean").notNull(),
  variance: doublePrecision("variance").notNull(),
  dispersion: doublePrecision("dispersion").notNull(),
  typicalVariance: doublePrecision("typical_variance").notNull(),
});

/** Every published grade of a wallet, from `valid_from` until the next row's. Never updated. */
export const traderGrades = pgTable(
  "trader_grades",
  {
    id: id(),
    traderId: rowId("trader_id").notNull(),
    /** When it was computed: no grade is claimed for any time before. */
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
    /** Why there is no grade; null with one. */
    ungradedReason: text("ungraded_reason"),
    /** `GradeComponents` and the evidence, so that the grade can be explained and computed again. */
    components: jsonb("components").notNull(),
  },
  (table) => [
    index("trader_grades_at").on(table.traderId, table.validFrom, table.id),
    check("trader_grades_grade", sql`${table.grade} in ('S', 'A', 'B', 'C', 'D', 'F')`),
  ],
);
