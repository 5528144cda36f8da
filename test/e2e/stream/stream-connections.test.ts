import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore, type Store } from "../../../scripts/operator/open-store.ts";
import { runOperatorCommand } from "../../../scripts/operator/run-command.ts";
import { freePort } from "../../../scripts/services/free-port.ts";
import { addReaders } from "../../support/product/more-readers.ts";
import { queryDatabase, productDatabaseUrl } from "../../support/product/product-database.ts";
import {
  makeDataDir,
  removeDataDir,
  startProduct,
  type StartedProduct,
} from "../../support/product/started-product.ts";
import { openRawStream, type RawStream } from "../../support/stream/raw-stream.ts";
import { saveRecording, generateTrades } from "../../support/product/generated-recording.ts";

const KEYS = 200;
const CONNECTIONS_PER_KEY = 5;
/** Connections opened at a time. */
const AT_ONCE = 20;

let dir: string;
let product: StartedProduct;
let databaseUrl: string;
let store: Store;
let keys: string[];
/** Stays open from beginning to end, subscribed to an event type that is never published. */
let idle: RawStream;
let open: RawStream[] = [];

beforeAll(async () => {
  dir = await makeDataDir();
  await mkdir(join(dir, "recording"));
  await saveRecording(join(dir, "recording"), generateTrades(20, 2));
  const dataDir = join(dir, "product");
  product = await startProduct(dataDir, [
    "--source",
    "replay",
    join(dir, "recording"),
    "--port",
    String(await freePort()),
  ]);
  databaseUrl = productDatabaseUrl(dataDir);
  store = await openStore({}, dataDir);
  keys = await addReaders(databaseUrl, dataDir, KEYS);
  idle = await openRawStream(`${product.facts.base_url}/api/v1/stream?event=resync`, {
    authorization: `Bearer ${product.facts.api_key}`,
  });
});

afterAll(async () => {
  for (const stream of [...open, idle]) stream?.abort();
  await store?.close();
  await product?.stop();
  await removeDataDir(dir);
});

const openWith = (keyIndex: number): Promise<RawStream> =>
  openRawStream(`${product.facts.base_url}/api/v1/stream`, {
    authorization: `Bearer ${keys[keyIndex]}`,
    "cf-connecting-ip": `10.2.0.${keyIndex}`,
  });

/** Runs it for each index, AT_ONCE at a time. */
async function forEach<T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const runNext = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await run(index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runNext));
  return results;
}

/** The index of each connection's key. */
const keyIndexes = Array.from({ length: KEYS * CONNECTIONS_PER_KEY }, (_, index) => index % KEYS);

function framesOf(stream: RawStream): EventSourceMessage[] {
  const frames: EventSourceMessage[] = [];
  createParser({ onEvent: (frame) => frames.push(frame) }).feed(stream.text());
  return frames;
}

test("1,000 connections that clients abandon stop being counted", async () => {
  open = await forEach(keyIndexes.length, (index) => openWith(keyIndexes[index] ?? 0));
  expect(open.filter(({ status }) => status !== 200)).toEqual([]);
  const refused = await openWith(0);
  expect(refused.status).toBe(429);
  for (const stream of open) stream.abort();
  const abortedMs = Date.now();
  // A key that can open five more connections had none of its five counted any more.
  open = [];
  let lastRefusedMs = 0;
  for (let missing = [...keyIndexes]; missing.length > 0 && Date.now() - abortedMs < 200_000; await sleep(1_000)) {
    const tried = await forEach(missing.length, async (index) => {
      const requestedMs = Date.now() - abortedMs;
      const stream = await openWith(missing[index] ?? 0);
      if (stream.status !== 200) lastRefusedMs = Math.max(lastRefusedMs, requestedMs);
      return { keyIndex: missing[index] ?? 0, stream };
    });
    open.push(...tried.flatMap(({ stream }) => (stream.status === 200 ? [stream] : [])));
    missing = tried.flatMap(({ keyIndex, stream }) => (stream.status === 200 ? [] : [keyIndex]));
  }
  console.log(
    `the last connection was still counted ${(lastRefusedMs / 1_000).toFixed(1)} s after 1,000 clients had disconnected`,
  );
  expect(open).toHaveLength(KEYS * CONNECTIONS_PER_KEY);
});

test("1,000 connections with revoked keys end with an error frame that forbids a retry", async () => {
  await queryDatabase(
    databaseUrl,
    `insert into events (epoch, type, payload)
     select (select max(epoch) from outbox_epoch), 'large_trades_inserted', jsonb_build_object('count', 77) from generate_series(1, 100)`,
  );
  await expect
    .poll(() => open.filter((stream) => !stream.text().includes('"count":77')).length, {
      timeout: 140_000,
      interval: 500,
    })
    .toBe(0);
  const ids = await queryDatabase(
    databaseUrl,
    `select k.id::int from api_keys k join accounts a on a.id = k.account_id where a.email like '%@reader.test' and k.revoked_at is null order by k.id desc limit ${KEYS}`,
  );
  for (const { id } of ids) await runOperatorCommand({ command: "revoke-key", rest: [id] }, store, new Date());
  const revokedMs = Date.now();
  await expect
    .poll(() => open.filter((stream) => stream.endedMs() === null).length, { timeout: 140_000, interval: 500 })
    .toBe(0);
  const lastedMs = Math.max(...open.map((stream) => stream.endedMs() ?? Number.POSITIVE_INFINITY)) - revokedMs;
  console.log(`1,000 connections ended within ${(lastedMs / 1_000).toFixed(1)} s of the last revocation of a key`);
  for (const stream of open) {
    const frames = framesOf(stream);
    const last = frames.at(-1);
    expect(last?.event).toBe("error");
    expect(JSON.parse(last?.data ?? "{}")).toMatchObject({
      type: "error",
      retry: false,
      error: { code: "invalid_api_key" },
    });
    // Its id is the last event's id: no announced event is missing.
    expect(last?.id).toBe(frames.at(-2)?.id);
  }
  expect((await openWith(0)).status).toBe(401);
});

test("an idle connection beside 1,000 busy ones gets a comment every five seconds and no other byte", async () => {
  await sleep(5_000);
  const [retry, ...comments] = idle.chunks;
  expect(idle.text()).toMatch(/^retry: [1-5]\d{3}\n\n(:\n\n)+$/);
  expect(retry?.text).toMatch(/^retry/);
  const gaps = comments.slice(1).map(({ atMs }, index) => atMs - (comments[index]?.atMs ?? 0));
  console.log(`gaps between comments: ${Math.min(...gaps)} to ${Math.max(...gaps)} ms`);
  expect(gaps.length).toBeGreaterThan(3);
  // A timer that is late on a busy machine returns to its interval; none fires twice in one interval.
  const spanMs = (comments.at(-1)?.atMs ?? 0) - (comments[0]?.atMs ?? 0);
  expect(gaps.length).toBeLessThan(spanMs / 5_000 + 2);
});
