import { setTimeout as sleep } from "node:timers/promises";
import { bundleScript } from "../bundles.ts";
import { writeModules } from "../read-workers.ts";
import { serveWorkerd } from "../serve-workerd.ts";
import type { StreamSource } from "./measure-fanout.ts";

const OBJECTS = { PUBLISHER: "BarePublisher", ROOM: "BareRoom" } as const;

/** The same objects, sockets and answers as the product's stream, on a workerd of their own, with nothing in them. */
export async function startBareWorkerd(): Promise<StreamSource & { stop(): Promise<void> }> {
  const bundle = await bundleScript("scripts/bench/stream/bare-stream-worker.ts");
  const { port, pid, ask, stop } = await serveWorkerd({
    writeModules: (directory) => writeModules(directory, "bare", bundle),
    bindings: Object.entries(OBJECTS).map(([binding, className]) => `(name = "${binding}", durableObjectNamespace = "${className}")`),
    namespaces: Object.values(OBJECTS).map((className) => `(className = "${className}", uniqueKey = "${className}", enableSql = true)`),
    path: "/",
  });
  return {
    name: "bare workerd",
    port,
    pid,
    async publish(frames, everyMs) {
      const startedAt = performance.now();
      const batch = everyMs === 0 ? frames : 1;
      for (let made = 0; made < frames; made += batch) {
        const waitMs = startedAt + made * everyMs - performance.now();
        if (waitMs > 0) await sleep(waitMs);
        // Whoever publishes does not wait for it.
        ask(`/publish?frames=${batch}`).catch((error: unknown) => console.error(error));
      }
      return [];
    },
    collectGarbage: () => ask("/collect"),
    stop,
  };
}
