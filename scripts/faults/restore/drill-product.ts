import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { generateTrades, saveRecording } from "../../../test/support/product/generated-recording.ts";
import { addReaders } from "../../../test/support/product/more-readers.ts";
import { operateProduct } from "../../../test/support/product/operate-product.ts";
import { queryDatabase } from "../../../test/support/product/product-database.ts";
import {
  startProduct,
  type ProductResponse,
  type StartedProduct,
} from "../../../test/support/product/started-product.ts";
import { freePort } from "../../services/free-port.ts";
import { startPostgres, type EmbeddedPostgres } from "../../services/postgres/postgres.ts";

const TRADES_PER_SECOND = 3;

/** An account of the drill. */
export interface DrillAccount {
  readonly id: number;
  readonly email: string;
  readonly key: string;
  readonly keyId: number;
}

/** The product beside a Postgres of its own, so that either runs without the other. */
export class DrillProduct {
  readonly postgres: EmbeddedPostgres;
  readonly #dir: string;
  readonly #port: number;
  readonly #accounted = new Map<number, number>();
  #running: StartedProduct | null = null;

  private constructor(dir: string, postgres: EmbeddedPostgres, port: number) {
    this.#dir = dir;
    this.postgres = postgres;
    this.#port = port;
  }

  static async open(dir: string): Promise<DrillProduct> {
    await mkdir(join(dir, "recording"));
    const postgres = await startPostgres({
      ...{ dataDir: join(dir, "postgres"), port: await freePort(), log: () => undefined },
    });
    return new DrillProduct(dir, postgres, await freePort());
  }

  get databaseDir(): string {
    return join(this.#dir, "postgres");
  }

  get credentialSecret(): string {
    return JSON.parse(readFileSync(join(this.#dir, "product/secrets.json"), "utf8")).credentialSecret;
  }

  get streamUrl(): string {
    return `http://127.0.0.1:${this.#port}/api/v1/stream`;
  }

  /** Starts the product on the same objects' storage, with a provider that has so many seconds of trades. */
  async start(seconds: number): Promise<void> {
    await saveRecording(join(this.#dir, "recording"), generateTrades(seconds, TRADES_PER_SECOND));
    this.#running = await startProduct(
      join(this.#dir, "product"),
      ["--source", "replay", join(this.#dir, "recording"), "--port", String(this.#port)],
      { DATABASE_URL: this.postgres.url },
    );
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#running = null;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.postgres.stop();
  }

  query(statement: string): ReturnType<typeof queryDatabase> {
    return queryDatabase(this.postgres.url, statement);
  }

  async addAccount(): Promise<DrillAccount> {
    const [key = ""] = await addReaders(this.postgres.url, join(this.#dir, "product"), 1);
    const [row] = await this.query(
      `select a.id::int, a.email, k.id::int as key_id from accounts a join api_keys k on k.account_id = a.id
       order by a.id desc limit 1`,
    );
    return { id: row.id, email: row.email, key, keyId: row.key_id };
  }

  async get(path: string, account: DrillAccount): Promise<ProductResponse> {
    if (this.#running === null) throw new Error("the product does not run");
    const response = await this.#running.get(path, { authorization: `Bearer ${account.key}` });
    this.#account(account, response.headers);
    return response;
  }

  /** @returns the status */
  async post(path: string, account: DrillAccount, body: object): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${this.#port}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    await response.body?.cancel();
    this.#account(account, response.headers);
    return response.status;
  }

  /** The number of this account's responses that claim a stored count. */
  accountedOf({ id }: DrillAccount): number {
    return this.#accounted.get(id) ?? 0;
  }

  #account({ id }: DrillAccount, headers: Headers): void {
    if (headers.get("x-usage-accounting") === "persisted") this.#accounted.set(id, 1 + (this.#accounted.get(id) ?? 0));
  }

  /** Runs an operator command on the database. */
  operate(line: string): Promise<string> {
    return operateProduct(join(this.#dir, "product"), this.postgres.url, line);
  }
}

/** Waits until the condition holds. @returns whether it did within the time */
export async function holdsWithin(ms: number, condition: () => Promise<boolean> | boolean): Promise<boolean> {
  for (const endsAt = Date.now() + ms; Date.now() < endsAt; await sleep(200)) {
    if (await condition()) return true;
  }
  return false;
}
