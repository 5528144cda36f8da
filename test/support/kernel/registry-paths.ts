import type { Operation } from "../../../src/api/operation.ts";
import { utcDate, utcMonth } from "../../../src/scoring/utc-calendar.ts";

/** A well-formed value for each path parameter of the registry. */
const PATH_VALUES: Record<string, string> = {
  address: `0x${"a".repeat(40)}`,
  attempt_id: "3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11",
  condition_id: `0x${"b".repeat(64)}`,
  delivery_id: "1",
  event_slug: "nba-mil-bos-2026-11-20",
  execution_id: `0x${"c".repeat(64)}`,
  id: "1",
  job_id: "1",
  pick_id: "1",
  row_id: "wt_1",
  trader: "trd_1",
  watchlist_id: "wl_1",
};

/** A combo's condition id is shorter than a market's. */
const COMBO_ID = `0x03${"b".repeat(60)}`;

/** Today, which always has a report, whatever is stored. Each path reads it: midnight may pass during a run. */
const today = (): string => utcDate(Date.now());

/** Query parameters that operations require. */
const REQUIRED: Record<string, string | (() => string)> = {
  "/api/v1/markets/search": "q=rain",
  "/api/v1/large-trades/{id}/counterparties/executions": "snapshot_id=x",
  "/api/v1/large-trades/{id}/counterparties/executions/{execution_id}/makers": "snapshot_id=x",
  "/api/v1/whale-trades/{id}/counterparties/executions": "snapshot_id=x",
  "/api/v1/whale-trades/{id}/counterparties/executions/{execution_id}/makers": "snapshot_id=x",
  "/api/v1/sports/pre-game-side-observations": "cohort=wider_holder",
  "/api/v1/sports-edge-observations": "cohort=wider_holder",
  "/api/v1/content/search": "q=wallet",
  "/api/v1/reports": () => `granularity=daily&period=${today()}`,
  "/api/v1/reports/daily": () => `date=${today()}`,
  "/api/v1/reports/weekly": () => `from=${today()}&to=${today()}`,
  "/api/v1/reports/monthly": () => `month=${utcMonth(Date.now())}`,
  "/api/v1/trader/{address}/export/status": "job_id=1",
  "/api/v1/trader/{address}/export/cancel": "job_id=1",
  "/api/v1/trader/{address}/export/download": "job_id=1",
  "/api/v1/trader/{address}/grade-at": "as_of=2026-11-20T12:00:00Z",
  "/api/v1/trader/{address}/position-timeline": "condition_id=mkt_1",
  "/api/v1/traders/{trader}/position-timeline": "condition_id=mkt_1",
};

/** A well-formed request path of an operation, with `query` after its required parameters. */
export function pathOf({ path }: Operation, query = ""): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = path.startsWith("/api/v1/combos") ? COMBO_ID : PATH_VALUES[name];
    if (value === undefined) throw new Error(`no value for the path parameter ${name}`);
    return value;
  });
  const required = REQUIRED[path];
  const parts = [typeof required === "function" ? required() : required, query].filter(
    (part) => part !== undefined && part !== "",
  );
  return parts.length === 0 ? filled : `${filled}?${parts.join("&")}`;
}
