import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore, type Store } from "../../scripts/operator/open-store.ts";
import { runCommand } from "../../scripts/operator/run-command.ts";
import { freePort } from "../../scripts/services/free-port.ts";
import { addReaders } from "../support/more-readers.ts";
import { askDatabase, productDatabaseUrl } from "../support/product-database.ts";
import { makeDataDir, removeDataDir, startProduct, type StartedProduct } from "../support/started-product.ts";
import { openRawStream, type RawStream } from "../support/stream/raw-stream.ts";
import { saveRecording, writeTrades } from "../support/written-recording.ts";

const KEYS = 200;
const CONNECTIONS_PER_KEY = 5;
/** Opened at a time. */
const AT_ONCE = 20;

let dir: string;
let product: StartedProduct;
let databaseUrl: string;
let store: Store;
let keys: string[];
/** Listens from the beginning to the end, to what never comes. */
let idle: RawStream;
let open: RawStream[] = [];

beforeAll(async () => {
  dir = await makeDataDir();
  await mkdir(join(dir, "recording"));
  await saveRecording(join(dir, "recording"), writeTrades(20, 2));
  const dataDir = join(dir, "product");
  product = await startProduct(dataDir, ["--source", "replay", join(dir, "recording"), "--port", String(await freePort())]);
  databaseUrl = productDatabaseUrl(dataDir);
  store = await openStore({}, dataDir);
  keys = await addReaders(databaseUrl, dataDir, KEYS);
  idle = await openRawStream(`${product.facts.base_url}/api/v1/stream?event=resync`, { authorization: `Bearer ${product.facts.api_key}` });
});

afterAll(async () => {
  for (const stream of [...open, idle]) stream?.abort();
  await store?.close();
  await product?.stop();
  await removeDataDir(dir);
});

const openWith = (place: number): Promise<RawStream> =>
  openRawStream(`${product.facts.base_url}/api/v1/stream`, {
    authorization: `Bearer ${keys[place]}`,
    "cf-connecting-ip": `10.2.0.${place}`,
  });

/** Runs it for each place, so many at a time. */
async function forEach<T>(count: number, run: (at: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const runNext = async () => {
    for (let at = next++; at < count; at = next++) results[at] = await run(at);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runNext));
  return results;
}

/** Of each connection the key it has. */
const allPlaces = Array.from({ length: KEYS * CONNECTIONS_PER_KEY }, (_, at) => at % KEYS);

function framesOf(stream: RawStream): EventSourceMessage[] {
  const frames: EventSourceMessage[] = [];
  createParser({ onEvent: (frame) => frames.push(frame) }).feed(stream.text());
  return frames;
}

test("1,000 clients that go away without a word are not counted any more 30 seconds later", async () => {
  open = await forEach(allPlaces.length, (at) => openWith(allPlaces[at] ?? 0));
  expect(open.filter(({ status }) => status !== 200)).toEqual([]);
  const refused = await openWith(0);
  expect(refused.status).toBe(429);
  for (const stream of open) stream.abort();
  const abortedMs = Date.now();
  // A key that is let in five times more had none of its five places taken.
  open = [];
  let lastRefusedMs = 0;
  for (let lacking = [...allPlaces]; lacking.length > 0 && Date.now() - abortedMs < 90_000; await sleep(1_000)) {
    const tried = await forEach(lacking.length, async (at) => {
      const askedMs = Date.now() - abortedMs;
      const stream = await openWith(lacking[at] ?? 0);
      if (stream.status !== 200) lastRefusedMs = Math.max(lastRefusedMs, askedMs);
      return { place: lacking[at] ?? 0, stream };
    });
    open.push(...tried.flatMap(({ stream }) => (stream.status === 200 ? [stream] : [])));
    lacking = tried.flatMap(({ place, stream }) => (stream.status === 200 ? [] : [place]));
  }
  console.log(`the last place was still taken ${(lastRefusedMs / 1_000).toFixed(1)} s after 1,000 clients had gone`);
  expect(lastRefusedMs).toBeLessThan(30_000);
  expect(open).toHaveLength(KEYS * CONNECTIONS_PER_KEY);
});

test("1,000 connections whose keys are revoked end within 40 seconds with a frame that says why, and not to come again", async () => {
  await askDatabase(
    databaseUrl,
    `insert into events (epoch, type, payload)
     select (select max(epoch) from outbox_epoch), 'large_trades_inserted', jsonb_build_object('count', 77) from generate_series(1, 100)`,
  );
  await expect
    .poll(() => open.filter((stream) => !stream.text().includes('"count":77')).length, { timeout: 30_000, interval: 500 })
    .toBe(0);
  const ids = await askDatabase(
    databaseUrl,
    `select k.id::int from api_keys k join accounts a on a.id = k.account_id where a.email like '%@reader.test' and k.revoked_at is null order by k.id desc limit ${KEYS}`,
  );
  for (const { id } of ids) await runCommand({ command: "revoke-key", rest: [id] }, store, new Date());
  const revokedMs = Date.now();
  await expect.poll(() => open.filter((stream) => stream.endedMs() === null).length, { timeout: 40_000, interval: 500 }).toBe(0);
  const lastedMs = Math.max(...open.map((stream) => stream.endedMs() ?? Number.POSITIVE_INFINITY)) - revokedMs;
  console.log(`1,000 connections had ended ${(lastedMs / 1_000).toFixed(1)} s after the last of their keys was revoked`);
  expect(lastedMs).toBeLessThan(40_000);
  for (const stream of open) {
    const frames = framesOf(stream);
    const last = frames.at(-1);
    expect(last?.event).toBe("error");
    expect(JSON.parse(last?.data ?? "{}")).toMatchObject({ type: "error", retry: false, error: { code: "invalid_api_key" } });
    // It names the place to go on from: nothing that was said to be covered is missing.
    expect(last?.id).toBe(frames.at(-2)?.id);
  }
  expect((await openWith(0)).status).toBe(401);
});

test("through all of that a connection that wants nothing of it got a comment every five seconds and not a byte more", async () => {
  await sleep(5_000);
  const [retry, ...comments] = idle.chunks;
  expect(idle.text()).toMatch(/^retry: [1-5]\d{3}\n\n(:\n\n)+$/);
  expect(retry?.text).toMatch(/^retry/);
  const gaps = comments.slice(1).map(({ atMs }, at) => atMs - (comments[at]?.atMs ?? 0));
  console.log(`gaps between comments: ${Math.min(...gaps)} to ${Math.max(...gaps)} ms`);
  expect(gaps.length).toBeGreaterThan(3);
  // Timers may be late on a busy machine, and then come again on their beat; whoever waits for three of them is not kept waiting.
  expect(Math.max(...gaps)).toBeLessThan(10_000);
  const spanMs = (comments.at(-1)?.atMs ?? 0) - (comments[0]?.atMs ?? 0);
  expect(Math.abs(spanMs / 5_000 - gaps.length)).toBeLessThan(2);
});
