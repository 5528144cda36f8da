import type { Database } from "../../../../src/db/client.ts";
import { edgeEntries, games } from "../../../../src/db/schema.ts";
import {
  EDGE_LISTS,
  EDGE_SPORTS,
  type EdgeSport,
  type StoredEdgeSnapshot,
} from "../../../../src/domain/edge/edge-snapshot.ts";
import { aGeneration } from "../lists.ts";
import { nextNumber } from "../numbers.ts";

/** An input of the funnel that ended with a reason. */
export type SeededTerminal = readonly [EdgeSport, keyof StoredEdgeSnapshot["funnel"][number]["terminals"]];

/** A generation of a board snapshot without rows. @returns its number */
export async function anEdgeSnapshot(
  db: Database,
  kind: keyof typeof EDGE_LISTS,
  builtAt: Date,
  facts: {
    readonly terminals?: readonly SeededTerminal[];
    readonly isDegraded?: boolean;
    readonly skillAsOf?: Date | null;
  } = {},
): Promise<number> {
  const { terminals = [], isDegraded = false, skillAsOf = builtAt } = facts;
  const funnel = EDGE_SPORTS.map((sport) => {
    const reasons = terminals.filter(([of]) => of === sport).map(([, reason]) => reason);
    return {
      sport,
      board_input: reasons.length,
      live_available: true,
      upcoming_status: reasons.length === 0 ? "not_configured" : "available",
      input: reasons.length,
      terminals: Object.fromEntries(reasons.map((reason) => [reason, reasons.filter((one) => one === reason).length])),
    };
  });
  const detail = { is_degraded: isDegraded, funnel, skill_as_of: skillAsOf?.toISOString() ?? null };
  return aGeneration(db, EDGE_LISTS[kind], builtAt, 0, detail);
}

export const A_PILE_SKILL = {
  status: "live",
  observation_started_at: "2026-03-02T09:14:05.000Z",
  as_of: "2026-11-20T12:00:00.000Z",
  eligible_holders: 3,
  covered_holders: 2,
  covered_micro: "7000000000",
  coverage: 0.93335,
  edge_mean: 0.02146,
  lower_mean: -0.01109,
  specialist_micro: "4000000000",
  specialist_share: 0.53335,
  largest_share: 0.53335,
  minimum_events: 14,
};

export const A_PILE = {
  outcome_index: 0,
  outcome_label: "Arsenal",
  token_id: "1000001",
  title: "Arsenal vs. Chelsea",
  raw_category: "epl",
  event_slug: "epl-ars-che",
  event_id: "901",
  parent_event_id: "900",
  price_micro: "530000",
  volume_usd: "125000.509",
  side_share: 0.92345,
  pile_share: 0.961725,
  backed_micro: "7500004999",
  backing_micro: "5250009999",
  s_count: 1,
  a_count: 0,
  b_count: 2,
  top_grade: "S",
  rank_score: 10_002_000_007_500,
  scanned_at: "2026-11-20T11:58:00.000Z",
  is_scan_complete: true,
  one_way: { holders: 2, hedged_holders: 1, micro: "6000003999" },
  net_side: "BUY",
  skill: null,
};

export type EdgeFacts = Partial<typeof edgeEntries.$inferInsert> & { generation: number };

/** A row of a snapshot. A signal has category skill. @returns its condition id */
export async function anEdgeEntry(db: Database, facts: EdgeFacts): Promise<string> {
  const conditionId = `0x${nextNumber().toString(16).padStart(64, "0")}`;
  const row = {
    cohort: "signal",
    rank: 1,
    conditionId,
    sport: "Soccer",
    kickoffAt: new Date(Date.now() + 2 * 3_600_000),
    topGrade: "S",
    isEmerging: false,
    ...facts,
  };
  const pile = { ...A_PILE, skill: row.cohort === "signal" ? A_PILE_SKILL : null };
  await db.insert(edgeEntries).values({ pile, ...row });
  return row.conditionId;
}

export type BoardGameFacts = Partial<typeof games.$inferInsert>;

/** A game of the board: soccer, in two hours, read just now. @returns the provider's game id */
export async function aBoardGame(db: Database, facts: BoardGameFacts = {}): Promise<string> {
  const n = nextNumber();
  const providerGameId = String(n);
  await db.insert(games).values({
    providerGameId,
    eventSlug: `epl-game-${n}`,
    title: `Game ${n}`,
    sport: "Soccer",
    league: "epl",
    scheduledAt: new Date(Date.now() + 2 * 3_600_000),
    competitors: [],
    observedAt: new Date(),
    ...facts,
  });
  return facts.providerGameId ?? providerGameId;
}
