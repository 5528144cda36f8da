import { createServer, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { presentFrame } from "../../../src/domain/stream/frame.ts";
import { EVENT } from "./stream-event.ts";

/*
 * The floor: the same frames, each made once and written to everybody who has asked. No numbers that are kept, no filters, no limits, nothing that
 * can be resumed.
 */
const open = new Set<ServerResponse>();
let seq = 0;

const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.write("retry: 1000\n\n");
  open.add(response);
  response.once("close", () => open.delete(response));
});

/** So many frames, one every so many milliseconds; or to throw away what nothing needs any more. */
export type BareCommand = { readonly frames: number; readonly everyMs: number } | "collect";

process.on("message", async (command: BareCommand) => {
  if (command === "collect") globalThis.gc?.();
  else await broadcast(command.frames, command.everyMs);
  process.send?.("done");
});

async function broadcast(frames: number, everyMs: number): Promise<void> {
  const startedAt = performance.now();
  for (let made = 0; made < frames; made++) {
    const waitMs = startedAt + made * everyMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const text = presentFrame(++seq, new Date().toISOString(), "LargeTradeInsertedV2", { event_id: `evt_1_${seq}`, ...EVENT });
    for (const response of open) response.write(text);
    // So that what has been written goes out before the next, as it would were they published by anybody.
    if (waitMs <= 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

process.on("disconnect", () => process.exit(0));
server.listen(0, "127.0.0.1", 10_000, () => {
  const address = server.address();
  process.send?.(typeof address === "object" && address !== null ? address.port : 0);
});
