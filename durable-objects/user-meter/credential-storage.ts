import { z } from "zod";
import { CredentialRecord } from "../../src/domain/accounts/credential-record.ts";

/** How long a refusal stands that Postgres has not confirmed: longer than any request takes to revoke. */
export const REFUSAL_MS = 300_000;
/** How long no record is stored after a change was announced: longer than any request takes to write it. */
export const CHANGE_MS = 60_000;
/** How long a credential without a row in Postgres is refused before it is read again. */
const UNKNOWN_MS = 30_000;
/** Age from which a flush reads a record again. */
export const RECORD_MAX_AGE_MS = 300_000;
/**
 * Age from which a record admits no request before it was read again. It bounds the effect of changes that bypass the
 * meter. The flushes of an active account come earlier.
 */
export const RECORD_LIFETIME_MS = 600_000;
const DAY_MS = 86_400_000;
/** How long a revoked credential is remembered, so that a restored database does not revive it. */
const REVOKED_MS = 30 * DAY_MS;

const NONE: CredentialRecord = { kind: "unknown" };
const Row = z.object({ record: z.string(), loaded_at_ms: z.int(), refused_until_ms: z.int() });
const Hash = z.object({ hash: z.string() });
const Change = z.object({ until_ms: z.int() });

interface Entry {
  readonly record: CredentialRecord;
  readonly loadedAtMs: number;
  /** Unix milliseconds; 0 for a record that is not refused. */
  readonly refusedUntilMs: number;
}

const TABLES = `
  create table if not exists credentials (hash text primary key, record text not null, loaded_at_ms integer not null,
    refused_until_ms integer not null, revoked integer not null) without rowid;
  create table if not exists credential_change (one integer primary key check (one = 1), until_ms integer not null);`;

/**
 * The records of an account's credentials in the meter's SQLite storage, which an object without them reads from
 * Postgres. Every call is synchronous. A refusal is stored even for a credential that was never presented, so that no
 * earlier read of Postgres can admit it.
 */
