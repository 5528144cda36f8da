import type { Pool, PoolClient } from "@neondatabase/serverless";
import { StatementBatch } from "../../../src/db/statement-batch.ts";
import type { Chain } from "../../../src/platform/chain.ts";
import type { Provider } from "../../../src/platform/provider.ts";
import { textsOf } from "../database/before-each-query.ts";

export class ProcessKilled extends Error {
  override name = "Killed";

  /** A failed statement whose cause is the death of the process is also one. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof Error && (error.name === "Killed" || error.cause instanceof ProcessKilled);
  }
}

/**
 * A process that dies after a given number of steps. A step is anything visible from outside: a provider
 * response, a queue operation, a statement outside a transaction, the moment before a commit, and the commit.
 */
export class KillableProcess {
  readonly #dieAfter: number;
  steps = 0;

  constructor(dieAfter: number) {
    this.#dieAfter = dieAfter;
  }

  /** Performs the visible effect of a step. The process may die before it gets the result. */
  async perform<T>(step: () => Promise<T>): Promise<T> {
    if (this.isDead) throw new ProcessKilled();
    const result = await step();
    this.steps += 1;
    if (this.isDead) throw new ProcessKilled();
    return result;
  }

  get isDead(): boolean {
    return this.steps >= this.#dieAfter;
  }

  pool(pool: Pool): Pool {
    return this.#watch(pool, {
      query: (...args: Parameters<Pool["query"]>) => this.perform(async () => pool.query(...args)),
      connect: async () => this.#client(await pool.connect()),
    });
  }

  /** Each call of the provider, or of the node, is a step. */
  provider<Service extends Provider | Chain>(provider: Service): Service {
    return new Proxy(provider, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        return typeof method === "function"
          ? (...args: unknown[]) => this.perform(async () => method.apply(target, args))
          : method;
      },
    });
  }

  #client(client: PoolClient): PoolClient {
    return this.#watch(client, {
      query: async (...args: Parameters<PoolClient["query"]>) => {
        if (this.isDead) throw new ProcessKilled();
        const [message] = args as readonly unknown[];
        if (!(message instanceof StatementBatch) || !textsOf(message).includes("commit")) return client.query(...args);
        await this.perform(async () => undefined);
        return this.#sendCommit(client, message);
      },
    });
  }

  /** The process may die after the commit, before it gets the result. */
  #sendCommit(client: PoolClient, message: StatementBatch): unknown {
    const resolve = message.handleReadyForQuery.bind(message);
    message.handleReadyForQuery = () => {
      this.steps += 1;
      if (this.isDead) message.handleError(new ProcessKilled());
      else resolve();
    };
    // The driver's types know only its own queries.
    return client.query(message as unknown as string);
  }

  #watch<T extends object>(target: T, own: Readonly<Record<string, unknown>>): T {
    return new Proxy(target, {
      get(_, name) {
        if (typeof name === "string" && Object.hasOwn(own, name)) return own[name];
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }
}
