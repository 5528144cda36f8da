import type { Clock } from "../../../src/lib/timing/clock.ts";
import type { EmbeddedPostgres } from "../../services/postgres/postgres.ts";
import type { Bundle } from "../bundles.ts";
import { burstOf, outageOf, type LiveFault, type LiveSize } from "./live-size.ts";
import type { ProviderChild } from "./provider/provider-child.ts";
import { executionsBy, ROWS_OF_EXECUTION } from "./provider/trade-schedule.ts";

/** How the product came back after a fault. */
export interface Recovery {
  readonly fault: LiveFault;
  /** How long the fault lasted. */
  readonly lastedMs: number;
  /** Rows that were traded and not stored at its end, without those of the last 15 seconds. */
  readonly behindRows: number;
  /** From its end until every row was stored that had been traded 15 seconds before; null when that did not happen. */
  readonly caughtUpMs: number | null;
}

export interface FaultyParts {
  readonly provider: Pick<ProviderChild, "refuse">;
  readonly postgres: Pick<EmbeddedPostgres, "stop" | "restart">;
  /** How many rows of the live trades are stored. */
  countRows(): Promise<number>;
  readonly clock: Pick<Clock, "now" | "wait">;
}

/** A row is stored some time after its trade: the feeds are polled every ten seconds. */
const USUAL_LAG_MS = 15_000;
const LOOK_EVERY_MS = 1_000;
/** How long Postgres is away in a restart. */
const POSTGRES_AWAY_MS = 2_000;

/** Carries out the faults that have a moment. Resolves when the product has caught up after each, or the time is over. */
export function carryOutFaults(
  size: LiveSize,
  beginMs: number,
  endsAtMs: number,
  { provider, postgres, countRows, clock }: FaultyParts,
): Promise<readonly Recovery[]> {
  const burst = burstOf(size);
  const outage = outageOf(size);
  const until = (elapsedMs: number) => clock.wait(Math.max(0, beginMs + elapsedMs - clock.now()));
  const acts = {
    provider: async () => {
      await until(outage.fromMs);
      provider.refuse(true);
      await until(outage.toMs);
      provider.refuse(false);
      return outage.toMs - outage.fromMs;
    },
    postgres: async () => {
      await until((burst.fromMs + burst.toMs) / 2);
      const fromMs = clock.now();
      await postgres.stop();
      await clock.wait(POSTGRES_AWAY_MS);
      await postgres.restart();
      return clock.now() - fromMs;
    },
    // The fault is the rows themselves.
    traders: async () => {
      await until(burst.toMs);
      return burst.toMs - burst.fromMs;
    },
  };
  return Promise.all(
    (["provider", "postgres", "traders"] as const)
      .filter((fault) => size.faults.includes(fault))
      .map(async (fault) => {
        const lastedMs = await acts[fault]();
        return { fault, lastedMs, ...(await catchUp()) };
      }),
  );

  async function catchUp(): Promise<Pick<Recovery, "behindRows" | "caughtUpMs">> {
    const fromMs = clock.now();
    const behindRows = await countBehind();
    for (let behind = behindRows; behind > 0; behind = await countBehind()) {
      await clock.wait(LOOK_EVERY_MS);
      if (clock.now() >= endsAtMs) return { behindRows, caughtUpMs: null };
    }
    return { behindRows, caughtUpMs: clock.now() - fromMs };
  }

  async function countBehind(): Promise<number> {
    const traded = executionsBy(clock.now() - USUAL_LAG_MS - beginMs, size) * ROWS_OF_EXECUTION;
    return Math.max(0, traded - (await countRows()));
  }
}

const PRODUCT = "product.js";
/** A batch that is in progress at the end of ten seconds fails, so its messages are delivered again while its work goes on. */
const DYING_CONSUMERS = `
import product from "${PRODUCT}";
export * from "${PRODUCT}";
const EVERY_MS = 10000;
export default {
  fetch: (...call) => product.fetch(...call),
  scheduled: (...call) => product.scheduled(...call),
  async queue(batch, env, context) {
    let timer;
    const death = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error("the consumer has died")), EVERY_MS - (Date.now() % EVERY_MS));
    });
    const work = product.queue(batch, env, context);
    context.waitUntil(work);
    try {
      await Promise.race([work, death]);
    } finally {
      clearTimeout(timer);
    }
  },
};
`;

/** The product, whose queue consumers die every ten seconds. */
export const withDyingConsumers = ({ script, texts, scripts }: Bundle): Bundle => ({
  script: DYING_CONSUMERS,
  texts,
  scripts: { ...scripts, [PRODUCT]: script },
});
