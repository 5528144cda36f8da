import type { Log } from "../lib/log.ts";
import type { Runtime } from "../runtime.ts";
import type { AnswerMemory } from "./answer-memory.ts";

/** One request on its way to its answer. */
export interface Exchange {
  readonly request: Request;
  readonly url: URL;
  readonly requestId: string;
  readonly startedAt: Date;
  readonly runtime: Runtime;
  readonly answers: AnswerMemory;
  readonly log: Log;
  /** Who shares the per-IP budget. */
  readonly ip: string;
  /** Headers that every outcome from here on carries: the budgets that were spent, the usage record. */
  readonly headers: Headers;
  /** Runs work after the answer has been sent. */
  readonly later: (work: Promise<unknown>) => void;
}
