import { EMPTY_CLUSTER } from "../../../src/scoring/skill/cluster-sums.ts";
import { RECENT_DAYS } from "../../../src/scoring/skill/parameters.ts";
import { nth } from "../nth.ts";
import type { SettledSums } from "../recent-evidence.ts";

const CHUNK = 65_536;
const WIDTH = 6;
const NONE = -1;

/** The settlements of all traders on the last days, in typed arrays: about 60 bytes each. Older ones are dropped. */
export class SettledLog {
  /** By trader: its newest entry. */
  readonly #newest: Float64Array;
  /** Of each entry: day, cluster, the three sums, and the entry before it of the same trader. */
  readonly #chunks = new Map<number, Float64Array>();
  #count = 0;
  #oldest = 0;

  constructor(traders: number) {
    this.#newest = new Float64Array(traders).fill(NONE);
  }

  /** Settlements come in the order of their days. */
  add(trader: number, { day, cluster, sums }: Omit<SettledSums, "story">): void {
    const number = Math.floor(this.#count / CHUNK);
    const row = (this.#count % CHUNK) * WIDTH;
    if (row === 0) {
      this.#chunks.set(number, new Float64Array(CHUNK * WIDTH));
      this.#dropBefore(day - RECENT_DAYS);
    }
    const { usdMicro, edgeMicro, varianceMicro } = sums;
    const before = nth(this.#newest, trader);
    this.#chunks.get(number)?.set([day, cluster, usdMicro, edgeMicro, varianceMicro, before], row);
    this.#newest[trader] = this.#count;
    this.#count += 1;
  }

  /** The settlements of a trader, newest first. Those from before the last days may be missing. The tables have no series. */
  *of(trader: number): Generator<SettledSums> {
    for (let entry = nth(this.#newest, trader); entry !== NONE;) {
      const chunk = this.#chunks.get(Math.floor(entry / CHUNK));
      if (chunk === undefined) return;
      const field = (index: number) => nth(chunk, (entry % CHUNK) * WIDTH + index);
      const sums = { ...EMPTY_CLUSTER, usdMicro: field(2), edgeMicro: field(3), varianceMicro: field(4) };
      yield { day: field(0), cluster: field(1), story: -1, sums };
      entry = field(5);
    }
  }

  /** Drops the chunks whose entries are all older than a day. */
  #dropBefore(day: number): void {
    const last = (CHUNK - 1) * WIDTH;
    while (this.#chunks.size > 1 && nth(this.#chunks.get(this.#oldest) ?? [], last) < day) {
      this.#chunks.delete(this.#oldest);
      this.#oldest += 1;
    }
  }
}