export class CredentialStorage {
  readonly #sql: SqlStorage;
  readonly #inTransaction: DurableObjectStorage["transactionSync"];
  /** Entries as last read or written. Cleared before every change. */
  readonly #entries = new Map<string, Entry>();
  /** An evicted object starts another series: what was read for the old one is not accepted. */
  readonly #series = crypto.randomUUID();
  #changes = 0;
  #changeUntilMs: number | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#inTransaction = (work) => storage.transactionSync(work);
    this.#sql.exec(TABLES);
  }

  /** Changes with every refusal and every announced change. */
  get revision(): string {
    return `${this.#series} ${this.#changes}`;
  }

  /** Null when the record must be read from Postgres. */
  find(hash: string, nowMs: number): CredentialRecord | null {
    const entry = this.#entries.get(hash) ?? this.#read(hash);
    if (entry === null) return null;
    this.#entries.set(hash, entry);
    if (entry.refusedUntilMs === 0)
      return isRevoked(entry.record) || nowMs < entry.loadedAtMs + RECORD_LIFETIME_MS ? entry.record : null;
    return nowMs < entry.refusedUntilMs ? NONE : null;
  }

  /** Stores a record that was read for the current revision, except during a change. */
  store(hash: string, record: CredentialRecord, nowMs: number): void {
    if (nowMs < this.#readChange() && !isRevoked(record)) return;
    this.#write(hash, record, nowMs, record.kind === "unknown" ? nowMs + UNKNOWN_MS : 0);
  }

  /** Refuses credentials, except those that Postgres has revoked already: their refusal has no end. */
  refuse(hashes: readonly string[], nowMs: number): void {
    this.#change(() => {
      for (const hash of hashes) {
        if (isRevoked(this.#read(hash)?.record ?? NONE)) continue;
        this.#write(hash, NONE, nowMs, nowMs + REFUSAL_MS);
      }
    });
  }

  /** Drops every record that grants access, and stores none for a minute. */
  forget(nowMs: number): void {
    this.#change(() => {
      this.#sql.exec(
        "insert into credential_change (one, until_ms) values (1, ?1) on conflict do update set until_ms = ?1",
        nowMs + CHANGE_MS,
      );
      this.#sql.exec("delete from credentials where refused_until_ms = 0 and revoked = 0");
    });
  }

  /** Credentials whose record is old, and those whose refusal Postgres has not confirmed. The oldest come first. */
  listOld(nowMs: number, limit: number): string[] {
    const rows = this.#sql.exec(
      `select hash from credentials where revoked = 0 and (refused_until_ms > 0 or loaded_at_ms <= ?)
       order by loaded_at_ms limit ?`,
      ...[nowMs - RECORD_MAX_AGE_MS, limit],
    );
    return rows.toArray().map((row) => Hash.parse(row).hash);
  }

  /** When the newest refusal was made that Postgres has not confirmed, Unix milliseconds; null without one. */
  newestOpenRefusalMs(): number | null {
    const [row] = this.#sql
      .exec(
        "select max(refused_until_ms) as until_ms from credentials where revoked = 0 and refused_until_ms > 0 and refused_until_ms = loaded_at_ms + ?",
        REFUSAL_MS,
      )
      .toArray();
    const untilMs = z.int().nullable().parse(row?.["until_ms"]);
    return untilMs === null ? null : untilMs - REFUSAL_MS;
  }

  /** Replaces a record by one that a flush has read. A refusal is only confirmed by it, and ends by itself. */
  refresh(hash: string, record: CredentialRecord, nowMs: number): void {
    const isRefused = (this.#read(hash)?.refusedUntilMs ?? 0) > 0;
    if (!isRefused || isRevoked(record)) this.store(hash, record, nowMs);
  }

  /** Drops what grants no access any more: ended credentials, ended refusals, and revoked ones after a month. */
  dropEnded(nowMs: number): void {
    this.#entries.clear();
    this.#sql.exec(
      `delete from credentials where revoked = 0 and (refused_until_ms between 1 and ?1
         or (refused_until_ms = 0 and json_extract(record, '$.expires_ms') < ?1)) or revoked = 1 and loaded_at_ms < ?2`,
      ...[nowMs - DAY_MS, nowMs - REVOKED_MS],
    );
  }

  #change(write: () => void): void {
    this.#changes += 1;
    this.#changeUntilMs = null;
    this.#entries.clear();
    try {
      this.#inTransaction(write);
    } catch (error) {
      // A failed transaction must leave no uncommitted entry in memory.
      this.#entries.clear();
      throw error;
    }
  }

  #write(hash: string, record: CredentialRecord, nowMs: number, refusedUntilMs: number): void {
    this.#sql.exec(
      `insert into credentials (hash, record, loaded_at_ms, refused_until_ms, revoked) values (?1, ?2, ?3, ?4, ?5)
       on conflict do update set record = ?2, loaded_at_ms = ?3, refused_until_ms = ?4, revoked = ?5`,
      ...[hash, JSON.stringify(record), nowMs, refusedUntilMs, isRevoked(record) ? 1 : 0],
    );
    this.#entries.set(hash, { record, loadedAtMs: nowMs, refusedUntilMs });
  }

  #read(hash: string): Entry | null {
    const [first] = this.#sql
      .exec("select record, loaded_at_ms, refused_until_ms from credentials where hash = ?", hash)
      .toArray();
    if (first === undefined) return null;
    const row = Row.parse(first);
    const record = CredentialRecord.parse(JSON.parse(row.record));
    return { record, loadedAtMs: row.loaded_at_ms, refusedUntilMs: row.refused_until_ms };
  }

  #readChange(): number {
    const [row] =
      this.#changeUntilMs === null ? this.#sql.exec("select until_ms from credential_change").toArray() : [];
    return (this.#changeUntilMs ??= row === undefined ? 0 : Change.parse(row).until_ms);
  }
}

const isRevoked = (record: CredentialRecord): boolean => record.kind === "key" && record.revoked;
