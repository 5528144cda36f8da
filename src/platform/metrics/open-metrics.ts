import type { Env } from "../../env.ts";
import { consoleLog } from "../log/console-log.ts";
import { EngineMetrics } from "./engine-metrics.ts";
import { LogMetrics } from "./log-metrics.ts";
import type { Metrics } from "./metrics.ts";

let local: Metrics | null = null;

/** Analytics Engine where it is bound; else one log line a minute for each isolate. */
export const openMetrics = ({ METRICS }: Pick<Env, "METRICS">): Metrics =>
  METRICS === undefined ? (local ??= new LogMetrics(consoleLog, Date.now)) : new EngineMetrics(METRICS);
