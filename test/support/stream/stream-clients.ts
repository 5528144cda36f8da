import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EventSource } from "eventsource";
import { createParser } from "eventsource-parser";

/** Of each frame that a client was handed: its id, and the number its event was announced with (null on others' events). */
export type Received = [id: number, count: number | null][];

export interface StreamClient {
  readonly received: Received;
  stop(): Promise<void>;
}

const AGAIN_MS = 5;

const countOf = (data: string): number | null => JSON.parse(data).count ?? null;

/** npm `eventsource`, which reconnects by itself. */
export function listenByEventSource(url: string): StreamClient {
  const received: Received = [];
  const source = new EventSource(url);
  source.addEventListener("message", ({ lastEventId, data }) => received.push([Number(lastEventId), countOf(data)]));
  return { received, stop: async () => source.close() };
}

/** npm `eventsource-parser` over plain requests, which are made again from the last id whenever one ends. */
export function listenByParser(url: string): StreamClient {
  const received: Received = [];
  const stopping = new AbortController();
  const listen = async () => {
    const lastId = received.at(-1)?.[0];
    const headers = lastId === undefined ? {} : { "last-event-id": String(lastId) };
    const { body } = await fetch(url, { headers, signal: stopping.signal });
    const parser = createParser({ onEvent: ({ id, data }) => received.push([Number(id), countOf(data)]) });
    const decoder = new TextDecoder();
    for await (const chunk of body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
  };
  const again = async () => {
    while (!stopping.signal.aborted) {
      await listen().catch(() => undefined);
      await sleep(AGAIN_MS);
    }
  };
  const ended = again();
  return {
    received,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** Debian's, or the one that CHROMIUM names. */
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
export const isChromiumThere = existsSync(CHROMIUM);

/** Its network is this machine's: it is not to look for its maker's hosts. */
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Listens with the browser's own EventSource and posts what it has been handed once a second. */
export const CHROMIUM_PAGE = `<!doctype html><script>
const received = [];
const source = new EventSource("/stream/chromium");
source.onmessage = ({ lastEventId, data }) => received.push([Number(lastEventId), JSON.parse(data).count ?? null]);
let posted = -1;
setInterval(async () => {
  if (posted === received.length) return;
  posted = received.length;
  await fetch("/posted/chromium", { method: "POST", body: JSON.stringify(received) });
}, 1000);
</script>`;

/** Opens a page in Chromium. @returns what ends it */
export async function openInChromium(url: string): Promise<() => Promise<void>> {
  const profile = await mkdtemp(join(tmpdir(), "chromium-profile-"));
  const child = spawn(CHROMIUM, [...FLAGS, `--user-data-dir=${profile}`, url], { stdio: "ignore" });
  const exited = once(child, "exit");
  return async () => {
    child.kill();
    await exited;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
}
