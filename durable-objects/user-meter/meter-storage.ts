import { z } from "zod";
import type { UsageTotal } from "../../src/queries/accounts/usage-counts.ts";
import { NEW_METER, type MeterState } from "./decide-admission.ts";

const Log = z.array(z.tuple([z.int(), z.int()]));
const PeriodCount = z.object({ period: z.string(), used: z.int() });
const StoredState: z.ZodType<MeterState> = z.object({
  latestMs: z.int(),
  primary: Log,
  usage: Log,
  batch: Log,
  month: PeriodCount,
  day: PeriodCount,
});
const MeterRow = z.object({ account_id: z.int(), state: z.string(), seeded: z.int(), flush_at_ms: z.int() });
const TotalRow = z.object({ day: z.string(), key_id: z.int(), operation: z.string(), requests: z.int() });

/** The meter row as last read or written. */
interface Meter {
  readonly accountId: number;
  readonly state: MeterState;
  readonly isSeeded: boolean;
  readonly flushAtMs: number;
}

/*
 * `flushed` is the total that Postgres has confirmed. The partial index contains only unflushed rows, so that
 * listing them does not read two months of rows.
 */
const TABLES = `
  create table if not exists meter (one integer primary key check (one = 1), account_id integer not null,
    state text not null, flush_at_ms integer not null, seeded integer not null default 0);
  create table if not exists usage_totals (day text not null, key_id integer not null, operation text not null,
    requests integer not null, flushed integer not null default 0, primary key (day, key_id, operation)) without rowid;
  create index if not exists usage_totals_unflushed on usage_totals (day) where requests > flushed;`;

/**
 * The meter's SQLite storage. Every call is synchronous. The state is written through and cached in memory,
 * so that a request does not read and parse it; an eviction between two requests loses nothing.
 */
export class MeterStorage {
  readonly #sql: SqlStorage;
  readonly #inTransaction: DurableObjectStorage["transactionSync"];
  /** Cached row; null before the first read, and while there is none. */
  #meter: Meter | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#inTransaction = (work) => storage.transactionSync(work);
    this.#sql.exec(TABLES);
  }

  readState(): MeterState {
    return this.#find()?.state ?? NEW_METER;
  }

  /**
   * When the next flush is due, Unix milliseconds; 0 when no request was counted since the last flush began.
   */
  flushAtMs(): number {
    return this.#find()?.flushAtMs ?? 0;
  }

  /** Null before the first admission. */
  findAccountId(): number | null {
    return this.#find()?.accountId ?? null;
  }

  /** Whether the totals that Postgres had before this object existed have been loaded. */
  isSeeded(): boolean {
    return this.#find()?.isSeeded ?? false;
  }

  writeState(accountId: number, state: MeterState, flushAtMs: number): void {
    this.#sql.exec(
      `insert into meter (one, account_id, state, flush_at_ms) values (1, ?, ?, ?)
       on conflict do update set state = excluded.state, flush_at_ms = excluded.flush_at_ms`,
      ...[accountId, JSON.stringify(state), flushAtMs],
    );
    this.#meter = { accountId, state, isSeeded: this.isSeeded(), flushAtMs };
  }

  beginFlush(): void {
    this.#sql.exec("update meter set flush_at_ms = 0");
    if (this.#meter !== null) this.#meter = { ...this.#meter, flushAtMs: 0 };
  }

  countRequest(day: string, keyId: number, operation: string): void {
    this.#sql.exec(
      `insert into usage_totals (day, key_id, operation, requests) values (?, ?, ?, 1)
       on conflict do update set requests = requests + 1`,
      day,
      keyId,
      operation,
    );
  }

  /** Adds the totals from Postgres to this object's own counts and marks it seeded, in one transaction. */
  seed(state: MeterState, totals: readonly UsageTotal[]): void {
    this.#inTransaction(() => {
      // Invalidated first: a failed transaction must leave no uncommitted state in memory.
      this.#meter = null;
      this.#sql.exec("update meter set state = ?, seeded = 1", JSON.stringify(state));
      for (const { day, key_id, operation, requests } of totals) {
        this.#sql.exec(
          `insert into usage_totals (day, key_id, operation, requests, flushed) values (?1, ?2, ?3, ?4, ?4)
           on conflict do update set requests = requests + ?4, flushed = ?4`,
          ...[day, key_id, operation, requests],
        );
      }
    });
  }

  listUnflushed(limit: number): UsageTotal[] {
    const rows = this.#sql.exec(
      "select day, key_id, operation, requests from usage_totals where requests > flushed limit ?",
      limit,
    );
    return z.array(TotalRow).parse(rows.toArray());
  }

  /** Marks these totals as stored in Postgres. Requests counted since they were listed stay unflushed. */
  markFlushed(totals: readonly UsageTotal[]): void {
    this.#inTransaction(() => {
      for (const { day, key_id, operation, requests } of totals) {
        this.#sql.exec(
          "update usage_totals set flushed = ?4 where day = ?1 and key_id = ?2 and operation = ?3",
          ...[day, key_id, operation, requests],
        );
      }
    });
  }

  dropFlushedBefore(day: string): void {
    this.#sql.exec("delete from usage_totals where day < ? and requests = flushed", day);
  }

  #find(): Meter | null {
    return (this.#meter ??= this.#read());
  }

  #read(): Meter | null {
    const [first] = this.#sql.exec("select account_id, state, seeded, flush_at_ms from meter").toArray();
    if (first === undefined) return null;
    const row = MeterRow.parse(first);
    const state = StoredState.parse(JSON.parse(row.state));
    return { accountId: row.account_id, state, isSeeded: row.seeded === 1, flushAtMs: row.flush_at_ms };
  }
}
