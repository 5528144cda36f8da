const WINDOW_MS = 10_000;

/**
 * Requests per 10 seconds, as the provider documents them for Gamma and CLOB. Data API v2 publishes no limits: these are
 * the rates that were measured as clean from one address (20 a second for trades and for positions, 40 for other routes,
 * 89 in total).
 */
export const REQUEST_BUDGETS = {
  gamma: 4_000,
  "gamma.events": 500,
  "gamma.markets": 300,
  "gamma.lists": 900,
  data: 890,
  "data.trades": 200,
  "data.positions": 200,
  "data.activity": 400,
  "data.other": 400,
  clob: 9_000,
  "clob.books": 500,
} as const;

export type BudgetName = keyof typeof REQUEST_BUDGETS;

/** The budgets that a request to a path of the provider endpoint spends. */
export function budgetsOf(path: string): readonly BudgetName[] {
  const [, service, ...rest] = path.split("/");
  switch (service) {
    case "gamma":
      if (rest[0] === "events") return ["gamma", "gamma.events", "gamma.lists"];
      return rest[0] === "markets" ? ["gamma", "gamma.markets", "gamma.lists"] : ["gamma"];
    case "data":
      switch (rest.slice(1).join("/")) {
        case "trades":
          return ["data", "data.trades"];
        case "positions":
          return ["data", "data.positions"];
        case "activity":
          return ["data", "data.activity"];
        default:
          return ["data", "data.other"];
      }
    case "clob":
      return rest[0] === "books" ? ["clob", "clob.books"] : ["clob"];
    default:
      return [];
  }
}

export interface WindowCounts {
  /** In the last 10 seconds. */
  readonly now: number;
  /** In the fullest 10 seconds so far. */
  readonly most: number;
  readonly total: number;
}

/** Counts requests in sliding windows of 10 seconds, as the provider does. */
export class RequestWindows {
  readonly #times = new Map<BudgetName, number[]>();
  readonly #counts = new Map<BudgetName, { most: number; total: number }>();

  /** @param at milliseconds, never smaller than before */
  count(path: string, at: number): void {
    for (const name of budgetsOf(path)) {
      const times = this.#recent(name, at);
      times.push(at);
      const before = this.#counts.get(name) ?? { most: 0, total: 0 };
      this.#counts.set(name, { most: Math.max(before.most, times.length), total: before.total + 1 });
    }
  }

  read(at: number): Partial<Record<BudgetName, WindowCounts>> {
    return Object.fromEntries(
      [...this.#counts].map(([name, counts]) => [name, { ...counts, now: this.#recent(name, at).length }]),
    );
  }

  #recent(name: BudgetName, at: number): number[] {
    const times = this.#times.get(name) ?? [];
    const first = times.findIndex((time) => time > at - WINDOW_MS);
    times.splice(0, first === -1 ? times.length : first);
    this.#times.set(name, times);
    return times;
  }
}
