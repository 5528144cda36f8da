import { DurableObject } from "cloudflare:workers";
import { parseConfig } from "../../src/config.ts";
import type { Env } from "../../src/env.ts";
import { isBackfilled } from "../../src/jobs/backfill.ts";
import { openLane, type OpenedLane } from "../../src/jobs/open-lane.ts";
import { listLane } from "../../src/jobs/registry.ts";
import { consoleLog } from "../../src/platform/log/console-log.ts";
import { connectFromWorker } from "../../src/providers/polymarket/sockets/connect-from-worker.ts";
import type { ReconnectingSocket } from "../../src/providers/polymarket/sockets/reconnecting-socket.ts";
import { systemClock } from "../../src/lib/timing/clock.ts";
import { openTradesSocket } from "../../src/providers/polymarket/sockets/trades-socket.ts";
import { reachesFloor, toMicro } from "../../src/scoring/dollar-floor.ts";

/** How long after its match a trade appears in the provider's feed: the measured median is 6 to 7 seconds. */
const FEED_LAG_MS = 7_000;

/**
 * Reads the provider's trade feeds. Nothing else runs in this object, so no other job delays a trade. The
 * live socket only makes the feeds due: what is stored always comes from a page that can be read again.
 */
export class FeedReader extends DurableObject<Env> {
  readonly #lane: OpenedLane;
  #socket: ReconnectingSocket | null = null;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#lane = openLane("feed", state, env, {
      onIdle: async () => undefined,
      onTurn: async ({ pool }) => {
        if (this.#socket === null && (await isBackfilled(pool))) this.#listen();
      },
    });
  }

  /** Called by cron each minute, and by a local start. */
  keepAlive(): Promise<void> {
    return this.#lane.loop.keepAlive();
  }

  scheduleWithin(jobs: readonly string[], withinMs: number): Promise<void> {
    return this.#lane.scheduleWithin(jobs, withinMs);
  }

  override alarm(): Promise<void> {
    return this.#lane.loop.alarm();
  }

  #listen(): void {
    const config = parseConfig(this.env);
    const floorMicro = toMicro(config.largeTradeMinUsd);
    const feeds = listLane("feed").map(({ name }) => name);
    this.#socket = openTradesSocket({
      url: config.provider.tradesSocketUrl,
      connect: connectFromWorker(config.provider),
      clock: systemClock,
      random: Math.random,
      onTrade: (trade) => {
        if (!reachesFloor(trade.usdMicro, floorMicro)) return;
        this.ctx.waitUntil(this.#lane.scheduleWithin(feeds, Math.min(FEED_LAG_MS, config.feedPollMs)));
      },
      onQuarantined: (quarantined) => consoleLog.warn("live_socket.frame_quarantined", { reason: quarantined.reason }),
      onState: (state) => consoleLog.info("live_socket.state_changed", state),
    });
    this.#socket.start();
  }
}
