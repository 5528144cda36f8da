import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EventSource } from "eventsource";
import type { EventSourceMessage } from "eventsource-parser";
import { followStream } from "../../../scripts/faults/restore/stream-log.ts";

/** Id and count of each received frame; the count is null for events of other types. */
export type ReceivedCounts = [id: number, count: number | null][];

export interface StreamClient {
  readonly received: ReceivedCounts;
  stop(): Promise<void>;
}

const RECONNECT_MS = 5;

const countOf = (data: string): number | null => JSON.parse(data).count ?? null;

/** npm `eventsource`, which reconnects automatically. */
export function listenByEventSource(url: string): StreamClient {
  const received: ReceivedCounts = [];
  const source = new EventSource(url);
  source.addEventListener("message", ({ lastEventId, data }) => received.push([Number(lastEventId), countOf(data)]));
  return { received, stop: async () => source.close() };
}

/** npm `eventsource-parser`, which leaves reconnecting to its user. */
export function listenByParser(url: string): StreamClient {
  const received: ReceivedCounts = [];
  const onEvent = ({ id, data }: EventSourceMessage) => void received.push([Number(id), countOf(data)]);
  return { received, stop: followStream(url, { reconnectMs: RECONNECT_MS, onEvent }) };
}

/** Debian's Chromium, or the one in CHROMIUM. */
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
export const isChromiumInstalled = existsSync(CHROMIUM);

/** Its network is this machine's: it must not contact its vendor's hosts. */
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

/** Opens the browser's own EventSource and posts all received frames once a second. */
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

/** Opens a page in Chromium. @returns a function that closes it */
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
