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
 * The means of `twoWayMean` for many samples at once, from a stream. The sums of a cluster's pairs with traders are
 * dropped when the cluster closes, so memory grows with traders and clusters, not with values.
 */
export class StreamMeans {
  readonly #samples: number;
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;
  readonly #clusters = new RowTable(2);
  readonly #traders = new RowTable(2);
  readonly #pairs: readonly GroupSquares[];
  readonly #openPairs = new Map<number, RowTable>();

  constructor(samples: number) {
    this.#samples = samples;
    this.#counts = new Float64Array(samples);
    this.#sums = new Float64Array(samples);
    this.#pairs = Array.from({ length: samples }, emptySquares);
  }

  add(sample: number, value: number, cluster: number, trader: number): void {
    this.#counts[sample] = nth(this.#counts, sample) + 1;
    this.#sums[sample] = nth(this.#sums, sample) + value;
    addTo(this.#clusters, cluster * this.#samples + sample, value);
    addTo(this.#traders, trader * this.#samples + sample, value);
    const pairs = this.#openPairs.get(cluster) ?? new RowTable(2);
    this.#openPairs.set(cluster, pairs);
    addTo(pairs, trader * this.#samples + sample, value);
  }

  /** No value of the cluster follows. */
  close(cluster: number): void {
    const pairs = this.#openPairs.get(cluster);
    if (pairs === undefined) return;
    this.#openPairs.delete(cluster);
    pairs.forEach((key, row) => addSquares(nth(this.#pairs, key % this.#samples), pairs.values, row));
  }

  /** @returns the mean of each sample */
  finish(): readonly ClusteredMean[] {
    for (const cluster of [...this.#openPairs.keys()]) this.close(cluster);
    const ofClusters = this.#squaresOf(this.#clusters);
    const ofTraders = this.#squaresOf(this.#traders);
    return Array.from({ length: this.#samples }, (_, sample) => {
      const count = nth(this.#counts, sample);
      if (count === 0) return { count, mean: null, standardError: null };
      const mean = nth(this.#sums, sample) / count;
      const [one, other, both] = [ofClusters, ofTraders, this.#pairs].map((all) => spread(nth(all, sample), mean));
      if (one === undefined || other === undefined || one === null || other === null)
        return { count, mean, standardError: null };
      return { count, mean, standardError: Math.sqrt(Math.max(one, other, one + other - (both ?? 0))) / count };
    });
  }

  #squaresOf(table: RowTable): readonly GroupSquares[] {
    const squares = Array.from({ length: this.#samples }, emptySquares);
    table.forEach((key, row) => addSquares(nth(squares, key % this.#samples), table.values, row));
    return squares;
  }
}

const emptySquares = (): GroupSquares => ({ sumSum: 0, sumCount: 0, countCount: 0, groups: 0 });

function addTo(table: RowTable, key: number, value: number): void {
  const row = table.rowOf(key);
  const { values } = table;
  values[row] = nth(values, row) + value;
  values[row + 1] = nth(values, row + 1) + 1;
}

function addSquares(squares: GroupSquares, values: Float64Array, row: number): void {
  const [sum, count] = [nth(values, row), nth(values, row + 1)];
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
