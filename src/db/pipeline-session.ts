import { types as driverTypes, type PoolClient } from "@neondatabase/serverless";
import type { PreparedStatements } from "./prepared-statements.ts";
import { StatementBatch, type BatchedStatement, type StatementResult } from "./statement-batch.ts";

/** A statement in the driver's form. */
interface DriverStatement {
  readonly text: string;
  readonly rowMode?: "array";
  readonly types?: { readonly getTypeParser: BatchedStatement["getTypeParser"] };
}

/** A statement of the last message, with its parameters as text. */
export interface LastStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface Pipeline {
  readonly client: PoolClient;
  /**
   * A client whose statements are sent with the commit, in one message, in the order of their calls. None has a result: a
   * statement that needs the result of another one cannot be in the last message.
   */
  readonly lastClient: PoolClient;
  /**
   * Sends what was not sent, the statements of `lastClient`, further ones and the commit as one message, and refuses
   * statements from then on.
   *
   * @returns the results of the further statements, which are committed
   * @throws the error of a statement, and an error when Postgres has rolled back
   */
  commit(further?: readonly LastStatement[]): Promise<readonly StatementResult[]>;
  /**
   * Refuses further statements. The work of a failed `Promise.all` goes on, and its later statements would be committed
   * outside the transaction.
   */
  end(): void;
}

/**
 * The client of a transaction whose statements of one tick share a round trip: `Promise.all([run(a), run(b)])` sends both
 * at once, in this order. A statement that is awaited before the next one takes a round trip of its own.
 *
 * @param opening sent with the first statements; a transaction without statements sends nothing
 * @param prepared the session's prepared statements; null when each statement is planned for its parameters
 */
export function pipelineSession(
  client: PoolClient,
  opening: readonly string[],
  statementMs: number,
  prepared: PreparedStatements | null = null,
): Pipeline {
  let pending: BatchedStatement[] = opening.map((text) => ({
    text,
    prepared: null,
    values: [],
    isArrayMode: false,
    getTypeParser: driverTypes.getTypeParser,
    resolve: ignore,
    reject: ignore,
  }));
  let isScheduled = false;
  let hasEnded = false;

  function flush(): void {
    const statements = pending;
    pending = [];
    isScheduled = false;
    if (statements.length === 0) return;
    const batch = new StatementBatch(statements, statementMs);
    // The driver's types know only its own queries.
    const sending: Promise<unknown> = Promise.resolve(client.query(batch as unknown as string));
    void sending.catch((error: unknown) => batch.handleError(error));
  }

  function enqueue(statement: DriverStatement, values: readonly (string | null)[]): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      const { text, rowMode, types = driverTypes } = statement;
      // Drizzle's parsers and the driver's have one form, but the driver declares its result as any.
      const getTypeParser = types.getTypeParser as BatchedStatement["getTypeParser"];
      const named = prepared?.find(text) ?? null;
      pending.push({ text, prepared: named, values, isArrayMode: rowMode === "array", getTypeParser, resolve, reject });
      if (isScheduled) return;
      isScheduled = true;
      queueMicrotask(flush);
    });
  }

  async function query(statement: DriverStatement, values: readonly unknown[] = []): Promise<StatementResult> {
    if (hasEnded) throw new Error(ENDED);
    return enqueue(statement, values.map(parameterText));
  }

  const last: { readonly statement: DriverStatement; readonly values: readonly (string | null)[] }[] = [];

  async function queryLast(statement: DriverStatement, values: readonly unknown[] = []): Promise<StatementResult> {
    if (hasEnded) throw new Error(ENDED);
    last.push({ statement, values: values.map(parameterText) });
    return NO_RESULT;
  }

  const clientWith = (own: typeof query): PoolClient =>
    new Proxy(client, {
      get: (target, name, receiver) => (name === "query" ? own : Reflect.get(target, name, receiver)),
    });

  function end(): void {
    hasEnded = true;
    if (isScheduled) flush();
  }

  return {
    client: clientWith(query),
    lastClient: clientWith(queryLast),
    async commit(further = []) {
      const given = further.map(({ text, values }) => ({ statement: { text }, values: values.map(parameterText) }));
      const sent = [...last, ...given, COMMIT].map(({ statement, values }) => enqueue(statement, values));
      end();
      const results = await Promise.all(sent);
      // Postgres rolls back, without an error, when a statement has failed whose error the work ignored.
      if (results.at(-1)?.tag !== "COMMIT") throw new Error("the transaction was rolled back: a statement had failed");
      return results.slice(last.length, -1);
    },
    end,
  };
}

const ENDED = "the transaction of this statement has ended";
const COMMIT = { statement: { text: "commit" }, values: [] };

const NO_RESULT: StatementResult = {
  tag: null,
  get rows(): unknown[] {
    throw new Error("a statement that is sent with the commit has no rows before it");
  },
  rowCount: null,
  fields: [],
};

const ignore = (): void => undefined;

/** @throws TypeError for a value that is no scalar: arrays and objects are parameters as text */
function parameterText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (["string", "number", "bigint", "boolean"].includes(typeof value)) return String(value);
  throw new TypeError(`a parameter is neither text, a number, a time nor null: ${typeof value}`);
}
