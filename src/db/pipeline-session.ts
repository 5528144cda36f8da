import { types as driverTypes, type PoolClient } from "@neondatabase/serverless";
import { StatementBatch, type BatchedStatement, type StatementResult } from "./statement-batch.ts";

/** A statement in the driver's form. */
interface DriverStatement {
  readonly text: string;
  readonly rowMode?: "array";
  readonly types?: { readonly getTypeParser: BatchedStatement["getTypeParser"] };
}

export interface Pipeline {
  readonly client: PoolClient;
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
 */
export function pipelineSession(client: PoolClient, opening: readonly string[], statementMs: number): Pipeline {
  let pending: BatchedStatement[] = opening.map((text) => ({
    text,
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

  function query(statement: DriverStatement, values: readonly unknown[] = []): Promise<StatementResult> {
    const texts = values.map(parameterText);
    return new Promise((resolve, reject) => {
      if (hasEnded) return reject(new Error("the transaction of this statement has ended"));
      const { text, rowMode, types = driverTypes } = statement;
      // Drizzle's parsers and the driver's have one form, but the driver declares its result as any.
      const getTypeParser = types.getTypeParser as BatchedStatement["getTypeParser"];
      pending.push({ text, values: texts, isArrayMode: rowMode === "array", getTypeParser, resolve, reject });
      if (isScheduled) return;
      isScheduled = true;
      queueMicrotask(flush);
    });
  }

  const pipelined = new Proxy(client, {
    get: (target, name, receiver) => (name === "query" ? query : Reflect.get(target, name, receiver)),
  });
  return {
    client: pipelined,
    end() {
      hasEnded = true;
      if (isScheduled) flush();
    },
  };
}

const ignore = (): void => undefined;

/** @throws TypeError for a value that is no scalar: arrays and objects are parameters as text */
function parameterText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (["string", "number", "bigint", "boolean"].includes(typeof value)) return String(value);
  throw new TypeError(`a parameter is neither text, a number, a time nor null: ${typeof value}`);
}
