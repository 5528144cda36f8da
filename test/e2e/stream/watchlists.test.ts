import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../../scripts/services/free-port.ts";
import { createClient, type Client } from "../../../src/client/index.ts";
import { generateTrades, saveRecording } from "../../support/product/generated-recording.ts";
import { addReaders } from "../../support/product/more-readers.ts";
import { productDatabaseUrl } from "../../support/product/product-database.ts";
import {
  makeDataDir,
  removeDataDir,
  startProduct,
  type StartedProduct,
} from "../../support/product/started-product.ts";

/** Addresses that no trade of the product itself has. */
const wallet = (n: number) => `0x${(0xfeed_0000 + n).toString(16).padStart(40, "f")}`;
const WALLETS = Array.from({ length: 6 }, (_, n) => wallet(n));
/** Of each owner: the list at first, and the one that replaces it. */
const LISTS = [
  [
    [0, 1, 2],
    [4, 5],
  ],
  [
    [2, 3],
    [2, 0],
  ],
] as const;
const UNTIL_MS = 60_000;

let dir: string;
let product: StartedProduct;
let database: pg.Client;
let receiver: Server;
let clients: Client[];
/** Numbers of the trades that each path of the receiver got. */
const delivered = new Map<string, number[]>();

beforeAll(async () => {
  dir = await makeDataDir();
  await mkdir(join(dir, "recording"));
  await saveRecording(join(dir, "recording"), generateTrades(5, 2));
  const source = ["--source", "replay", join(dir, "recording"), "--port", String(await freePort())];
  product = await startProduct(join(dir, "product"), source);
  const databaseUrl = productDatabaseUrl(join(dir, "product"));
  database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const facts = { plan: "pro", scopes: ["read", "webhooks"] };
  const keys = await addReaders(databaseUrl, join(dir, "product"), LISTS.length, facts);
  clients = keys.map((apiKey) => createClient({ baseUrl: product.facts.base_url, apiKey }));
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      const trades = delivered.get(request.url ?? "") ?? [];
      delivered.set(request.url ?? "", [...trades, JSON.parse(body).data.whale_alert_id]);
      response.end();
    });
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
});

afterAll(async () => {
  receiver?.close();
  await database?.end();
  await product?.stop();
  await removeDataDir(dir);
});

const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

/** Records a large trade of each wallet, numbered from `first`. */
const trade = (first: number) =>
  database.query(
    `insert into events (epoch, type, payload)
     select (select max(epoch) from outbox_epoch), 'large_trade_inserted_v2', jsonb_build_object(
       'whale_alert_id', $2::int + n - 1, 'condition_id', '0x' || repeat('c', 64), 'trader_id', 1, 'wallet', wallet,
       'grade', null, 'size_usd', '25000', 'shares', '50000', 'price', '0.5', 'side', 'BUY', 'outcome_index', 0,
       'traded_at', '2026-11-20T12:00:00.000Z', 'platform', 'polymarket')
     from unnest($1::text[]) with ordinality as t(wallet, n)`,
    [WALLETS, first],
  );

const portOf = (server: Server): number => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the receiver has no port");
  return address.port;
};

/** An owner with a list, an open stream and an endpoint that filter by it. */
async function openOwner(client: Client, index: number, members: readonly number[]) {
  const body = { name: `owner ${index}`, wallets: members.map((n) => WALLETS[n] ?? "") };
  const { id } = (await client.createWatchlist({ body })).data;
  const path = `/owner-${index}`;
  const endpoint = (
    await client.createWebhook({
      body: {
        name: "watching",
        url: `http://127.0.0.1:${portOf(receiver)}${path}`,
        event_types: ["large_trade_inserted_v2"],
        trade_filters: { watchlist: id },
      },
    })
  ).data;
  const verification_token = endpoint.verification?.token ?? "";
  await client.verifyWebhook({ id: endpoint.id, body: { verification_token } });
  const streamed: number[] = [];
  const ended = new AbortController();
  const events = client.getStream({ watchlist: id }, { signal: ended.signal });
  const reading = (async () => {
    for await (const event of events) if (event.kind === "frame") streamed.push(Number(event.data["whale_alert_id"]));
  })().catch((error: unknown) => {
    if (!ended.signal.aborted) throw error;
  });
  return { id, path, streamed, stop: () => (ended.abort(), reading) };
}

test(
  "two lists of two accounts: each trade reaches exactly the streams and receivers of the lists that have its wallet",
  async () => {
    const owners = await Promise.all(clients.map((client, index) => openOwner(client, index, LISTS[index]?.[0] ?? [])));
    const received = () => owners.map(({ streamed, path }) => [streamed, delivered.get(path) ?? []]);
    const numbersOf = (first: number, members: readonly number[]) => ascending(members).map((n) => first + n);
    // A stream counts as open once it has a frame, so a first trade is repeated until both have one.
    let first = 1_000;
    while (owners.some(({ streamed }) => streamed.length === 0)) {
      await trade((first += 100));
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    const after = first + 100;
    const fresh = () => received().map((both) => both.map((trades) => ascending(trades.filter((n) => n >= after))));

    await trade(after);
    const before = LISTS.map(([members]) => [numbersOf(after, members), numbersOf(after, members)]);
    await expect.poll(fresh, { timeout: UNTIL_MS }).toEqual(before);

    for (const [index, client] of clients.entries()) {
      const wallets = (LISTS[index]?.[1] ?? []).map((n) => WALLETS[n] ?? "");
      const replaced = await client.replaceWatchlist({
        watchlist_id: owners[index]?.id ?? "",
        body: { name: "replaced", wallets },
      });
      expect(replaced.data.wallet_count).toBe(wallets.length);
    }
    await trade(after + 100);
    const both = LISTS.map(([old, next]) => {
      const trades = [...numbersOf(after, old), ...numbersOf(after + 100, next)];
      return [trades, trades];
    });
    await expect.poll(fresh, { timeout: UNTIL_MS }).toEqual(both);
    await Promise.all(owners.map(({ stop }) => stop()));
  },
  4 * UNTIL_MS,
);
