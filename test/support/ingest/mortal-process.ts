import type { Pool, PoolClient } from "@neondatabase/serverless";
import type { Provider } from "../../../src/ports/provider.ts";

export class Killed extends Error {
  override name = "Killed";
}

/**
 * A process that dies after so many steps. A step is what the outside could tell apart: an answer of the provider, a turn of the queue, a
 * statement of its own, and of a transaction the moment before it commits and the commit.
 */
export class MortalProcess {
  readonly #dieAfter: number;
  steps = 0;

  constructor(dieAfter: number) {
    this.#dieAfter = dieAfter;
  }

  /** Does what the outside world sees of a step; the process may not live to see the result. */
  async live<T>(step: () => Promise<T>): Promise<T> {
    if (this.dead) throw new Killed();
    const result = await step();
    this.steps += 1;
    if (this.dead) throw new Killed();
    return result;
  }

  get dead(): boolean {
    return this.steps >= this.#dieAfter;
  }

  pool(pool: Pool): Pool {
    return this.#watch(pool, {
      query: (...args: Parameters<Pool["query"]>) => this.live(async () => pool.query(...args)),
      connect: async () => this.#client(await pool.connect()),
    });
  }

  provider(provider: Provider): Provider {
    return new Proxy(provider, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        return typeof method === "function" ? (...args: unknown[]) => this.live(async () => method.apply(target, args)) : method;
      },
    });
  }

  #client(client: PoolClient): PoolClient {
    return this.#watch(client, {
      query: async (...args: Parameters<PoolClient["query"]>) => {
        if (this.dead) throw new Killed();
        if (args[0] !== "commit") return client.query(...args);
        await this.live(async () => undefined);
        return this.live(async () => client.query(...args));
      },
    });
  }

  #watch<T extends object>(target: T, own: Readonly<Record<string, unknown>>): T {
    return new Proxy(target, {
      get(_, name) {
        if (typeof name === "string" && name in own) return own[name];
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }
}
