import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const REOPEN_WITHIN_MS = 30_000;
const PAUSE_MS = 250;

/** A session that is opened again when Postgres has ended it. One statement at a time. */
export class ReopenedClient {
  readonly #open: () => pg.Client;
  #client: pg.Client | null = null;
  #busy: Promise<unknown> = Promise.resolve();

  constructor(databaseUrl: string, name: string) {
    this.#open = () => new pg.Client({ connectionString: databaseUrl, application_name: name });
  }

  /** Runs a statement that only reads. One that fails is repeated for 30 seconds. @throws its last error */
  query<T extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<readonly T[]> {
    const rows = this.#busy.then(() => this.#repeat<T>(text, values));
    this.#busy = rows.catch(() => undefined);
    return rows;
  }

  async end(): Promise<void> {
    await this.#busy;
    await this.#client?.end();
  }

  async #repeat<T extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<readonly T[]> {
    for (const endsAt = Date.now() + REOPEN_WITHIN_MS; ; await sleep(PAUSE_MS)) {
      try {
        const { rows } = await (await this.#connected()).query<T>(text, [...values]);
        return rows;
      } catch (error) {
        await this.#client?.end().catch(() => undefined);
        this.#client = null;
        if (Date.now() > endsAt) throw error;
      }
    }
  }

  async #connected(): Promise<pg.Client> {
    if (this.#client !== null) return this.#client;
    const client = this.#open();
    client.on("error", () => undefined);
    await client.connect();
    this.#client = client;
    return client;
  }
}
