import { Redis } from "@upstash/redis/cloudflare";
import { withTimeout } from "../../lib/timing/with-timeout.ts";

const TIMEOUT_MS = 1_000;

type Pipeline = ReturnType<Redis["pipeline"]>;

interface Batch {
  readonly pipeline: Pipeline;
  /** By index in the pipeline. */
  readonly outcomes: Promise<Outcome[]>;
}

interface Outcome {
  readonly result?: unknown;
  readonly error?: string | undefined;
}

/**
 * Redis over Upstash's REST protocol, one client per isolate. The commands of one tick are sent as one HTTP
 * request, in order. The driver's automatic pipelining would send two: it separates read commands from write
 * commands, and a limiter's script counts as a write.
 */
export class RedisClient {
  readonly #redis: Redis;
  #open: Batch | null = null;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /**
   * Sends one command.
   *
   * @param add adds exactly one command to the pipeline
   * @returns Redis's reply, for the caller to parse
   * @throws when Redis does not respond in time, or replies to this command with an error
   */
  async send(add: (pipeline: Pipeline) => unknown): Promise<unknown> {
    const batch = (this.#open ??= this.#openBatch());
    const index = batch.pipeline.length();
    add(batch.pipeline);
    const outcome = (await batch.outcomes)[index];
    if (outcome === undefined) throw new Error("Redis returned no result for a command");
    if (outcome.error !== undefined) throw new Error(outcome.error);
    return outcome.result;
  }

  #openBatch(): Batch {
    const pipeline = this.#redis.pipeline();
    return { pipeline, outcomes: this.#leaveWithTick(pipeline) };
  }

  async #leaveWithTick(pipeline: Pipeline): Promise<Outcome[]> {
    await Promise.resolve();
    // The commands of one tick belong to one incoming request, so no request waits for another one's
    // commands.
    this.#open = null;
    return withTimeout(pipeline.exec({ keepErrors: true }), TIMEOUT_MS);
  }
}

/** Opens no connection: each batch of commands is a separate HTTP request. */
export function openRedis(url: string, token: string): RedisClient {
  return new RedisClient(
    new Redis({
      url,
      token,
      automaticDeserialization: false,
      responseEncoding: false,
      enableAutoPipelining: false,
      enableTelemetry: false,
      retry: false,
    }),
  );
}

/** Used instead of an abort signal per batch, whose timer would outlive the response. */
