import { boolean, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant, rowId } from "../../columns.ts";
import { listGenerations } from "./lists.ts";

/**
 * A sports market in which graded traders hold one side: a row of a snapshot of the games before kickoff (cohorts
 * `signal` and `wider_holder`) or of the live games (`in_play`).
 */
export const edgeEntries = pgTable(
  "edge_entries",
  {
    generation: rowId("generation")
      .notNull()
      .references(() => listGenerations.id, { onDelete: "cascade" }),
    cohort: text("cohort").notNull(),
    /** From 1 within the cohort, the strongest pile first. */
    rank: integer("rank").notNull(),
    conditionId: text("condition_id").notNull(),
    sport: text("sport").notNull(),
    kickoffAt: instant("kickoff_at").notNull(),
    /** The best grade in the pile: S, A or B. */
    topGrade: text("top_grade").notNull(),
    /** Nearly a signal. Only rows of `wider_holder`. */
    isEmerging: boolean("is_emerging").notNull(),
    /** `StoredPile` of src/domain/edge/edge-snapshot.ts. */
    pile: jsonb("pile").notNull(),
  },
  (table) => [primaryKey({ columns: [table.generation, table.cohort, table.rank] })],
);
