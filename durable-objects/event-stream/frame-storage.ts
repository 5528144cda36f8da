import { z } from "zod";
import { OutboxPosition } from "../../src/events/outbox/outbox-reader.ts";
import { GRADES } from "../../src/domain/traders/grades.ts";
import type { StreamFrame } from "../../src/stream/frame.ts";
import { RETAINED_FRAMES, RETAINED_MS, type Publication, type RetainedRange, type Sequence } from "./sequencer.ts";

const StreamRow = z.object({ last_seq: z.int(), published_ms: z.int(), place: z.string() });
const FrameRow = z.object({ seq: z.int(), text: z.string(), facets: z.string().nullable() });
const Facets = z.object({
  type: z.string(),
  conditionId: z.string().nullable(),
  grade: z.enum(GRADES).nullable(),
  wallet: z.string().nullable(),
  sizeMicro: z.string().nullable(),
  owner: z.int().nullable(),
});

const TABLES = `
  create table if not exists stream (one integer primary key check (one = 1), last_seq integer not null,
    published_ms integer not null, place text not null);
  create table if not exists frames (seq integer primary key, published_ms integer not null, text text not null,
    facets text);
  create table if not exists shards (name text primary key) without rowid;`;

/**
 * The stream's SQLite storage: the sequence, the retained frames, and the shards with listeners. Every call
 * is synchronous. The sequence is also cached in memory; an eviction at any point loses nothing.
 */
export class FrameStorage {
  readonly #sql: SqlStorage;
  readonly #inTransaction: DurableObjectStorage["transactionSync"];
  /** Cached row; null before the first read, and while there is none. */
  #sequence: Sequence | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#inTransaction = (work) => storage.transactionSync(work);
    this.#sql.exec(TABLES);
  }

  /** Null before the stream has begun. */
  findSequence(): Sequence | null {
    return (this.#sequence ??= this.#readSequence());
  }

  begin(sequence: Sequence): void {
    this.#writeSequence(sequence);
    this.#sequence = sequence;
  }

  /**
   * Stores frames, sequence and outbox position in one transaction, and deletes frames beyond
   * RETAINED_FRAMES.
   */
  commit({ frames, sequence }: Publication): void {
    // Invalidated first: a failed transaction must leave no uncommitted state in memory.
    this.#sequence = null;
    this.#inTransaction(() => {
      for (const { seq, text, facets } of frames) {
        this.#sql.exec(
          "insert into frames (seq, published_ms, text, facets) values (?, ?, ?, ?)",
          ...[seq, sequence.publishedMs, text, facets === null ? null : JSON.stringify(facets)],
        );
      }
      this.#sql.exec("delete from frames where seq <= ?", sequence.lastSeq - RETAINED_FRAMES);
      this.#writeSequence(sequence);
    });
  }

  /** Deletes frames older than RETAINED_MS. */
  pruneFrames(nowMs: number): void {
    // Publication times never decrease with the sequence number, so the expired frames are a prefix.
    const retained = this.#sql
      .exec("select min(seq) as seq from frames where published_ms > ?", nowMs - RETAINED_MS)
      .toArray()[0];
    const first = z.int().nullable().parse(retained?.["seq"]) ?? Number.MAX_SAFE_INTEGER;
    this.#sql.exec("delete from frames where seq < ?", first);
  }

  /** @returns null before the stream has begun */
  findRetained(): RetainedRange | null {
    const sequence = this.findSequence();
    if (sequence === null) return null;
    const first = z.int().nullable().parse(this.#sql.exec("select min(seq) as seq from frames").toArray()[0]?.["seq"]);
    return { first: first ?? sequence.lastSeq + 1, last: sequence.lastSeq };
  }

  /**
   * The frames after a sequence number, oldest first: at least one if there is any, and no more than `limit`
   * frames and `maxCharacters` characters otherwise.
   */
  listAfter(seq: number, limit: number, maxCharacters: number): StreamFrame[] {
    const frames: StreamFrame[] = [];
    let characters = 0;
    for (const row of this.#sql.exec(
      "select seq, text, facets from frames where seq > ? order by seq limit ?",
      seq,
      limit,
    )) {
      const { seq: found, text, facets } = FrameRow.parse(row);
      characters += text.length;
      if (frames.length > 0 && characters > maxCharacters) break;
      frames.push({ seq: found, text, facets: facets === null ? null : Facets.parse(JSON.parse(facets)) });
    }
    return frames;
  }

  listShards(): string[] {
    return this.#sql
      .exec("select name from shards")
      .toArray()
      .map(({ name }) => String(name));
  }

  addShard(name: string): void {
    this.#sql.exec("insert into shards (name) values (?) on conflict do nothing", name);
  }

  dropShard(name: string): void {
    this.#sql.exec("delete from shards where name = ?", name);
  }

  #writeSequence({ lastSeq, publishedMs, outboxPosition }: Sequence): void {
    this.#sql.exec(
      `insert into stream (one, last_seq, published_ms, place) values (1, ?, ?, ?)
       on conflict do update
       set last_seq = excluded.last_seq, published_ms = excluded.published_ms, place = excluded.place`,
      ...[lastSeq, publishedMs, JSON.stringify(outboxPosition)],
    );
  }

  #readSequence(): Sequence | null {
    const [first] = this.#sql.exec("select last_seq, published_ms, place from stream").toArray();
    if (first === undefined) return null;
    const row = StreamRow.parse(first);
    return {
      lastSeq: row.last_seq,
      publishedMs: row.published_ms,
      outboxPosition: OutboxPosition.parse(JSON.parse(row.place)),
    };
  }
}
