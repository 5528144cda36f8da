import type { Pool } from "@neondatabase/serverless";
import { DurableObject } from "cloudflare:workers";
import { parseConfig } from "../../src/config.ts";
import { openPool, sessionOf } from "../../src/db/client.ts";
import { requireCurrentSchema } from "../../src/db/schema-version.ts";
import type { Env } from "../../src/env.ts";
import { isBackfilled } from "../../src/jobs/backfill.ts";
import { claimHolderScan } from "../../src/ingest/holders/due-scans.ts";
import { scanHolders } from "../../src/ingest/holders/scan-holders.ts";
import { LANES, type Lane } from "../../src/domain/lanes.ts";
import { FirstFill } from "../../src/jobs/first-fill.ts";
import { openLane, type OpenedLane } from "../../src/jobs/open-lane.ts";
import { listRunningJobs, type Job } from "../../src/jobs/registry.ts";
import { inScope } from "../../src/lib/work-scope.ts";
import { consoleLog, describeError } from "../../src/platform/log/console-log.ts";
import { scheduleLane } from "../../src/platform/objects/lanes.ts";
import { openProvider } from "../../src/providers/polymarket/open-provider.ts";
import type { ReconnectingSocket } from "../../src/providers/polymarket/sockets/reconnecting-socket.ts";
import { connectFromWorker } from "../../src/providers/polymarket/sockets/connect-from-worker.ts";
import { systemClock } from "../../src/lib/timing/clock.ts";
import { openSportsSocket } from "../../src/providers/polymarket/sockets/sports-socket.ts";

/**
 * Scans of holders that requests wait for and that run at once. Each has its own session, because the lane's
 * may be in a long statement.
 */
const MOST_SCANS = 4;

/**
 * Runs the jobs of one lane. There is one object a lane, named after it; the maintenance lane also drives the
 * first fill, and the games lane has the score socket.
 */
export class JobRunner extends DurableObject<Env> {
  #lane: OpenedLane | null = null;
  #firstFill: FirstFill | null = null;
  #scores: ReconnectingSocket | null = null;
  /** By market. */
  readonly #scans = new Map<number, Promise<boolean>>();

  /** Called by cron each minute, and by a local start. */
  async keepAlive(lane: Lane): Promise<void> {
    await (await this.#open(lane)).loop.keepAlive();
  }

  async scheduleWithin(lane: Lane, jobs: readonly string[], withinMs: number): Promise<void> {
    await (await this.#open(lane)).scheduleWithin(jobs, withinMs);
  }

  override async alarm(): Promise<void> {
    const name = await this.ctx.storage.get<string>("lane");
    const lane = LANES.find((known) => known === name);
    if (lane !== undefined) await (await this.#open(lane)).loop.alarm();
  }

  /** An object does not know its own name, so the first call stores it for the alarms. */
  async #open(lane: Lane): Promise<OpenedLane> {
    if (this.#lane !== null) return this.#lane;
    await this.ctx.storage.put("lane", lane);
    const onIdle = (pool: Pool) => this.#advanceFirstFill(pool);
    this.#firstFill ??= lane === "maintenance" ? this.#openFirstFill() : null;
    // Connected only by a turn, so that an object that is merely called opens no socket.
    const onTurn = async () => {
      if (lane === "games" && this.#lane !== null && this.#scores === null) this.#scores = this.#listen(this.#lane);
    };
    return (this.#lane ??= openLane(lane, this.ctx, this.env, { onIdle, onTurn }));
  }

  #listen({ scoreFrames }: OpenedLane): ReconnectingSocket {
    const { provider } = parseConfig(this.env);
    const socket = openSportsSocket({
      url: provider.sportsSocketUrl,
      connect: connectFromWorker(provider),
      clock: systemClock,
      random: Math.random,
      onGame: (frame) => scoreFrames.add(frame, new Date()),
      onQuarantined: (quarantined) => consoleLog.warn("score_socket.frame_quarantined", { reason: quarantined.reason }),
      onState: (state) => consoleLog.info("score_socket.state_changed", state),
    });
    socket.start();
    return socket;
  }

  #openFirstFill(): FirstFill {
    return new FirstFill(listRunningJobs(parseConfig(this.env)), (jobs) => this.#runNow(jobs));
  }

  async #runNow(jobs: readonly Job[]): Promise<void> {
    for (const [lane, group] of Map.groupBy(jobs, (job) => job.lane)) {
      const names = group.map(({ name }) => name);
      if (lane === "maintenance") this.#lane?.runner.scheduleWithin(names, 0);
      else await scheduleLane(this.env, lane, names, 0);
    }
  }

  async #advanceFirstFill(pool: Pool): Promise<void> {
    if (this.#firstFill === null) return;
    try {
      if ((await isBackfilled(pool)) || (await this.#firstFill.advance(pool))) this.#firstFill = null;
    } catch (error) {
      consoleLog.warn("first_fill.progress_failed", { error: describeError(error) });
    }
  }

  /**
   * Scans a market's holders now, because a request waits for them. Concurrent calls for one market share one
   * scan.
   *
   * @returns false when the market was not scanned; the `scan_holders` job does it then
   */
  async scanHolders(marketId: number, requestId: string | null): Promise<boolean> {
    const inFlight = this.#scans.get(marketId);
    if (inFlight !== undefined) return inFlight;
    if (this.#scans.size >= MOST_SCANS) return false;
    const scan = inScope({ requestId, work: "scan_holders" }, () => this.#scanHolders(marketId)).finally(() =>
      this.#scans.delete(marketId),
    );
    this.#scans.set(marketId, scan);
    // The scan completes even when the request that started it has ended.
    this.ctx.waitUntil(scan.catch(() => undefined));
    return scan;
  }

  async #scanHolders(marketId: number): Promise<boolean> {
    const config = parseConfig(this.env);
    const pool = openPool(config);
    try {
      await requireCurrentSchema(config.databaseUrl, sessionOf(pool), consoleLog);
      if (!(await claimHolderScan(pool, marketId))) return false;
      await scanHolders(pool, openProvider(config.provider), marketId, () => new Date());
      return true;
    } catch (error) {
      consoleLog.warn("holders.scan_failed", { market_id: marketId, error: describeError(error) });
      await this.env.INGEST_QUEUE.send({ kind: "scan_holders", market_ids: [marketId] });
      return false;
    } finally {
      // A session that broke cannot be closed, which changes nothing.
      await pool.end().catch(() => undefined);
    }
  }
}
