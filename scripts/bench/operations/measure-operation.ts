import type pg from "pg";
import { takesCursor, type Operation } from "../../../src/api/operation.ts";
import { median } from "../reads/measure-load.ts";
import { explainStatement, type StatementCost } from "./explain-statement.ts";
import { summarizeLatencies, type Bounds, type BenchClient, type LatencySummary } from "./measure-requests.ts";
import type { Sample, SampleForm } from "./samples.ts";
import type { StatementTap } from "./statement-tap.ts";

export interface FormCost {
  readonly name: string;
  /** The highest count of any of its requests. */
  readonly statements: number;
  readonly rowsRead: number;
  readonly buffers: number;
  readonly executionMs: number;
  readonly planningMs: number;
  readonly wholeTables: readonly string[];
  /** The request with the longest time in the database. */
  readonly slowest: { readonly path: string; readonly plan: string } | null;
  readonly api: LatencySummary;
}

export interface OperationFigures {
  readonly id: string;
  readonly forms: readonly FormCost[];
  /** Handlers with warm buffers and without the response cache. */
  readonly alone: { readonly total: LatencySummary; readonly api: LatencySummary };
  readonly together: { readonly total: LatencySummary; readonly api: LatencySummary };
  /** The same request repeated, with the response cache as declared. */
  readonly cached: { readonly total: LatencySummary; readonly api: LatencySummary };
  /** Null without a second page. */
  readonly deep: DeepPage | null;
}

/** The 50th page beside the first, or the last full page where there are fewer. */
export interface DeepPage {
  readonly page: number;
  readonly ratio: number;
  readonly firstMs: number;
  readonly deepMs: number;
}

export interface MeasuredApi {
  /** Sends its SQL through the statement tap. */
  readonly tapped: BenchClient;
  /** Always runs the handler. */
  readonly uncached: BenchClient;
  readonly cached: BenchClient;
  readonly tap: StatementTap;
  readonly client: pg.Client;
}

export interface Effort {
  readonly explained: number;
  readonly form: Bounds;
  readonly together: Bounds;
  readonly cached: Bounds;
  readonly pageTurns: number;
}

const TOGETHER = 16;
const DEEP_PAGE = 50;
/** A mistake in a sample's query fails instead of being ignored. */
const STRICT = { "x-query-validation": "strict" };

export async function measureOperation(
  operation: Operation,
  forms: readonly SampleForm[],
  api: MeasuredApi,
  effort: Effort,
): Promise<OperationFigures> {
  const costs: FormCost[] = [];
  const alone = { total: [] as number[], api: [] as number[] };
  for (const { name, samples } of forms.filter((form) => form.samples.length > 0)) {
    const cost = await costOf(samples.slice(0, effort.explained), api);
    await api.uncached.measure(samples, 1, { least: 1, requests: samples.length, ms: effort.form.ms });
    const times = await api.uncached.measure(samples, 1, effort.form);
    alone.total.push(...times.total);
    alone.api.push(...times.api);
    costs.push({ name, ...cost, api: summarizeLatencies(times.api) });
  }
  // Forms rotate, so that a form with many samples is not sent more often.
  const most = Math.max(0, ...forms.map(({ samples }) => samples.length));
  const mixed = Array.from({ length: most }, (_, n) =>
    forms.flatMap(({ samples }) => samples[n % samples.length] ?? []),
  ).flat();
  const together = await api.uncached.measure(mixed, TOGETHER, effort.together);
  const first = mixed.slice(0, 1);
  await api.cached.measure(first, 1, { least: 2, requests: 2, ms: 0 });
  const cached = await api.cached.measure(first, 1, effort.cached);
  return {
    id: operation.id,
    forms: costs,
    alone: { total: summarizeLatencies(alone.total), api: summarizeLatencies(alone.api) },
    together: { total: summarizeLatencies(together.total), api: summarizeLatencies(together.api) },
    cached: { total: summarizeLatencies(cached.total), api: summarizeLatencies(cached.api) },
    deep: takesCursor(operation) ? await comparePages(forms, api.uncached, effort.pageTurns) : null,
  };
}

async function costOf(
  samples: readonly Sample[],
  { tapped, tap, client }: MeasuredApi,
): Promise<Omit<FormCost, "name" | "api">> {
  const most = { statements: 0, rowsRead: 0, buffers: 0, executionMs: 0, planningMs: 0 };
  const wholeTables = new Set<string>();
  let slowest: FormCost["slowest"] = null;
  for (const sample of samples) {
    const { statements } = await tap.capture(() => tapped.send(sample, STRICT));
    const costs: StatementCost[] = [];
    for (const statement of statements) costs.push(await explainStatement(client, statement));
    const sum = (of: (cost: (typeof costs)[number]) => number) => costs.reduce((total, cost) => total + of(cost), 0);
    const executionMs = sum((cost) => cost.executionMs);
    if (executionMs > most.executionMs) slowest = { path: sample.path, plan: costs.map(({ plan }) => plan).join("\n") };
    most.statements = Math.max(most.statements, statements.length);
    most.rowsRead = Math.max(
      most.rowsRead,
      sum((cost) => cost.rowsRead),
    );
    most.buffers = Math.max(
      most.buffers,
      sum((cost) => cost.buffers),
    );
    most.executionMs = Math.max(most.executionMs, executionMs);
    most.planningMs = Math.max(
      most.planningMs,
      sum((cost) => cost.planningMs),
    );
    for (const table of costs.flatMap((cost) => cost.wholeTables)) wholeTables.add(table);
  }
  return { ...most, wholeTables: [...wholeTables], slowest };
}

/** For the form with most pages. The two pages are read in turn, so that a slower machine slows both. */
async function comparePages(
  forms: readonly SampleForm[],
  client: BenchClient,
  turns: number,
): Promise<DeepPage | null> {
  let deepest: { first: Sample; deep: Sample; page: number } | null = null;
  for (const { samples, isPerKey } of forms) {
    const [first] = samples;
    if (first === undefined || isPerKey) continue;
    const walked = await walk(first, client);
    if (walked.page > (deepest?.page ?? 1)) deepest = { first, ...walked };
    if (walked.page >= DEEP_PAGE) break;
  }
  if (deepest === null) return null;
  const times = { first: [] as number[], deep: [] as number[] };
  for (let turn = 0; turn < turns; turn++) {
    times.first.push((await client.send(deepest.first)).ms);
    times.deep.push((await client.send(deepest.deep)).ms);
  }
  const [firstMs, deepMs] = [median(times.first), median(times.deep)];
  return { page: deepest.page, ratio: deepMs / firstMs, firstMs, deepMs };
}

/** Follows cursors. @returns the request for the last page that is as full as the first */
async function walk(first: Sample, client: BenchClient): Promise<{ deep: Sample; page: number }> {
  let [deep, page, request] = [first, 1, first];
  for (let next = 1; next <= DEEP_PAGE; next++) {
    const { next_cursor: cursor, has_more: more } = JSON.parse((await client.send(request)).text) as {
      next_cursor?: string | null;
      has_more: boolean;
    };
    // A last page with fewer rows would be cheaper than a full one.
    if (more) [deep, page] = [request, next];
    if (cursor === undefined || cursor === null) break;
    request = { path: `${first.path}${first.path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}` };
  }
  return { deep, page };
}
