import pg from "pg";
import { generateSigningSecret } from "../../../src/webhooks/rules/generate-secret.ts";
import { sealEndpointSecret } from "../../../src/lib/crypto/endpoint-secrets.ts";

export interface StoredEndpoint {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

const random = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);
const WALLET = "0x0000000000000000000000000000000000000001";

/** Writes and reads the rows of the webhook benchmarks and fault runs in the product's database. */
export class WebhookDatabase {
  readonly #pool: pg.Pool;
  readonly #credentialSecret: string;

  constructor(databaseUrl: string, credentialSecret: string) {
    this.#pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
    // The pool replaces a session that ends while idle; without a listener the error would end the process.
    this.#pool.on("error", () => undefined);
    this.#credentialSecret = credentialSecret;
  }

  /** Creates active endpoints of one account, subscribed to trader_synced. */
  async createEndpoints(urls: readonly string[]): Promise<StoredEndpoint[]> {
    const account = await this.#rows(
      "insert into accounts (email, plan) values ('hooks-' || gen_random_uuid() || '@localhost', 'pro') returning id",
    );
    const accountId = Number(account[0]?.["id"]);
    const endpoints = [];
    for (const url of urls) {
      const secret = generateSigningSecret(random);
      const sealed = await sealEndpointSecret(
        "signing secret",
        secret,
        { accountId, credentialKeys: { current: this.#credentialSecret, previous: [] } },
        random,
      );
      const rows = await this.#rows(
        `insert into webhook_endpoints (account_id, name, url, url_key, event_types, trade_filters, status, verified_at,
           verification_token_sealed, verification_expires_at, secret_sealed)
         values ($1, 'hook', $2, $2, array['trader_synced'], '{}', 'active', now(), '', now(), $3) returning id`,
        [accountId, url, sealed],
      );
      endpoints.push({ id: String(rows[0]?.["id"]), url, secret });
    }
    return endpoints;
  }

  async deleteEndpoints(): Promise<void> {
    await this.#rows("update webhook_endpoints set deleted_at = now() where deleted_at is null");
  }

  /** Creates due deliveries to each endpoint. @returns the body and id of each event */
  async createDeliveries(
    endpoints: readonly StoredEndpoint[],
    count: number,
    bytes: number,
  ): Promise<{ id: string; body: string }[]> {
    const events = Array.from({ length: count }, (_, index) => {
      const id = `evt_1_${index + 1_000_000}`;
      const data = { trader_id: index, wallet: WALLET, filler: "x".repeat(bytes) };
      return { id, body: JSON.stringify({ id, type: "trader_synced", created_at: "2026-11-20T12:00:00.000Z", data }) };
    });
    await this.#rows(
      `insert into webhook_deliveries (endpoint_id, event_id, event_type, body, next_attempt_at)
       select e, x.id, 'trader_synced', x.body, now() from unnest($1::bigint[]) e, unnest($2::text[], $3::text[]) x(id, body)`,
      [endpoints.map(({ id }) => id), events.map(({ id }) => id), events.map(({ body }) => body)],
    );
    return events;
  }

  /** Commits events in one transaction. @returns their public ids */
  async publish(count: number): Promise<string[]> {
    const rows = await this.#rows(
      `insert into events (epoch, type, payload)
       select (select max(epoch) from outbox_epoch), 'trader_synced',
         jsonb_build_object('trader_id', n, 'wallet', $2::text) from generate_series(1, $1::int) n
       returning 'evt_' || epoch || '_' || id as id`,
      [count, WALLET],
    );
    return rows.map(({ id }) => String(id));
  }

  /** The number of deliveries by status. */
  async countDeliveries(): Promise<Readonly<Record<string, number>>> {
    const rows = await this.#rows("select status, count(*)::int as count from webhook_deliveries group by status");
    return Object.fromEntries(rows.map(({ status, count }) => [String(status), Number(count)]));
  }

  /** Runs any statement. */
  async query(text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
    return this.#rows(text, values);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #rows(text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
    const result = await this.#pool.query<Record<string, unknown>>(text, [...values]);
    return result.rows;
  }
}
