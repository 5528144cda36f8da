import { setTimeout as sleep } from "node:timers/promises";
import { bundleScript } from "../bundles.ts";
import { writeModules } from "../reads/read-workers.ts";
import { serveWorkerd } from "../serve-workerd.ts";
import type { StreamSource } from "./measure-fanout.ts";

const OBJECTS = { PUBLISHER: "BarePublisher", ROOM: "BareRoom" } as const;

/** A workerd with the same objects, sockets and responses as the product's stream, and no product code. */
export async function startBareWorkerd(): Promise<StreamSource & { stop(): Promise<void> }> {
  const bundle = await bundleScript("scripts/bench/stream/bare-stream-worker.ts");
  const { port, pid, request, stop } = await serveWorkerd({
    writeModules: (directory) => writeModules(directory, "bare", bundle),
    bindings: Object.entries(OBJECTS).map(
      ([binding, className]) => `(name = "${binding}", durableObjectNamespace = "${className}")`,
    ),
    namespaces: Object.values(OBJECTS).map(
      (className) => `(className = "${className}", uniqueKey = "${className}", enableSql = true)`,
    ),
    path: "/",
  });
  return {
    name: "bare workerd",
    port,
    pid,
    async publish(frames, everyMs) {
      const startedAt = performance.now();
      const batch = everyMs === 0 ? frames : 1;
      for (let count = 0; count < frames; count += batch) {
        const waitMs = startedAt + count * everyMs - performance.now();
        if (waitMs > 0) await sleep(waitMs);
        // Publishing does not wait for the fan-out.
        request(`/publish?frames=${batch}`).catch((error: unknown) => console.error(error));
      }
      return [];
    },
    collectGarbage: () => request("/collect"),
    stop,
  };
}
