import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from "miniflare";

const COMPATIBILITY_DATE = "2026-08-15";

export interface RunningWorkers {
  /** Where workerd itself listens, no proxy between. */
  readonly product: URL;
  readonly floor: URL;
  wakeFeed(): Promise<void>;
  stop(): Promise<void>;
}

/** Runs the deployable bundle and the bare route on one workerd, with the real Durable Object and queue. */
export async function runBuiltWorkers(variables: Record<string, string>): Promise<RunningWorkers> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({ unsafeInspectorProxy: false, workers: [productOptions(variables), await floorOptions()] }),
  );
  await miniflare.ready;
  const [product, floor] = await Promise.all([miniflare.unsafeGetDirectURL("product"), miniflare.unsafeGetDirectURL("floor")]);
  return {
    product,
    floor,
    async wakeFeed() {
      await (await miniflare.getWorker("product")).scheduled({ cron: "* * * * *" });
    },
    stop: () => miniflare.dispose(),
  };
}

/** Bundled as `wrangler deploy` bundles it. */
function productOptions(variables: Record<string, string>): V4WorkerOptions {
  const outDir = mkdtempSync(join(tmpdir(), "bench-bundle-"));
  try {
    execFileSync(process.execPath, ["node_modules/wrangler/bin/wrangler.js", "deploy", "--dry-run", "--minify", "--outdir", outDir], {
      stdio: "ignore",
      env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
    });
    const texts = readdirSync(outDir).filter((name) => name.endsWith(".txt"));
    return {
      name: "product",
      modules: [
        { type: "ESModule", path: "worker.js", contents: readFileSync(join(outDir, "worker.js"), "utf8") },
        ...texts.map((name) => ({ type: "Text" as const, path: name, contents: readFileSync(join(outDir, name), "utf8") })),
      ],
      compatibilityDate: COMPATIBILITY_DATE,
      bindings: variables,
      durableObjects: { PROVIDER_FEED: { className: "ProviderFeed", useSQLite: true } },
      queueProducers: { INGEST_QUEUE: "ingest" },
      queueConsumers: { ingest: { maxBatchSize: 10, maxBatchTimeout: 1, maxRetries: 8 } },
      r2Buckets: ["ARTIFACTS"],
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    };
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

async function floorOptions(): Promise<V4WorkerOptions> {
  const { outputFiles } = await build({
    entryPoints: ["scripts/bench/bare-worker.ts"],
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  return {
    name: "floor",
    modules: [{ type: "ESModule", path: "floor.js", contents: outputFiles[0]?.text ?? "" }],
    compatibilityDate: COMPATIBILITY_DATE,
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  };
}
