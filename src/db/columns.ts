import { bigint, customType, timestamp } from "drizzle-orm/pg-core";

/** Millionths of a dollar, exact. Formatted only in presenters (`src/domain/money.ts`). */
export const microUsd = (name: string) => bigint(name, { mode: "bigint" });

/** Millionths of a share, the provider's own resolution. */
export const microShares = (name: string) => bigint(name, { mode: "bigint" });

/** A row id. Ids stay far below 2^53. */
export const rowId = (name: string) => bigint(name, { mode: "number" });

/** A generated primary key. */
export const id = () => rowId("id").primaryKey().generatedAlwaysAsIdentity();

export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/** A transaction id that never wraps around. `xmin::text` would; see the outbox in ARCHITECTURE.md. */
export const xid8 = customType<{ data: string }>({ dataType: () => "xid8" });

/** Raw bytes, written and read as the hex form `\x...`. */
export const bytes = customType<{ data: string }>({ dataType: () => "bytea" });

export const textSearch = customType<{ data: string }>({ dataType: () => "tsvector" });
