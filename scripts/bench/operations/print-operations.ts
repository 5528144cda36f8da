import { ms } from "../engine/percentiles.ts";
import type { OperationFigures } from "./measure-operation.ts";
import type { LatencySummary } from "./measure-requests.ts";

/** The cost, in the same run, of a request that does nothing and of one with an empty statement. */
export interface Floor {
  readonly bare: LatencySummary;
  /** A bare route that sends `select 1`. */
  readonly select: LatencySummary;
}

const STATEMENTS = 1;
const DEEP_RATIO = 1.2;
const P99_MS = 250;
const P50_MS = 15;

const HEAD = [
  "operation",
  "alone p50/p99",
  "api p50/p99",
  "x floor",
  "16 p50/p99",
  "api",
  "cached p50",
  "stmts",
  "rows",
  "buffers",
  "page 50/1",
];
const WIDTHS = [42, 19, 13, 8, 19, 13, 11, 6, 9, 9, 12];

const row = (cells: readonly string[]): string =>
  cells.map((cell, n) => (n === 0 ? cell.padEnd(WIDTHS[0] ?? 0) : cell.padStart(WIDTHS[n] ?? 0))).join(" ");
const pair = ({ p50, p99 }: LatencySummary): string => `${ms(p50).replace(" ms", "")} / ${ms(p99)}`;
const whole = ({ p50, p99 }: LatencySummary): string => `${p50} / ${p99}`;

export const printHead = (): void => console.log(row(HEAD));

/**
 * One line: `total` times as the client sees them and `api` within the Worker, both in ms; the other columns
 * are the maximum over its forms.
 */
export function printOperation(figures: OperationFigures, floor: Floor): void {
  const { forms, alone, together, cached, deep } = figures;
  const most = (of: (form: (typeof forms)[number]) => number) => Math.max(0, ...forms.map(of));
  console.log(
    row([
      figures.id,
      pair(alone.total),
      whole(alone.api),
      (alone.total.p50 / floor.select.p50).toFixed(1),
      pair(together.total),
      whole(together.api),
      ms(cached.total.p50),
      String(most(({ statements }) => statements)),
      String(most(({ rowsRead }) => rowsRead)),
      String(most(({ buffers }) => buffers)),
      deep === null ? "" : `${deep.ratio.toFixed(2)}${deep.page < 50 ? ` (p. ${deep.page})` : ""}`,
    ]),
  );
}

/** The five forms with the longest time within the Worker, and their work in the database. */
export function printSlowest(all: readonly OperationFigures[]): void {
  const forms = all
    .flatMap(({ id, forms: of }) => of.map((form) => ({ id, ...form })))
    .toSorted((a, b) => b.api.p50 - a.api.p50);
  console.log("\nslowest, by p50 of api;dur alone:");
  for (const form of forms.slice(0, 5)) {
    console.log(
      `  ${form.id} (${form.name}): ${whole(form.api)} ms, in the database at most ${ms(form.executionMs)} and ${ms(form.planningMs)} of planning, ` +
        `${form.rowsRead} rows, ${form.buffers} buffers: ${form.slowest?.path ?? ""}`,
    );
  }
}

/** @returns a line for each aim that is missed */
export function missedAims(all: readonly OperationFigures[]): string[] {
  return all.flatMap(({ id, forms, alone, together, deep }) => {
    const missed: string[] = [];
    for (const { name, statements, wholeTables, api } of forms) {
      if (statements > STATEMENTS) missed.push(`${id} (${name}): ${statements} statements`);
      if (wholeTables.length > 0) missed.push(`${id} (${name}): reads all of ${wholeTables.join(", ")}`);
      if (api.p50 >= P50_MS) missed.push(`${id} (${name}): p50 ${api.p50} ms`);
    }
    if (alone.api.p99 >= P99_MS) missed.push(`${id}: p99 ${alone.api.p99} ms alone`);
    if (together.api.p99 >= P99_MS) missed.push(`${id}: p99 ${together.api.p99} ms with 16 at a time`);
    if (deep !== null && deep.ratio > DEEP_RATIO) {
      missed.push(
        `${id}: page ${deep.page} takes ${deep.ratio.toFixed(2)} times page 1 (${ms(deep.deepMs)}, ${ms(deep.firstMs)})`,
      );
    }
    return missed;
  });
}
