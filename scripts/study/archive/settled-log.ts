import { EMPTY_CLUSTER } from "../../../src/scoring/skill/cluster-sums.ts";
import { RECENT_DAYS } from "../../../src/scoring/skill/parameters.ts";
import { nth } from "../nth.ts";
import type { SettledSums } from "../recent-evidence.ts";

const CHUNK = 65_536;
const NONE = -1;

/** The settlements of all traders on the last days, in typed arrays: 34 bytes each. Older ones are dropped. */
export class SettledLog {
  /** By trader: its newest entry. */
  readonly #newest: Int32Array;
  readonly #chunks = new Map<number, Chunk>();
  /** Dropped ones, for later entries. */
  readonly #spare: Chunk[] = [];
  #count = 0;
  #oldest = 0;

  constructor(traders: number) {
    this.#newest = new Int32Array(traders).fill(NONE);
  }

  /** Settlements come in the order of their days. */
  add(trader: number, { day, cluster, sums }: Omit<SettledSums, "story">): void {
    const index = this.#count % CHUNK;
    if (index === 0) this.#dropBefore(day - RECENT_DAYS);
    const chunk = this.#chunks.get(this.#chunkOf(this.#count)) ?? this.#spare.pop() ?? new Chunk();
    this.#chunks.set(this.#chunkOf(this.#count), chunk);
    chunk.days[index] = day;
    chunk.clusters[index] = cluster;
    chunk.sums.set([sums.usdMicro, sums.edgeMicro, sums.varianceMicro], 3 * index);
    chunk.before[index] = nth(this.#newest, trader);
    this.#newest[trader] = this.#count;
    this.#count += 1;
  }

  /** The settlements of a trader, newest first. Those from before the last days may be missing. The tables have no series. */
  *of(trader: number): Generator<SettledSums> {
    for (let entry = nth(this.#newest, trader); entry !== NONE;) {
      const chunk = this.#chunks.get(this.#chunkOf(entry));
      if (chunk === undefined) return;
      const index = entry % CHUNK;
      const sum = (field: number) => nth(chunk.sums, 3 * index + field);
      const sums = { ...EMPTY_CLUSTER, usdMicro: sum(0), edgeMicro: sum(1), varianceMicro: sum(2) };
      yield { day: nth(chunk.days, index), cluster: nth(chunk.clusters, index), story: -1, sums };
      entry = nth(chunk.before, index);
    }
  }

  #chunkOf(entry: number): number {
    return Math.floor(entry / CHUNK);
  }

  /** Drops the chunks whose entries are all older than a day. */
  #dropBefore(day: number): void {
    while (this.#chunks.size > 1) {
      const chunk = this.#chunks.get(this.#oldest);
      if (chunk === undefined || nth(chunk.days, CHUNK - 1) >= day) return;
      this.#chunks.delete(this.#oldest);
      this.#spare.push(chunk);
      this.#oldest += 1;
    }
  }
}

class Chunk {
  /** Days since 1970, to the year 2149. A market without a time settles after all letters are read: its day does not fit, nor matter. */
  readonly days = new Uint16Array(CHUNK);
  readonly clusters = new Int32Array(CHUNK);
  /** Dollars, edge and variance of each entry, millionths. */
  readonly sums = new Float64Array(3 * CHUNK);
  /** The entry before it of the same trader. */
  readonly before = new Int32Array(CHUNK);
}
