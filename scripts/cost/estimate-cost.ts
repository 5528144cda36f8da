import {
  CPU_MS_PER_REQUEST,
  GB_SECONDS_PER_OBJECT_REQUEST,
  LOG_LINES_PER_REQUEST,
  MB_PER_STATEMENT,
  MIX,
  REQUESTS_PER_FLUSH,
} from "./assumptions.ts";
import {
  ESTIMATED,
  ESTIMATED_PRICES,
  POSTGRES_COMPUTE,
  PRICES,
  SUBSCRIPTION,
  type Estimated,
  type Price,
} from "./prices.ts";
import {
  BILLED,
  BILLED_NAMES,
  KIND_NAMES,
  type Billed,
  type Kind,
  type OperationCounts,
  type RequestCounts,
} from "./request-counts.ts";

export interface CostLine {
  readonly title: string;
  /** Units a month; null for what is not counted in units of requests. */
  readonly units: number | null;
  readonly usd: number;
}

/** US dollars of the units beyond the included ones. */
const costOf = (units: number, { usdPerMillion, included }: Price): number =>
  (Math.max(0, units - included) / 1e6) * usdPerMillion;

const withoutIncluded = (price: Price): Price => ({ ...price, included: 0 });

/** CPU is spent by the Worker. Duration is estimated from requests to objects, egress from statements. */
const estimatesOf = (counts: Readonly<Record<Billed, number>>): Record<Estimated, number> => ({
  cpu_ms: counts.worker_requests * CPU_MS_PER_REQUEST,
  object_gb_seconds: counts.object_requests * GB_SECONDS_PER_OBJECT_REQUEST,
  log_lines: counts.worker_requests * LOG_LINES_PER_REQUEST,
  postgres_egress_mb: counts.postgres_statements * MB_PER_STATEMENT,
});

const ESTIMATED_NAMES = Object.keys(ESTIMATED) as Estimated[];

/** US dollars for a million requests of one kind, once the included units are spent. */
export function costPerMillion(counts: OperationCounts): number {
  const estimates = estimatesOf(counts);
  const billed = BILLED_NAMES.map((name) => {
    const price = PRICES[name];
    return price === null ? 0 : costOf(counts[name] * 1e6, withoutIncluded(price));
  });
  const estimated = ESTIMATED_NAMES.map((name) =>
    costOf(estimates[name] * 1e6, withoutIncluded(ESTIMATED_PRICES[name])),
  );
  return sum([...billed, ...estimated]);
}

/** The operations of a month with this many requests in the assumed mix, with the usage flushes of their accounts. */
export function operationsOfMonth(counts: RequestCounts, requests: number): Record<Billed, number> {
  const times: Partial<Record<Kind, number>> = {
    ...Object.fromEntries(Object.entries(MIX).map(([kind, part]) => [kind, requests * part])),
    usage_flush: (requests * (1 - MIX.public_read)) / REQUESTS_PER_FLUSH,
  };
  const total = (name: Billed) => sum(KIND_NAMES.map((kind) => (times[kind] ?? 0) * counts[kind][name]));
  return Object.fromEntries(BILLED_NAMES.map((name) => [name, total(name)])) as Record<Billed, number>;
}

/** The bill of a month, one line for each thing that is billed. */
export function costOfMonth(counts: RequestCounts, requests: number, computeUnits: number): CostLine[] {
  const operations = operationsOfMonth(counts, requests);
  const estimates = estimatesOf(operations);
  const { usdPerHour, hoursPerMonth } = POSTGRES_COMPUTE;
  return [
    { title: "Workers Paid plan", units: null, usd: SUBSCRIPTION.usdPerMonth },
    ...BILLED_NAMES.flatMap((name): CostLine[] => {
      const [price, units] = [PRICES[name], operations[name]];
      return price === null ? [] : [{ title: BILLED[name], units, usd: costOf(units, price) }];
    }),
    ...ESTIMATED_NAMES.map((name): CostLine => {
      const units = estimates[name];
      return { title: `${ESTIMATED[name]} (estimated)`, units, usd: costOf(units, ESTIMATED_PRICES[name]) };
    }),
    { title: "Postgres compute (assumed)", units: null, usd: computeUnits * usdPerHour * hoursPerMonth },
  ];
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
