import type { Log } from "../log/log.ts";
import { MEASUREMENTS, pointOf, type Measurement, type Metrics, type Point } from "./metrics.ts";

const INTERVAL_MS = 60_000;

interface Sum {
  readonly point: Point;
  count: number;
  readonly totals: number[];
  readonly greatest: number[];
}

/**
 * Sums points by name and labels, and logs the sums of a minute as one line, `metrics.minute`, with the first point
 * after it: there is no timer between requests.
 */
export class LogMetrics implements Metrics {
  readonly #log: Log;
  readonly #now: () => number;
  #sums = new Map<string, Sum>();
  #since: number;

  constructor(log: Log, now: () => number) {
    this.#log = log;
    this.#now = now;
    this.#since = now();
  }

  write(...measurement: Measurement): void {
    const now = this.#now();
    if (now - this.#since >= INTERVAL_MS) this.#flush(now);
    this.#add(pointOf(...measurement));
  }

  #add(point: Point): void {
    const key = JSON.stringify([point.name, point.labels]);
    const sum = this.#sums.get(key) ?? { point, count: 0, totals: [], greatest: [] };
    this.#sums.set(key, sum);
    sum.count += 1;
    point.numbers.forEach((number, index) => {
      sum.totals[index] = (sum.totals[index] ?? 0) + number;
      sum.greatest[index] = Math.max(sum.greatest[index] ?? -Infinity, number);
    });
  }

  #flush(now: number): void {
    const sums = [...this.#sums.values()].map(presentSum);
    this.#sums = new Map();
    this.#since = now;
    if (sums.length > 0) this.#log.info("metrics.minute", { sums });
  }
}

function presentSum({ point, count, totals, greatest }: Sum): Record<string, unknown> {
  const { labels, numbers } = MEASUREMENTS[point.name];
  return {
    name: point.name,
    ...Object.fromEntries(labels.map((label, index) => [label, point.labels[index]])),
    count,
    ...Object.fromEntries(
      numbers.flatMap((name, index) => [
        [`mean_${name}`, Math.round((totals[index] ?? 0) / count)],
        [`max_${name}`, greatest[index]],
      ]),
    ),
  };
}
