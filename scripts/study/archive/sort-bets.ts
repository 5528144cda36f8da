import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { nth } from "../nth.ts";
import { BET, BET_FIELDS } from "./streamed-data.ts";

const BET_BYTES = BET_FIELDS * Float64Array.BYTES_PER_ELEMENT;
/** Bets that are sorted at once in memory (15 MB), and bets of a run that a merge reads ahead. */
const RUN_BETS = 1 << 18;
const READ_BETS = 2048;

/**
 * Sorts bets by time on disk: sorted runs in one file, merged when read. Bets of one time stay in the order of writing.
 * Memory is that of one run, and while merging a small buffer for each run.
 */
export class BetSorter {
  readonly #dir: string;
  readonly #file: number;
  #run = new Float64Array(RUN_BETS * BET_FIELDS);
  #pending = 0;
  readonly #runs: { readonly from: number; readonly bets: number }[] = [];
  #written = 0;

  static async create(): Promise<BetSorter> {
    return new BetSorter(await mkdtemp(path.join(tmpdir(), "study-bets-")));
  }

  private constructor(dir: string) {
    this.#dir = dir;
    this.#file = openSync(path.join(dir, "bets"), "w+");
  }

  add(bet: readonly number[]): void {
    this.#run.set(bet, this.#pending * BET_FIELDS);
    this.#pending += 1;
    if (this.#pending === RUN_BETS) this.#flush();
  }

  /** No bet follows: what is in memory becomes the last run. */
  finish(): void {
    if (this.#pending > 0) this.#flush();
    this.#run = new Float64Array(0);
  }

  /** Batches in the order of time. */
  *read(): Iterable<Float64Array> {
    const heap = new RunHeap(this.#runs.map(({ from, bets }) => new RunReader(this.#file, from, bets)));
    const batch = new Float64Array(READ_BETS * BET_FIELDS);
    let filled = 0;
    for (let run = heap.first(); run !== null; run = heap.first()) {
      batch.set(run.current(), filled * BET_FIELDS);
      run.next();
      heap.settleFirst();
      filled += 1;
      if (filled < READ_BETS) continue;
      yield batch;
      filled = 0;
    }
    yield batch.subarray(0, filled * BET_FIELDS);
  }

  /** Removes the file. */
  dispose(): void {
    closeSync(this.#file);
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #flush(): void {
    const count = this.#pending;
    const at = Float64Array.from({ length: count }, (_, bet) => nth(this.#run, bet * BET_FIELDS + BET.at));
    const order = Uint32Array.from({ length: count }, (_, bet) => bet).sort((a, b) => nth(at, a) - nth(at, b) || a - b);
    const sorted = new Float64Array(count * BET_FIELDS);
    order.forEach((bet, index) =>
      sorted.set(this.#run.subarray(bet * BET_FIELDS, (bet + 1) * BET_FIELDS), index * BET_FIELDS),
    );
    const bytes = new Uint8Array(sorted.buffer);
    for (let done = 0; done < bytes.length;)
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#written * BET_BYTES + done);
    this.#runs.push({ from: this.#written, bets: count });
    this.#written += count;
    this.#pending = 0;
  }
}

/** Reads one run from its beginning. */
class RunReader {
  readonly #file: number;
  #from: number;
  #left: number;
  readonly #read: Float64Array;
  /** What of it is filled. */
  #buffer: Float64Array = new Float64Array(0);
  #at = 0;

  constructor(file: number, from: number, bets: number) {
    this.#file = file;
    this.#from = from;
    this.#left = bets;
    this.#read = new Float64Array(Math.min(READ_BETS, bets) * BET_FIELDS);
    this.#fill();
  }

  get isDone(): boolean {
    return this.#at >= this.#buffer.length;
  }

  get time(): number {
    return nth(this.#buffer, this.#at + BET.at);
  }

  current(): Float64Array {
    return this.#buffer.subarray(this.#at, this.#at + BET_FIELDS);
  }

  next(): void {
    this.#at += BET_FIELDS;
    if (this.isDone) this.#fill();
  }

  #fill(): void {
    const bets = Math.min(READ_BETS, this.#left);
    const bytes = new Uint8Array(this.#read.buffer, 0, bets * BET_BYTES);
    for (let done = 0; done < bytes.length;) {
      const read = readSync(this.#file, bytes, done, bytes.length - done, this.#from * BET_BYTES + done);
      if (read === 0) throw new Error("the sorted bets end before their last run");
      done += read;
    }
    this.#buffer = this.#read.subarray(0, bets * BET_FIELDS);
    this.#at = 0;
    this.#from += bets;
    this.#left -= bets;
  }
}

/** Runs by the time of their next bet; earlier runs first at one time. */
class RunHeap {
  readonly #runs: { readonly run: RunReader; readonly number: number }[];

  constructor(runs: readonly RunReader[]) {
    this.#runs = runs.map((run, number) => ({ run, number })).filter(({ run }) => !run.isDone);
    for (let at = this.#runs.length >> 1; at >= 0; at -= 1) this.#sink(at);
  }

  first(): RunReader | null {
    return this.#runs[0]?.run ?? null;
  }

  /** Restores the order after the first run has moved on. */
  settleFirst(): void {
    if (this.#runs[0]?.run.isDone === true) {
      const last = this.#runs.pop();
      if (last !== undefined && this.#runs.length > 0) this.#runs[0] = last;
    }
    this.#sink(0);
  }

  #sink(from: number): void {
    for (let at = from; ;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < this.#runs.length && this.#isBefore(child, least)) least = child;
      if (least === at) return;
      [this.#runs[at], this.#runs[least]] = [nth(this.#runs, least), nth(this.#runs, at)];
      at = least;
    }
  }

  #isBefore(left: number, right: number): boolean {
    const [a, b] = [nth(this.#runs, left), nth(this.#runs, right)];
    return a.run.time < b.run.time || (a.run.time === b.run.time && a.number < b.number);
  }
}
