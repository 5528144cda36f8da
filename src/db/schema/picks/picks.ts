import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  smallint,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { id, instant, rowId } from "../../columns.ts";
import { games } from "../markets/games.ts";
import { markets } from "../markets/markets.ts";

/** The S and A holders behind a pick, as its last readable scan had them. Amounts are micro-units as text. */
export interface StoredBacking {
  readonly top_grade: "S" | "A";
  /** Their net dollars on the backed side and on the other. */
  readonly backed_micro: string;
  readonly opposed_micro: string;
  /** On the backed side, most net shares first. */
  readonly holders: readonly {
    readonly trader_id: number;
    readonly grade: "S" | "A";
    readonly shares_micro: string;
  }[];
}

/**
 * Picks of the day. A row begins as a slot: selected, not yet released. It follows its game's schedule until it is
 * published; from then on a trigger refuses every change. A slot that was withdrawn is never published.
 */
export const picks = pgTable(
  "picks",
  {
    id: id(),
    /** The product day: the kickoff's date in US Eastern time. */
    pickDate: date("pick_date").notNull(),
    /** Position within the product day, from 1, in the order of selection; also the publication order. */
    rank: smallint("rank").notNull(),
    /** The pick that every account opens: rank 1 of its day. */
    isFree: boolean("is_free").notNull(),
    gameId: rowId("game_id")
      .notNull()
      .references(() => games.id),
    marketId: rowId("market_id")
      .notNull()
      .unique()
      .references(() => markets.id),
    /** `moneyline` or `spreads`: a game has at most one pick of each. */
    marketKind: text("market_kind").notNull(),
    outcomeIndex: smallint("outcome_index").notNull(),
    /** Label and matchup: of the selection, then of the publication, since the provider renames games. */
    outcomeLabel: text("outcome_label").notNull(),
    matchup: text("matchup").notNull(),
    /** The sport bucket and the league of the game when it was selected. */
    category: text("category").notNull(),
    league: text("league"),
    /** Whole seconds. A game that is moved after publication does not move it. */
    kickoff: instant("kickoff").notNull(),
    releaseAt: instant("release_at").notNull(),
    selectedAt: instant("selected_at").notNull(),
    /** The backed side's midpoint: at selection, then at publication, then frozen. */
    backedPrice: numeric("backed_price", { precision: 7, scale: 6 }).notNull(),
    /** Of the same time as the price. */
    backing: jsonb("backing").$type<StoredBacking>().notNull(),
    /** Null while the pick is a slot. At or after the kickoff only where it reached the kickoff unsealed. */
    publishedAt: instant("published_at"),
  },
  (table) => [
    unique("picks_day").on(table.pickDate, table.rank),
    unique("picks_game").on(table.gameId, table.marketKind, table.pickDate),
    index("picks_unpublished")
      .on(table.releaseAt)
      .where(sql`published_at is null`),
    index("picks_kickoff").on(table.kickoff),
    check("picks_outcome", sql`${table.outcomeIndex} in (0, 1)`),
    check("picks_rank", sql`${table.rank} between 1 and 15`),
    check("picks_kickoff_seconds", sql`${table.kickoff} = date_trunc('second', ${table.kickoff})`),
  ],
);

/**
 * The commitment to a pick, written in the transaction that publishes it. A pick without a row is uncommitted for
 * good. The nonce is encrypted until the pick settles, so that this table alone opens nothing. A trigger refuses
 * every change but that one.
 */
export const pickCommitments = pgTable(
  "pick_commitments",
  {
    pickId: rowId("pick_id")
      .primaryKey()
      .references(() => picks.id),
    /** 64 lowercase hex digits. */
    hash: text("hash").notNull(),
    sealedAt: instant("sealed_at").notNull(),
    kickoff: instant("kickoff").notNull(),
    /** The canonical JSON that was hashed. */
    payload: text("payload").notNull(),
    sealedNonce: text("sealed_nonce").notNull(),
    /** 64 lowercase hex digits, from the settlement on. */
    nonce: text("nonce"),
    openedAt: instant("opened_at"),
  },
  (table) => [
    check("pick_commitments_in_time", sql`${table.sealedAt} < ${table.kickoff}`),
    check("pick_commitments_hash", sql`${table.hash} ~ '^[0-9a-f]{64}$'`),
    check("pick_commitments_opened", sql`(${table.nonce} is null) = (${table.openedAt} is null)`),
  ],
);

/**
 * What became of a pick, append-only: each row is an outcome, which replaces the earlier ones, or its withdrawal,
 * which is final. A trigger refuses updates and deletions.
 */
export const pickRevisions = pgTable(
  "pick_revisions",
  {
    id: id(),
    pickId: rowId("pick_id")
      .notNull()
      .references(() => picks.id),
    /** `win`, `loss` or `void`; null on a withdrawal. */
    outcome: text("outcome"),
    /** The payout of the backed side that the outcome follows from, in millionths; null on a withdrawal. */
    payoutPpm: integer("payout_ppm"),
    /** Null on an outcome. */
    withdrawnFor: text("withdrawn_for"),
    recordedAt: instant("recorded_at").notNull(),
  },
  (table) => [
    index("pick_revisions_pick").on(table.pickId, table.id),
    check("pick_revisions_kind", sql`(${table.outcome} is null) <> (${table.withdrawnFor} is null)`),
    check("pick_revisions_outcome", sql`${table.outcome} in ('win', 'loss', 'void')`),
    check("pick_revisions_payout", sql`(${table.outcome} is null) = (${table.payoutPpm} is null)`),
  ],
);

/** The newest price of a published pick's side that was read before its kickoff. */
export const pickCloses = pgTable("pick_closes", {
  pickId: rowId("pick_id")
    .primaryKey()
    .references(() => picks.id),
  price: numeric("price", { precision: 7, scale: 6 }).notNull(),
  /** Time of the book. */
  observedAt: instant("observed_at").notNull(),
});
