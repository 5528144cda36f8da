import type { Config } from "../config.ts";
import { ingestQueuesOf, type Env, type IngestQueues } from "../env.ts";
import { ScoreFrames } from "../ingest/games/score-frames.ts";
import { RowIdCache } from "../ingest/feeds/row-id-cache.ts";
import { PagePrefetcher } from "../ingest/feeds/page-prefetcher.ts";
import { RecentFills } from "../ingest/feeds/recent-fills.ts";
import { systemClock } from "../lib/timing/clock.ts";
import { chunk } from "../lib/chunk.ts";
import { queueOf, type IngestMessage } from "../messages/ingest-message.ts";
import { R2ArtifactStore } from "../platform/artifacts/r2-artifact-store.ts";
import { openChain } from "../providers/polygon/open-chain.ts";
import { openProvider } from "../providers/polymarket/open-provider.ts";
import type { JobContext } from "./define-job.ts";

/** A Worker has six connections at once. A run of a job must end within seconds, so a later run tries again. */
const CHAIN_CALLS = { attempts: 2, timeoutMs: 5_000, concurrency: 6, blocksPerCall: 30 };

/** The most messages that a queue accepts in one call. */
const BATCH = 100;

/** The context of the jobs of one lane, without its database session. */
export const openJobContext = (
  config: Config,
  env: IngestQueues & Pick<Env, "EXPORTS_QUEUE" | "ARTIFACTS" | "ARCHIVE">,
  scheduleWithin: JobContext["scheduleWithin"],
): Omit<JobContext, "pool"> => ({
  provider: openProvider(config.provider),
  rowIds: new RowIdCache(),
  recentFills: new RecentFills(),
  prefetcher: new PagePrefetcher(),
  scoreFrames: new ScoreFrames(),
  largeTradeMinUsd: config.largeTradeMinUsd,
  backfillDays: config.backfillDays,
  archive:
    config.archiveSigningKey === null
      ? null
      : { store: new R2ArtifactStore(env.ARCHIVE), signingKey: config.archiveSigningKey },
  iceberg:
    config.iceberg === null
      ? null
      : { settings: config.iceberg, fetch: (...request) => fetch(...request), store: new R2ArtifactStore(env.ARCHIVE) },
  chain: openChainSource(config.chain),
  archiveRetentionDays: config.archiveRetentionDays,
  sealing: { keys: config.credentialKeys, random: (bytes) => crypto.getRandomValues(bytes) },
  now: Date.now,
  enqueue: (messages) => enqueue(env, messages),
  exports: {
    store: new R2ArtifactStore(env.ARTIFACTS),
    enqueue: async (messages) => void (await env.EXPORTS_QUEUE.sendBatch(messages.map((body) => ({ body })))),
  },
  scheduleWithin,
});

const openChainSource = (chain: Config["chain"]): JobContext["chain"] =>
  chain === null
    ? null
    : {
        chain: openChain({
          url: chain.rpcUrl,
          fetch: (url, init) => fetch(url, init),
          clock: systemClock,
          random: Math.random,
          ...CHAIN_CALLS,
        }),
        confirmations: chain.confirmations,
      };

async function enqueue(env: IngestQueues, messages: readonly IngestMessage[]): Promise<void> {
  const queues = ingestQueuesOf(env);
  for (const [name, bodies] of Map.groupBy(messages, queueOf)) {
    for (const batch of chunk(bodies, BATCH)) {
      await queues[name].sendBatch(batch.map((body) => ({ body })));
    }
  }
}
