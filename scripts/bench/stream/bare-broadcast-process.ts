import { createServer, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { presentFrame } from "../../../src/stream/frame.ts";
import { EVENT } from "./stream-event.ts";

/*
 * The floor: each frame is built once and written to every open response. No stored sequence numbers, no
 * filters, no limits, no resume.
 */
const open = new Set<ServerResponse>();
let seq = 0;

const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.write("retry: 1000\n\n");
  open.add(response);
  response.once("close", () => open.delete(response));
});

/** `frames` frames, one every `everyMs` milliseconds; or `collect` for a garbage collection. */
export type BareCommand = { readonly frames: number; readonly everyMs: number } | "collect";

process.on("message", async (command: BareCommand) => {
  if (command === "collect") globalThis.gc?.();
  else await broadcast(command.frames, command.everyMs);
  process.send?.("done");
});

async function broadcast(frames: number, everyMs: number): Promise<void> {
  const startedAt = performance.now();
  for (let count = 0; count < frames; count++) {
    const waitMs = startedAt + count * everyMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const text = presentFrame(++seq, new Date().toISOString(), "LargeTradeInsertedV2", {
      event_id: `evt_1_${seq}`,
      ...EVENT,
    });
    for (const response of open) response.write(text);
    // Flushes the written frame before the next, as separate publishes would.
    if (waitMs <= 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

process.on("disconnect", () => process.exit(0));
server.listen(0, "127.0.0.1", 10_000, () => {
  const address = server.address();
  process.send?.(typeof address === "object" && address !== null ? address.port : 0);
});
