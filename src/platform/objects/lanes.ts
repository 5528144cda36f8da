import type { Env } from "../../env.ts";
import type { Lane } from "../../domain/lanes.ts";

/** The one object that reads the trade feeds. */
const FEED_READER_NAME = "polymarket";

type LaneObjects = Pick<Env, "FEED_READER" | "JOB_RUNNER">;

export const feedReader = ({ FEED_READER }: Pick<Env, "FEED_READER">) =>
  FEED_READER.get(FEED_READER.idFromName(FEED_READER_NAME));

export const jobRunner = ({ JOB_RUNNER }: Pick<Env, "JOB_RUNNER">, lane: Lane) =>
  JOB_RUNNER.get(JOB_RUNNER.idFromName(lane));

/** Restores the loop of a lane should its alarm have been lost. */
export const keepLaneAlive = (env: LaneObjects, lane: Lane): Promise<void> =>
  lane === "feed" ? feedReader(env).keepAlive() : jobRunner(env, lane).keepAlive(lane);

/** Makes jobs of a lane due within a time. */
export const scheduleLane = (env: LaneObjects, lane: Lane, jobs: readonly string[], withinMs: number): Promise<void> =>
  lane === "feed"
    ? feedReader(env).scheduleWithin(jobs, withinMs)
    : jobRunner(env, lane).scheduleWithin(lane, jobs, withinMs);
