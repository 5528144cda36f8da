import { types as driverTypes } from "@neondatabase/serverless";

type ParseValue = (text: string) => unknown;

/** A statement as drizzle passes it to a driver, with its parameters. */
export interface BatchedStatement {
  readonly text: string;
  /** Under which the session has prepared it, or will; null for a statement that is planned once. */
  readonly prepared: PreparedStatement | null;
  readonly values: readonly (string | null)[];
  /** Rows as arrays instead of objects. */
  readonly isArrayMode: boolean;
  readonly getTypeParser: (typeId: number, format: "text" | "binary") => ParseValue;
  readonly resolve: (result: StatementResult) => void;
  readonly reject: (error: unknown) => void;
}

/** A statement that a session parses once and then only executes. */
export interface PreparedStatement {
  readonly name: string;
  /** Set once it was sent. A failure of its batch ends the session, and its prepared statements with it. */
  isSent: boolean;
}

export interface StatementResult {
  /** The command tag, such as `INSERT 0 3`; null before the statement is sent. */
  readonly tag: string | null;
  readonly rows: unknown[];
  readonly rowCount: number | null;
  readonly fields: readonly Field[];
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
  readonly format: "text" | "binary";
}

/** The driver's writer of protocol messages. */
interface Wire {
  parse(message: { text: string; name: string }): void;
  bind(message: { portal: string; statement: string; values: readonly (string | null)[] }): void;
  describe(message: { type: "P"; name: string }): void;
  execute(message: { portal: string; rows: number }): void;
  sync(): void;
  /** Buffers the messages of a TCP socket. The WebSocket of the product coalesces them itself. */
  readonly stream?: { cork?(): void; uncork?(): void };
}

/**
 * Several statements in one round trip of a session: Postgres gets all of them before it has answered the first, and runs
 * them in order. When one fails, Postgres skips the rest and all fail. Only for use inside a transaction: outside, one batch
 * would be one implicit transaction.
 *
 * The driver runs it as it runs its own queries, and calls the `handle` methods with the responses.
 */
export class StatementBatch {
  /** Called at the end. The driver wraps it to end its timer. */
  callback: (error: unknown) => void = () => undefined;
  /** The driver's timeout for all of it. */
  readonly query_timeout: number;
  readonly statements: readonly BatchedStatement[];
  readonly #results: StatementResult[] = [];
  #fields: readonly Field[] = [];
  #parsers: readonly ParseValue[] = [];
  #rows: unknown[] = [];

  constructor(statements: readonly BatchedStatement[], statementMs: number) {
    this.statements = statements;
    this.query_timeout = statementMs * statements.length;
  }

  submit(wire: Wire): null {
    // Otherwise each message is a system call of its own, four for a statement.
    wire.stream?.cork?.();
    for (const { text, prepared, values } of this.statements) {
      const name = prepared?.name ?? "";
      if (prepared?.isSent !== true) wire.parse({ text, name });
      if (prepared !== null) prepared.isSent = true;
      wire.bind({ portal: "", statement: name, values });
      wire.describe({ type: "P", name: "" });
      wire.execute({ portal: "", rows: 0 });
    }
    wire.sync();
    wire.stream?.uncork?.();
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    const statement = this.statements[this.#results.length];
    this.#fields = fields;
    this.#parsers = fields.map(({ dataTypeID, format }) =>
      (statement?.getTypeParser ?? driverTypes.getTypeParser)(dataTypeID, format),
    );
  }

  handleDataRow({ fields: values }: { readonly fields: readonly (string | null)[] }): void {
    const row = values.map((value, index) => (value === null ? null : this.#parsers[index]?.(value)));
    const isArrayMode = this.statements[this.#results.length]?.isArrayMode === true;
    this.#rows.push(isArrayMode ? row : Object.fromEntries(this.#fields.map(({ name }, index) => [name, row[index]])));
  }

  /** @param message with the command tag, such as `INSERT 0 3` */
  handleCommandComplete({ text }: { readonly text: string }): void {
    const count = /(\d+)$/.exec(text)?.[1];
    const rowCount = count === undefined ? null : Number(count);
    this.#results.push({ tag: text, rows: this.#rows, rowCount, fields: this.#fields });
    [this.#fields, this.#parsers, this.#rows] = [[], [], []];
  }

  /** The failure of a statement or of the session. */
  handleError(error: unknown): void {
    for (const { reject } of this.statements) reject(error);
    this.callback(error);
  }

  /** The end of the batch. */
  handleReadyForQuery(): void {
    for (const [index, { resolve, reject }] of this.statements.entries()) {
      const result = this.#results[index];
      if (result === undefined) reject(new Error("Postgres returned no result of a statement"));
      else resolve(result);
    }
    this.callback(null);
  }
}
