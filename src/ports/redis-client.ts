import { Redis } from "@upstash/redis/cloudflare";

const TIMEOUT_MS = 1_000;

type Pipeline = ReturnType<Redis["pipeline"]>;

interface Batch {
  readonly pipeline: Pipeline;
  /** By place in the pipeline. */
  readonly outcomes: Promise<Outcome[]>;
}

interface Outcome {
  readonly result?: unknown;
  readonly error?: string | undefined;
}

/**
 * Redis over Upstash's REST protocol, one for the isolate. The commands of one tick leave as one HTTP request, in the order of their
 * sending. The driver's own automatic pipelining would make two of them: it keeps commands that read apart from commands that write, and
 * a limiter's script counts as writing.
 */
export class RedisClient {
  readonly #redis: Redis;
  #open: Batch | null = null;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /**
   * Sends the one command that `add` puts into the pipeline.
   *
   * @returns Redis's reply, for the caller to parse
   * @throws when Redis does not answer in time, or answers this command with an error
   */
  async send(add: (pipeline: Pipeline) => unknown): Promise<unknown> {
    const batch = (this.#open ??= this.#openBatch());
    const place = batch.pipeline.length();
    add(batch.pipeline);
    const outcome = (await batch.outcomes)[place];
    if (outcome === undefined) throw new Error("Redis left a command without an answer");
    if (outcome.error !== undefined) throw new Error(outcome.error);
    return outcome.result;
  }

  #openBatch(): Batch {
    const pipeline = this.#redis.pipeline();
    return { pipeline, outcomes: this.#leaveWithTick(pipeline) };
  }

  async #leaveWithTick(pipeline: Pipeline): Promise<Outcome[]> {
    await Promise.resolve();
    // Commands of one tick belong to one request of ours, so no request waits for what another one fetches.
    this.#open = null;
    return withTimeout(pipeline.exec({ keepErrors: true }));
  }
}

/** Opens nothing yet: each batch of commands is an HTTP request of its own. */
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

/** In place of an abort signal for each batch, whose timer would outlive the answer. */
async function withTimeout<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
