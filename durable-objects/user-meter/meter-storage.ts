import { z } from "zod";
import type { UsageTotal } from "../../src/queries/accounts/usage-counts.ts";
import { NEW_METER, type MeterState } from "./decide-admission.ts";

const Log = z.array(z.tuple([z.int(), z.int()]));
const PeriodCount = z.object({ period: z.string(), used: z.int() });
const TotalRow = z.object({ day: z.string(), key_id: z.int(), operation: z.string(), requests: z.int() });
const StoredState = z.object({
  latestMs: z.int(),
  primary: Log,
  usage: Log,
  batch: Log,
  month: PeriodCount,
  day: PeriodCount,
  // Absent in rows of the release that wrote each request to `usage_totals`.
  recent: z.array(TotalRow).default([]),
});
const MeterRow = z.object({ account_id: z.int(), state: z.string(), seeded: z.int(), flush_at_ms: z.int() });

/** Totals in the meter's row from which they move to `usage_totals`. It bounds the size of the row. */
export const MAX_RECENT_TOTALS = 100;

/** The meter row as last read or written. */
interface Meter {
  readonly accountId: number;
  readonly state: MeterState;
  /** Requests counted since the last move to `usage_totals`, by day, key and operation. */
  readonly recent: readonly UsageTotal[];
  readonly isSeeded: boolean;
  readonly flushAtMs: number;
}

/** The usage record of one request. */
export type CountedRequest = Omit<UsageTotal, "requests">;

/*
 * An admission writes one row: the meter's, with its usage record. Recent totals move to `usage_totals` before each
 * flush. `flushed` is the total that Postgres has confirmed. The partial index contains only unflushed rows, so that
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

  /** Whether the usage record of this request fits into the meter's row. If not, `moveRecent` makes room. */
  hasRoomFor(request: CountedRequest): boolean {
    const { recent = [] } = this.#find() ?? {};
    return recent.length < MAX_RECENT_TOTALS || recent.some((total) => isOf(total, request));
  }

  /**
   * Stores an admission in one write.
   *
   * @param counted its usage record; null for none
   */
  writeAdmission(accountId: number, state: MeterState, flushAtMs: number, counted: CountedRequest | null): void {
    const before = this.#find();
    const recent = counted === null ? (before?.recent ?? []) : addOne(before?.recent ?? [], counted);
    this.#sql.exec(
      `insert into meter (one, account_id, state, flush_at_ms) values (1, ?, ?, ?)
       on conflict do update set state = excluded.state, flush_at_ms = excluded.flush_at_ms`,
      ...[accountId, JSON.stringify({ ...state, recent }), flushAtMs],
    );
    this.#meter = { accountId, state, recent, isSeeded: before?.isSeeded ?? false, flushAtMs };
  }

  beginFlush(): void {
    this.#sql.exec("update meter set flush_at_ms = 0");
    if (this.#meter !== null) this.#meter = { ...this.#meter, flushAtMs: 0 };
  }

  /** Moves the recent totals from the meter's row to `usage_totals`, in one transaction. */
  moveRecent(): void {
    const meter = this.#find();
    if (meter === null || meter.recent.length === 0) return;
    this.#inTransaction(() => {
      for (const { day, key_id, operation, requests } of meter.recent) {
        this.#sql.exec(
          `insert into usage_totals (day, key_id, operation, requests) values (?1, ?2, ?3, ?4)
           on conflict do update set requests = requests + ?4`,
          ...[day, key_id, operation, requests],
        );
      }
      this.#sql.exec("update meter set state = ?", JSON.stringify({ ...meter.state, recent: [] }));
    });
    this.#meter = { ...meter, recent: [] };
  }

  /** Adds the totals from Postgres to this object's own counts and marks it seeded, in one transaction. */
  seed(state: MeterState, totals: readonly UsageTotal[]): void {
    const { recent = [] } = this.#find() ?? {};
    this.#inTransaction(() => {
      // Invalidated first: a failed transaction must leave no uncommitted state in memory.
      this.#meter = null;
      this.#sql.exec("update meter set state = ?, seeded = 1", JSON.stringify({ ...state, recent }));
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
    const { recent, ...state } = StoredState.parse(JSON.parse(row.state));
    return { accountId: row.account_id, state, recent, isSeeded: row.seeded === 1, flushAtMs: row.flush_at_ms };
  }
}

const isOf = (total: UsageTotal, { day, key_id, operation }: CountedRequest): boolean =>
  total.day === day && total.key_id === key_id && total.operation === operation;

function addOne(recent: readonly UsageTotal[], request: CountedRequest): UsageTotal[] {
  if (!recent.some((total) => isOf(total, request))) return [...recent, { ...request, requests: 1 }];
  return recent.map((total) => (isOf(total, request) ? { ...total, requests: total.requests + 1 } : total));
}
