import type { SQL } from "drizzle-orm";
import type pg from "pg";
import { renderSql } from "../../src/db/sql.ts";
import type { Client } from "../services/postgres/session-over-tcp.ts";
import type { CopiedRows } from "./copied-rows.ts";

/** A query without parameters, and where its rows go. */
export interface CopiedQuery {
  readonly select: SQL;
  readonly to: CopiedRows;
}

/** Copies the rows of several queries, in one message and one snapshot. */
export function copyInSnapshot(client: Client, queries: readonly CopiedQuery[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new CopyBatch(queries, resolve, reject));
  });
}

/** The driver runs it as it runs its own queries, and calls the `handle` methods with the responses. */
class CopyBatch implements pg.Submittable {
  readonly #queries: readonly CopiedQuery[];
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  #current = 0;
  #failure: { readonly error: unknown } | null = null;

  constructor(queries: readonly CopiedQuery[], resolve: () => void, reject: (error: unknown) => void) {
    this.#queries = queries;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: pg.Connection): void {
    const copies = this.#queries.map(({ select }) => `copy (${renderSql(select).sql}) to stdout (format binary)`);
    connection.query(["begin isolation level repeatable read read only", ...copies, "commit"].join(";"));
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    try {
      this.#queries[this.#current]?.to.add(chunk);
    } catch (error) {
      // Thrown here, in an event of the driver's socket, it would end the process.
      this.#failure ??= { error };
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    if (text.startsWith("COPY")) this.#current += 1;
  }

  handleError(error: unknown): void {
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#failure === null) this.#resolve();
    else this.#reject(this.#failure.error);
  }
}
