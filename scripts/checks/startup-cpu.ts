import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import WebSocket from "ws";
import { compatibilityDate } from "../compatibility-date.ts";

interface Profile {
  readonly nodes: readonly { id: number; callFrame: { functionName: string } }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/**
 * A module that only imports the bundle on its first request, so that a profiler started before sees the
 * whole start-up.
 */
const LOADER = `let loaded;
export default {
  async fetch() {
    loaded ??= await import("./worker.js");
    return new Response(Object.keys(loaded).join());
  },
};`;

/**
 * CPU time of evaluating the bundle on workerd, by its own profiler: compilation, module scope, garbage
 * collection.
 *
 * @returns milliseconds
 */
export async function measureStartup(bundleDir: string): Promise<number> {
  const names = readdirSync(bundleDir, { recursive: true, encoding: "utf8" });
  const modules = (type: "Text" | "ESModule", ending: string) =>
    names
      .filter((name) => name.endsWith(ending))
      .map((name) => ({ type, path: name, contents: readFileSync(join(bundleDir, name), "utf8") }));
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      inspectorPort: 0,
      unsafeInspectorProxy: false,
      workers: [
        {
          name: "startup",
          modules: [
            { type: "ESModule", path: "loader.js", contents: LOADER },
            { type: "ESModule", path: "worker.js", contents: readFileSync(join(bundleDir, "worker.js"), "utf8") },
            ...modules("Text", ".txt"),
            ...modules("ESModule", ".mjs"),
          ],
          compatibilityDate: compatibilityDate(),
        },
      ],
    }),
  );
  try {
    await miniflare.ready;
    const profiler = await connectProfiler(await findInspected(await miniflare.getInspectorURL()));
    await profiler.send("Profiler.enable");
    await profiler.send("Profiler.setSamplingInterval", { interval: 500 });
    await profiler.send("Profiler.start");
    const response = await miniflare.dispatchFetch("http://localhost/");
    if (!(await response.text()).includes("FeedReader")) throw new Error("the bundle did not load");
    const { profile } = (await profiler.send("Profiler.stop")) as { profile: Profile };
    profiler.close();
    return busyMs(profile);
  } finally {
    await miniflare.dispose();
  }
}

function busyMs({ nodes, samples, timeDeltas }: Profile): number {
  const idle = new Set(
    nodes.filter((node) => ["(idle)", "(root)"].includes(node.callFrame.functionName)).map((node) => node.id),
  );
  return samples.reduce((sum, sample, index) => sum + (idle.has(sample) ? 0 : (timeDeltas[index] ?? 0)), 0) / 1000;
}

/** The debugger URL of the one Worker that does not belong to the simulator. */
async function findInspected(inspector: URL): Promise<string> {
  const response = await fetch(new URL("/json", inspector.href.replace("ws:", "http:")));
  const targets = (await response.json()) as { id: string; webSocketDebuggerUrl: string }[];
  const target = targets.find(({ id }) => id.endsWith(":startup"));
  if (target === undefined) throw new Error(`the inspector lists ${targets.map(({ id }) => id).join(", ")}`);
  return target.webSocketDebuggerUrl;
}

async function connectProfiler(url: string) {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const waiting = new Map<number, (result: unknown) => void>();
  socket.on("message", (data) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  let last = 0;
  return {
    send(method: string, params: Record<string, unknown> = {}): Promise<unknown> {
      const id = ++last;
      socket.send(JSON.stringify({ id, method, params }));
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    close: () => socket.close(),
  };
}
