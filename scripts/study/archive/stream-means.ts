import { nth } from "../nth.ts";
import type { ClusteredMean } from "../two-way-mean.ts";
import { RowTable } from "./row-table.ts";

/** Sums over the groups of one kind: of squared group sums, of sums times counts, of squared counts; and the groups. */
interface GroupSquares {
  sumSum: number;
  sumCount: number;
  countCount: number;
  groups: number;
}

/**
 * The means of `twoWayMean` for many samples at once, from a stream. The sums of a cluster are dropped when it closes, so
 * memory grows with traders and open clusters: 12 bytes for each trader and sample.
 */
export class StreamMeans {
  readonly #samples: number;
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;
  readonly #traders: GroupSums;
  readonly #clusters: readonly GroupSquares[];
  readonly #pairs: readonly GroupSquares[];
  /** By open cluster: sum and count of each pair of a trader and a sample. */
  readonly #openPairs = new Map<number, RowTable>();

  constructor(samples: number, traders: number) {
    this.#samples = samples;
    this.#counts = new Float64Array(samples);
    this.#sums = new Float64Array(samples);
    this.#traders = new GroupSums(traders * samples);
    this.#clusters = Array.from({ length: samples }, emptySquares);
    this.#pairs = Array.from({ length: samples }, emptySquares);
  }

  add(sample: number, value: number, cluster: number, trader: number): void {
    this.#counts[sample] = nth(this.#counts, sample) + 1;
    this.#sums[sample] = nth(this.#sums, sample) + value;
    const pair = trader * this.#samples + sample;
    this.#traders.add(pair, value, 1);
    const pairs = this.#openPairs.get(cluster) ?? new RowTable(2);
    this.#openPairs.set(cluster, pairs);
    const row = pairs.rowOf(pair);
    const { values } = pairs;
    values[row] = nth(values, row) + value;
    values[row + 1] = nth(values, row + 1) + 1;
  }

  /** No value of the cluster follows. */
  close(cluster: number): void {
    const pairs = this.#openPairs.get(cluster);
    if (pairs === undefined) return;
    this.#openPairs.delete(cluster);
    const sums = new GroupSums(this.#samples);
    pairs.forEach((pair, row) => {
      const sample = pair % this.#samples;
      const [sum, count] = [nth(pairs.values, row), nth(pairs.values, row + 1)];
      sums.add(sample, sum, count);
      addSquares(nth(this.#pairs, sample), sum, count);
    });
    pairs.release();
    sums.forEach((sample, sum, count) => addSquares(nth(this.#clusters, sample), sum, count));
  }

  /** @returns the mean of each sample */
  finish(): readonly ClusteredMean[] {
    for (const cluster of [...this.#openPairs.keys()]) this.close(cluster);
    const traders = Array.from({ length: this.#samples }, emptySquares);
    this.#traders.forEach((pair, sum, count) => addSquares(nth(traders, pair % this.#samples), sum, count));
    return Array.from({ length: this.#samples }, (_, sample) => {
      const count = nth(this.#counts, sample);
      if (count === 0) return { count, mean: null, standardError: null };
      const mean = nth(this.#sums, sample) / count;
      const [one, other, both] = [this.#clusters, traders, this.#pairs].map((all) => spread(nth(all, sample), mean));
      if (one === undefined || other === undefined || one === null || other === null)
        return { count, mean, standardError: null };
      return { count, mean, standardError: Math.sqrt(Math.max(one, other, one + other - (both ?? 0))) / count };
    });
  }
}

/** Sum and count of each group, in typed arrays. */
class GroupSums {
  readonly #sums: Float64Array;
  readonly #counts: Int32Array;

  constructor(groups: number) {
    this.#sums = new Float64Array(groups);
    this.#counts = new Int32Array(groups);
  }

  add(group: number, sum: number, count: number): void {
    this.#sums[group] = nth(this.#sums, group) + sum;
    this.#counts[group] = nth(this.#counts, group) + count;
  }

  /** The groups that have values. */
  forEach(take: (group: number, sum: number, count: number) => void): void {
    this.#counts.forEach((count, group) => {
      if (count > 0) take(group, nth(this.#sums, group), count);
    });
  }
}

const emptySquares = (): GroupSquares => ({ sumSum: 0, sumCount: 0, countCount: 0, groups: 0 });

function addSquares(squares: GroupSquares, sum: number, count: number): void {
  squares.sumSum += sum * sum;
  squares.sumCount += sum * count;
  squares.countCount += count * count;
  squares.groups += 1;
}

/** Sum of the squared group sums of deviations from the mean, times groups / (groups - 1). */
function spread({ sumSum, sumCount, countCount, groups }: GroupSquares, mean: number): number | null {
  if (groups < 2) return null;
  return ((sumSum - 2 * mean * sumCount + mean * mean * countCount) * groups) / (groups - 1);
}
