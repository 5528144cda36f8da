import { types as driverTypes } from "@neondatabase/serverless";

type ParseValue = (text: string) => unknown;

/** A statement as drizzle passes it to a driver, with its parameters. */
export interface BatchedStatement {
  readonly text: string;
  readonly values: readonly (string | null)[];
  /** Rows as arrays instead of objects. */
  readonly isArrayMode: boolean;
  readonly getTypeParser: (typeId: number, format: "text" | "binary") => ParseValue;
  readonly resolve: (result: StatementResult) => void;
  readonly reject: (error: Error) => void;
}

export interface StatementResult {
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
}

/**
 * Several statements in one round trip of a session: Postgres gets all of them before it has answered the first, and runs
 * them in order. After a failed one it skips the rest. Only for use inside a transaction: outside, one batch would be one
 * implicit transaction.
 *
 * The driver runs it as it runs its own queries, and calls the `handle` methods with the responses.
 */
export class StatementBatch {
  /** Called at the end. The driver wraps it to end its timer. */
  callback: (error: Error | null) => void = () => undefined;
  /** The driver's timeout for all of it. */
  readonly query_timeout: number;
  readonly #statements: readonly BatchedStatement[];
  #current = 0;
  #fields: readonly Field[] = [];
  #parsers: readonly ParseValue[] = [];
  #rows: unknown[] = [];

  constructor(statements: readonly BatchedStatement[], statementMs: number) {
    this.#statements = statements;
    this.query_timeout = statementMs * statements.length;
  }

  submit(wire: Wire): null {
    for (const { text, values } of this.#statements) {
      wire.parse({ text, name: "" });
      wire.bind({ portal: "", statement: "", values });
      wire.describe({ type: "P", name: "" });
      wire.execute({ portal: "", rows: 0 });
    }
    wire.sync();
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    const statement = this.#statements[this.#current];
    this.#fields = fields;
    this.#parsers = fields.map(({ dataTypeID, format }) =>
      (statement?.getTypeParser ?? driverTypes.getTypeParser)(dataTypeID, format),
    );
  }

  handleDataRow({ fields: values }: { readonly fields: readonly (string | null)[] }): void {
    const row = values.map((value, index) => (value === null ? null : this.#parsers[index]?.(value)));
    const isArrayMode = this.#statements[this.#current]?.isArrayMode === true;
    this.#rows.push(isArrayMode ? row : Object.fromEntries(this.#fields.map(({ name }, index) => [name, row[index]])));
  }

  /** @param message with the command tag, such as `INSERT 0 3` */
  handleCommandComplete({ text }: { readonly text: string }): void {
    const count = /(\d+)$/.exec(text)?.[1];
    const result = { rows: this.#rows, rowCount: count === undefined ? null : Number(count), fields: this.#fields };
    const statement = this.#statements[this.#current++];
    [this.#fields, this.#parsers, this.#rows] = [[], [], []];
    statement?.resolve(result);
  }

  /** The failure of the current statement, or of the session. Those after it were not run. */
  handleError(error: Error): void {
    const failed = this.#statements.slice(this.#current);
    this.#current = this.#statements.length;
    for (const { reject } of failed) reject(error);
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }
}
