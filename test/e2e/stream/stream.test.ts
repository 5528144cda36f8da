import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { freePort } from "../../../scripts/services/free-port.ts";
import { addReaders } from "../../support/product/more-readers.ts";
import { productDatabaseUrl } from "../../support/product/product-database.ts";
import {
  makeDataDir,
  removeDataDir,
  startProduct,
  type StartedProduct,
} from "../../support/product/started-product.ts";
import { startCuttingProxy, type CuttingProxy } from "../../support/stream/cutting-proxy.ts";
import {
  CHROMIUM_PAGE,
  isChromiumInstalled,
  listenByEventSource,
  listenByParser,
  openInChromium,
  type ReceivedCounts,
} from "../../support/stream/stream-clients.ts";
import { saveRecording, generateTrades } from "../../support/product/generated-recording.ts";

const FRAMES = 10_000;
/** How often each client's connection is cut. STREAM_CUTS=500 takes minutes. */
const CUTS = Number(process.env["STREAM_CUTS"] ?? 40);
const SEED = inject("seed");
/** Events that the product publishes by itself have lower counts. */
const FIRST = 1_000_001;
const LAST = FIRST + FRAMES - 1;
/** Approximate size of one frame. */
const FRAME_BYTES = 140;
const BATCH = 50;
/**
 * About three fifths of the frames are sent while cuts remain, so that every cut is used however the cuts
 * fall.
 */
const MEAN_BYTES = Math.floor((0.6 * FRAMES * FRAME_BYTES) / CUTS);
/** Time within which a duplicate frame would arrive. */
const GRACE_MS = 2_000;
const UNTIL_MS = 60_000 + CUTS * 2_000;

let dir: string;
let product: StartedProduct;
let database: pg.Client;
let proxy: CuttingProxy;

beforeAll(async () => {
  dir = await makeDataDir();
  await mkdir(join(dir, "recording"));
  await saveRecording(join(dir, "recording"), generateTrades(20, 2));
  product = await startProduct(join(dir, "product"), [
    "--source",
    "replay",
    join(dir, "recording"),
    "--port",
    String(await freePort()),
  ]);
  const databaseUrl = productDatabaseUrl(join(dir, "product"));
  database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const keys = await addReaders(databaseUrl, join(dir, "product"), 40);
  proxy = await startCuttingProxy({
    productUrl: product.facts.base_url,
    keys,
    seed: SEED,
    cuts: CUTS,
    meanBytes: MEAN_BYTES,
    page: CHROMIUM_PAGE,
  });
});

afterAll(async () => {
  proxy?.stop();
  await database?.end();
  await product?.stop();
  await removeDataDir(dir);
});

/** Commits events in batches, spread over the duration of the cuts. */
async function publishEvents(): Promise<void> {
  for (let from = FIRST; from <= LAST; from += BATCH) {
    await database.query(
      `insert into events (epoch, type, payload)
       select (select max(epoch) from outbox_epoch), 'large_trades_inserted', jsonb_build_object('count', n) from generate_series($1::int, $2::int) n`,
      [from, from + BATCH - 1],
    );
    await sleep(Math.max(50, (CUTS * 300) / (FRAMES / BATCH)));
  }
}

const ofTest = (received: ReceivedCounts): ReceivedCounts =>
  received.filter(([, count]) => count !== null && count >= FIRST);

const upTo = (from: number, count: number): number[] => Array.from({ length: count }, (_, index) => from + index);

test(
  `clients that are cut off ${CUTS} times among ${FRAMES} frames receive every frame once, in the same order`,
  async () => {
    const [byEventSource, byParser] = [
      listenByEventSource(`${proxy.origin}/stream/eventsource`),
      listenByParser(`${proxy.origin}/stream/parser`),
    ];
    const closeChromium = isChromiumInstalled ? await openInChromium(`${proxy.origin}/page`) : null;
    const inChromium = (): ReceivedCounts => JSON.parse(proxy.posted.get("chromium") ?? "[]");
    const clients: Record<string, () => ReceivedCounts> = {
      eventsource: () => byEventSource.received,
      parser: () => byParser.received,
    };
    if (closeChromium !== null) clients["chromium"] = inChromium;

    // A client without a frame has no id to resume from, so every client must have a frame before the first
    // that counts.
    const hasBegun = (received: ReceivedCounts) => received.length > 0;
    while (!Object.values(clients).every((read) => hasBegun(read()))) {
      await database.query(
        `insert into events (epoch, type, payload) select max(epoch), 'large_trades_inserted', '{"count": 1}' from outbox_epoch`,
      );
      await sleep(500);
    }
    await publishEvents();
    const hasLast = (received: ReceivedCounts) => received.some(([, count]) => count === LAST);
    await expect
      .poll(
        () =>
          Object.entries(clients)
            .filter(([, read]) => !hasLast(read()))
            .map(([name]) => name),
        { timeout: UNTIL_MS, interval: 500 },
      )
      .toEqual([]);
    await sleep(GRACE_MS);
    const all = Object.entries(clients).map(([name, read]) => ({ name, received: read(), cuts: proxy.cutsOf(name) }));
    await Promise.all([byEventSource.stop(), byParser.stop(), closeChromium?.()]);

    for (const { name, received, cuts } of all) {
      const seqs = received.map(([id]) => id);
      expect({ name, seqs }).toEqual({ name, seqs: upTo(seqs[0] ?? 0, seqs.length) });
      const counts = ofTest(received).map(([, count]) => count);
      expect({ name, counts }).toEqual({ name, counts: upTo(FIRST, FRAMES) });
      expect({ name, cuts }).toEqual({ name, cuts: CUTS });
    }
    for (const { received } of all) expect(ofTest(received)).toEqual(ofTest(all[0]?.received ?? []));
    expect(proxy.refusals).toEqual([]);
  },
  UNTIL_MS + 60_000 + CUTS * 300,
);
