import type { Pool } from "@neondatabase/serverless";
import { DurableObject } from "cloudflare:workers";
import { parseConfig, type Config } from "../../src/config.ts";
import { openPool } from "../../src/db/client.ts";
import { beat, recordFailure } from "../../src/db/heartbeats.ts";
import { listPausedJobs, type JobName } from "../../src/domain/jobs.ts";
import type { Env } from "../../src/env.ts";
import { Announcer } from "../../src/ingest/announce-generations.ts";
import { isBackfilled, recordProgress } from "../../src/ingest/backfill.ts";
import { isGradingDue } from "../../src/ingest/skill/grade-wallets.ts";
import { takeHolderScan } from "../../src/ingest/holders/due-scans.ts";
import { scanHolders } from "../../src/ingest/holders/scan-holders.ts";
import { KnownIds } from "../../src/ingest/known-ids.ts";
import { PagesAhead } from "../../src/ingest/pages-ahead.ts";
import { runJob, type JobSettings } from "../../src/ingest/run-job.ts";
import { consoleLog, describeError } from "../../src/lib/console-log.ts";
import { queueOf } from "../../src/messages/ingest.ts";
import { ProviderUnavailable } from "../../src/ports/provider.ts";
import { RedisCache } from "../../src/ports/redis-cache.ts";
import { openRedis } from "../../src/ports/redis-client.ts";
import { wakeOutboxReaders } from "../../src/ports/wake-outbox-readers.ts";
import { openProvider } from "../../src/providers/polymarket/open-provider.ts";
import { connectFromWorker } from "../../src/providers/polymarket/sockets/connect-from-worker.ts";
import type { KeptSocket } from "../../src/providers/polymarket/sockets/kept-socket.ts";
import { systemClock } from "../../src/providers/polymarket/sockets/socket-port.ts";
import { openTradesSocket } from "../../src/providers/polymarket/sockets/trades-socket.ts";
import { reachesFloor, toMicro } from "../../src/scoring/dollar-floor.ts";
import { afterJob, decideNextJob, hasten, nextDueAt, resumeSchedule, type Outcome, type Schedule } from "./schedule.ts";

/** One alarm runs jobs for at most this long, so that the schedule is stored often. */
const RUN_MS = 5_000;
/** The alarm that fires should this one never return. */
const WATCHDOG_MS = 30_000;
/** How long after its match a trade shows in the provider's feed: a median of 6 to 7 seconds was measured. */
const FEED_LAG_MS = 7_000;
/** Scans of holders that requests wait for and that run at once. Each has a session of its own, since the loop's may be in a long statement. */
const MOST_SCANS = 4;
const FIGURES: readonly JobName[] = [
  "boards",
  "population",
  "explore",
  "books",
  "candles",
  "flows",
  "values",
  "reports",
  "holders",
  "provider_figures",
];
/** What may have announced events. */
const ANNOUNCING: readonly JobName[] = ["taker_feed", "fill_feed", "suspicion", "flows", "large_positions"];
/** What waits for those, and for the wallets to be graded. */
const RANKED: readonly JobName[] = ["leaderboard", "large_positions"];

/**
 * The one writer of a provider's feeds: an alarm loop that walks trades and markets, hands out wallet, market and payout work to the
 * queues of ingest, and rebuilds the lists. All progress is in Postgres; the schedule here may be lost at any time.
 */
export class ProviderFeed extends DurableObject<Env> {
  readonly #config: Config;
  readonly #paused: readonly JobName[];
  readonly #known = new KnownIds();
  readonly #ahead = new PagesAhead();
  readonly #announcer: Announcer;
  #pool: Pool | null = null;
  #schedule: Schedule | null = null;
  #socket: KeptSocket | null = null;
  #backfilled = false;
  /** Figures still to be rebuilt before the first fill counts as done; null before that phase. */
  #figuresLeft: Set<JobName> | null = null;
  /** Whether the figures that are left are those that rest on grades. */
  #isGraded = false;
  /** By market. */
  readonly #scans = new Map<number, Promise<boolean>>();

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#config = parseConfig(env);
    this.#paused = listPausedJobs(this.#config.heavyJobs);
    const redis = openRedis(this.#config.redisUrl, this.#config.redisToken);
    this.#announcer = new Announcer(new RedisCache(redis, Date.now), Date.now, consoleLog);
  }

  /** Makes sure the loop runs. Called by cron each minute and when a local start wants work at once. */
  async wake(): Promise<void> {
    const alarm = await this.ctx.storage.getAlarm();
    // Re-armed even when set: a past-due alarm is not certain to fire after eviction.
    if (alarm === null || alarm < Date.now()) await this.ctx.storage.setAlarm(Date.now());
  }

