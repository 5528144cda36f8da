import type { Env } from "../../env.ts";
import type { Lane } from "../../domain/lanes.ts";
import { findObject } from "./find-object.ts";

/** The one object that reads the trade feeds. */
const FEED_READER_NAME = "polymarket";

type LaneObjects = Pick<Env, "FEED_READER" | "JOB_RUNNER" | "REGION">;

const feedReader = (env: Pick<Env, "FEED_READER" | "REGION">) => findObject(env.FEED_READER, FEED_READER_NAME, env);

export const jobRunner = (env: Pick<Env, "JOB_RUNNER" | "REGION">, lane: Lane) => findObject(env.JOB_RUNNER, lane, env);

/** Restores the loop of a lane should its alarm have been lost. */
export const keepLaneAlive = (env: LaneObjects, lane: Lane): Promise<void> =>
  lane === "feed" ? feedReader(env).keepAlive() : jobRunner(env, lane).keepAlive(lane);

/** Makes jobs of a lane due within a time. */
export const scheduleLane = (env: LaneObjects, lane: Lane, jobs: readonly string[], withinMs: number): Promise<void> =>
  lane === "feed"
    ? feedReader(env).scheduleWithin(jobs, withinMs)
    : jobRunner(env, lane).scheduleWithin(lane, jobs, withinMs);
