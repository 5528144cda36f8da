import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { compatibilityDate } from "../../compatibility-date.ts";
import type { Bundle } from "../bundles.ts";
import { PRODUCT_OBJECTS } from "../product-objects.ts";

export interface IngestWorker {
  wakeFeed(): Promise<void>;
  stop(): Promise<void>;
}

/** The product on the simulators of queues, objects and buckets. */
export const productOptions = ({ script, texts, scripts }: Bundle, variables: Record<string, string>) =>
  convertV4MiniflareOptions({
    unsafeInspectorProxy: false,
    workers: [
      {
        name: "product",
        modules: [
          { type: "ESModule", path: "worker.js", contents: script },
          ...Object.entries(texts).map(([path, contents]) => ({ type: "Text" as const, path, contents })),
          ...Object.entries(scripts).map(([path, contents]) => ({ type: "ESModule" as const, path, contents })),
        ],
        compatibilityDate: compatibilityDate(),
        bindings: variables,
        durableObjects: Object.fromEntries(
          Object.entries(PRODUCT_OBJECTS).map(([binding, className]) => [binding, { className, useSQLite: true }]),
        ),
        queueProducers: {
          INGEST_QUEUE: "ingest",
          TRADERS_QUEUE: "traders",
          FIGURES_QUEUE: "figures",
          WEBHOOKS_QUEUE: "webhooks",
          EXPORTS_QUEUE: "exports",
        },
        queueConsumers: {
          ingest: { maxBatchSize: 10, maxBatchTimeout: 1, maxRetries: 8 },
          traders: { maxBatchSize: 40, maxBatchTimeout: 1, maxRetries: 8 },
          figures: { maxBatchSize: 10, maxBatchTimeout: 1, maxRetries: 8 },
          webhooks: { maxBatchSize: 100, maxBatchTimeout: 0, maxRetries: 8 },
          exports: { maxBatchSize: 1, maxBatchTimeout: 0, maxRetries: 8 },
        },
        r2Buckets: ["ARTIFACTS", "ARCHIVE"],
      },
    ],
  });

/**
 * Runs the product on the simulators, for work that is not started by HTTP.
 *
 * @param showLog whether the Worker's log is written to the console
 */
export async function startIngestWorker(
  product: Bundle,
  variables: Record<string, string>,
  showLog = true,
): Promise<IngestWorker> {
  const miniflare = new Miniflare({
    ...productOptions(product, variables),
    ...(showLog ? {} : { handleStructuredLogs: () => undefined }),
  });
  await miniflare.ready;
  return {
    async wakeFeed() {
      await (await miniflare.getWorker("product")).scheduled({ cron: "* * * * *" });
    },
    stop: () => miniflare.dispose(),
  };
}
