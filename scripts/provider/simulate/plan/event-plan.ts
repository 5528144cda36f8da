import type { Game, Tag } from "../../provider-world.ts";

/** The subject and times of an event, before any trade. */
export interface EventPlan {
  readonly number: number;
  readonly slug: string;
  readonly title: string;
  readonly tags: readonly Tag[];
  readonly series: { readonly id: string; readonly slug: string } | null;
  readonly feeRate: number;
  readonly opensMs: number;
  /** When trading ends. */
  readonly closesMs: number;
  readonly resolvesMs: number;
  readonly negRisk: boolean;
  readonly game: Game | null;
  readonly markets: readonly MarketPlan[];
  /** The fraction of the information that has arrived at a moment, 0 to 1. */
  progressAt(ms: number): number;
}

export interface MarketPlan {
  readonly question: string;
  readonly slug: string;
  readonly groupItemTitle: string;
  readonly outcomes: readonly [string, string];
  readonly prior: number;
  /** Whether outcome 0 happens. */
  readonly happens: boolean;
  /** Whether the market resolves to one half each, whatever `happens` says. */
  readonly split: boolean;
  readonly takerTrades: number;
  readonly sportsMarketType: string | null;
  readonly line: number | null;
}