  /**
   * Scans a market's holders now, because a request waits for them. Who asks for a market that is being scanned waits for that scan.
   *
   * @returns false when it was not scanned; then it waits for its turn
   */
  async scanHolders(marketId: number): Promise<boolean> {
    const underWay = this.#scans.get(marketId);
    if (underWay !== undefined) return underWay;
    if (this.#scans.size >= MOST_SCANS) return false;
    const scan = this.#scanHolders(marketId).finally(() => this.#scans.delete(marketId));
    this.#scans.set(marketId, scan);
    // It is finished when the request that asked for it has gone, too.
    this.ctx.waitUntil(scan.catch(() => undefined));
    return scan;
  }

  async #scanHolders(marketId: number): Promise<boolean> {
    const pool = openPool(this.#config);
    try {
      if (!(await takeHolderScan(pool, marketId))) return false;
      await scanHolders(pool, openProvider(this.#config.provider), marketId, () => new Date());
      return true;
    } catch (error) {
      consoleLog.warn("holders.scan_failed", { market_id: marketId, error: describeError(error) });
      await this.env.INGEST_QUEUE.send({ kind: "scan_holders", market_ids: [marketId] });
      return false;
    } finally {
      await pool.end().catch(() => undefined);
    }
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + WATCHDOG_MS);
    const endsAt = Date.now() + RUN_MS;
    this.#schedule ??= resumeSchedule((await this.ctx.storage.get<Partial<Schedule>>("schedule")) ?? {}, Date.now());
    for (let job = decideNextJob(this.#schedule, Date.now(), this.#paused); job !== null && Date.now() < endsAt;) {
      const outcome = await this.#run(job);
      this.#schedule = afterJob(this.#schedule, job, outcome, Date.now(), this.#config.feedPollMs);
      if (outcome.kind !== "failed") this.#figuresLeft?.delete(job);
      if (outcome.kind === "idle" && !this.#backfilled) await this.#progress();
      job = decideNextJob(this.#schedule, Date.now(), this.#paused);
    }
    if (this.#backfilled) this.#listen();
    await this.ctx.storage.put("schedule", this.#schedule);
    await this.ctx.storage.setAlarm(Math.max(nextDueAt(this.#schedule, this.#paused), Date.now() + 10));
  }

  /** The live socket says that a large trade was matched; the feed that is the record of it shows it some seconds later. */
  #listen(): void {
    this.#socket ??= openTradesSocket({
      url: this.#config.provider.tradesSocketUrl,
      connect: connectFromWorker,
      clock: systemClock,
      random: Math.random,
      onTrade: (trade) => {
        if (reachesFloor(trade.usdMicro, toMicro(this.#config.largeTradeMinUsd))) this.#readFeedsSoon();
      },
      onMisfit: (misfit) => consoleLog.warn("live frame not understood", { reason: misfit.reason }),
      onState: (state) => consoleLog.info("live socket", state),
    });
    this.#socket.start();
  }

  #readFeedsSoon(): void {
    if (this.#schedule === null) return;
    this.#schedule = hasten(this.#schedule, ["taker_feed", "fill_feed"], Date.now() + Math.min(FEED_LAG_MS, this.#config.feedPollMs));
    this.ctx.waitUntil(this.ctx.storage.setAlarm(Math.max(nextDueAt(this.#schedule, this.#paused), Date.now() + 10)));
  }

  async #run(job: JobName): Promise<Outcome> {
    const settings = this.#settings();
    try {
      const more = await runJob(job, settings);
      if (ANNOUNCING.includes(job)) this.ctx.waitUntil(wakeOutboxReaders(this.env));
      if (!more) await beat(settings.pool, job);
      return { kind: more ? "more" : "idle" };
    } catch (error) {
      const message = describeError(error);
      consoleLog.warn("job failed", { job, error: message });
      await recordFailure(settings.pool, job, message).catch(() => this.#dropPool());
      return { kind: "failed", retryAfterMs: error instanceof ProviderUnavailable ? error.retryAfterMs : null };
    } finally {
      // Also of a job that failed: what it committed before stands.
      await this.#announcer.announce(settings.pool, job);
    }
  }

  /**
   * Follows the first fill: once feeds and wallets are read and all settled bets counted, figures are computed at once instead of at their
   * turn, and lists by grade once nobody waits for one.
   */
  async #progress(): Promise<void> {
    const { pool } = this.#settings();
    try {
      this.#backfilled = await isBackfilled(pool);
      if (this.#backfilled) return;
      const built = this.#figuresLeft?.size === 0;
      const phase = await recordProgress(pool, built && this.#isGraded);
      this.#backfilled = phase === "done";
      if (phase !== "figures") return;
      if (this.#figuresLeft === null) this.#compute(FIGURES);
      if (!built || this.#isGraded || (await isGradingDue(pool))) return;
      this.#isGraded = true;
      this.#compute(RANKED);
    } catch (error) {
      consoleLog.warn("progress not recorded", { error: describeError(error) });
    }
  }

  #compute(figures: readonly JobName[]): void {
    if (this.#schedule === null) return;
    const running = figures.filter((job) => !this.#paused.includes(job));
    this.#figuresLeft = new Set(running);
    this.#schedule = hasten(this.#schedule, running, Date.now());
  }

  #settings(): JobSettings {
    this.#pool ??= openPool(this.#config);
    return {
      pool: this.#pool,
      provider: openProvider(this.#config.provider),
      known: this.#known,
      ahead: this.#ahead,
      largeTradeMinUsd: this.#config.largeTradeMinUsd,
      backfillDays: this.#config.backfillDays,
      now: Date.now,
      hasten: (job, withinMs) => {
        if (this.#schedule !== null) this.#schedule = hasten(this.#schedule, [job], Date.now() + withinMs);
      },
      enqueue: async (messages) => {
        const queues = { ingest: this.env.INGEST_QUEUE, wallets: this.env.WALLETS_QUEUE };
        for (const [name, bodies] of Map.groupBy(messages, queueOf)) {
          for (let start = 0; start < bodies.length; start += 100) {
            await queues[name].sendBatch(bodies.slice(start, start + 100).map((body) => ({ body })));
          }
        }
      },
    };
  }

  /** A pool whose sessions broke with the database is thrown away; the next run opens a new one. */
  #dropPool(): void {
    void this.#pool?.end().catch(() => undefined);
    this.#pool = null;
  }
}
