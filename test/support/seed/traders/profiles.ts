import { eq } from "drizzle-orm";
import type { Database } from "../../../../src/db/client.ts";
import { traderProfiles } from "../../../../src/db/schema.ts";
import type { StoredProfile } from "../../../../src/domain/traders/stored-profile.ts";
import type { SeededTrader } from "./traders.ts";

type Columns = Partial<typeof traderProfiles.$inferInsert>;

export type ProfileFacts = Omit<Columns, "profile"> & { profile?: Partial<StoredProfile> };

/**
 * A stored profile without measurements unless the facts differ. A metric in a column also appears in the
 * profile.
 */
export async function aProfile(
  db: Database,
  trader: SeededTrader,
  { profile = {}, ...facts }: ProfileFacts = {},
): Promise<void> {
  const metrics = {
    sharpe_30d: facts.sharpe30d ?? null,
    profit_factor: facts.profitFactor ?? null,
    edge_consistency: facts.edgeConsistency ?? null,
  };
  await db.insert(traderProfiles).values({
    computedAt: new Date(),
    basis: "seeded",
    ...facts,
    traderId: trader.id,
    profile: {
      ...EMPTY_PROFILE,
      measures: { ...EMPTY_PROFILE.measures, ...metrics },
      metrics: { ...EMPTY_PROFILE.metrics, ...metrics },
      ...profile,
    } satisfies StoredProfile,
  });
}

export async function profileOf(db: Database, traderId: number) {
  const [row] = await db.select().from(traderProfiles).where(eq(traderProfiles.traderId, traderId));
  return row;
}

const NO_RECORD = { wins: 0, decided: 0, win_rate: null };
const NO_DRAWDOWN = { amount_micro: "0", peak_day: null, trough_day: null, percent_of_peak: null };

const EMPTY_PROFILE: StoredProfile = {
  as_of: "2026-11-20",
  measures: {
    sharpe_30d: null,
    sharpe_7d: null,
    profit_factor: null,
    edge_consistency: null,
    return_on_capital: null,
    equity_smoothness: null,
    concentration: null,
    settled_markets: 0,
    mean_stake: null,
    kelly: null,
    worst_loss: null,
    is_inconsistent: null,
  },
  metrics: {
    smart_score: null,
    copy_score: null,
    sharpe_30d: null,
    sharpe_7d: null,
    profit_factor: null,
    edge_consistency: null,
    sharpe_percentile: null,
    pf_percentile: null,
    consistency_percentile: null,
  },
  strategy: null,
  category_records: [],
  category_strengths: [],
  category_skill: [],
  record: NO_RECORD,
  days: { ...NO_RECORD, current_streak: 0, longest_win_streak: 0, longest_loss_streak: 0 },
  drawdown: { deepest: NO_DRAWDOWN, current: NO_DRAWDOWN },
};

/** A record with games, and one without enough markets. */
export const CATEGORY_RECORDS: StoredProfile["category_records"] = [
  {
    category: "Esports",
    wins: 4,
    decided: 6,
    win_rate: 4 / 6,
    status: "measured",
    games: [
      { game: "CS2", series_slug: "counter-strike", wins: 1, decided: 2, win_rate: null, status: "not_enough_data" },
    ],
  },
  { category: "Politics", wins: 1, decided: 1, win_rate: null, status: "not_enough_data", games: [] },
];

const SEEN = { unresolved_outcomes: 1, started_at: "2026-10-01T00:00:00.000Z", latest_at: "2026-11-19T00:00:00.000Z" };

/** One category with figures, and one whose figures are withheld. */
export const CATEGORY_SKILL: StoredProfile["category_skill"] = [
  {
    ...SEEN,
    category: "Esports",
    status: "live",
    events: 12,
    resolved_markets: 14,
    edge_mean: 0.05,
    edge_sd: 0.4,
    edge_se: 0.115,
    edge_lower_95: -0.2,
    brier: 0.21,
  },
  {
    ...SEEN,
    category: "Politics",
    status: "insufficient",
    events: 1,
    resolved_markets: 1,
    edge_mean: null,
    edge_sd: null,
    edge_se: null,
    edge_lower_95: null,
    brier: null,
  },
];
