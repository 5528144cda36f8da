import { createParser, type EventSourceMessage } from "eventsource-parser";

/** A frame as a client's parser hands it on. */
export interface Heard {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: any;
}

/** One open answer of the stream, read by a parser that is not ours. */
export class Listening {
  readonly frames: Heard[] = [];
  readonly comments: string[] = [];
  retryMs: number | null = null;
  isOver = false;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #parser;
  readonly #decoder = new TextDecoder();
  #whenHeard: () => void = () => undefined;

  /** @param isPaused nothing is read until `resume` */
  constructor(body: ReadableStream<Uint8Array>, isPaused = false) {
    this.#reader = body.getReader();
    this.#parser = createParser({
      onEvent: ({ id, event, data }: EventSourceMessage) => this.frames.push({ id, event, data: JSON.parse(data) }),
      onComment: (comment) => this.comments.push(comment),
      onRetry: (ms) => (this.retryMs = ms),
    });
    if (!isPaused) this.resume();
  }

  /** Of the data frames their numbers. */
  get seqs(): number[] {
    return this.frames.filter(({ event }) => event === undefined).map(({ data }) => data.seq);
  }

  resume(): void {
    void this.#read();
  }

  /** Resolves once this holds. @throws when it does not within five seconds */
  async until(holds: (heard: this) => boolean, timeoutMs = 5_000): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`heard ${this.frames.length} frames, and not what was waited for`)), timeoutMs);
    });
    try {
      while (!holds(this)) await Promise.race([new Promise<void>((resolve) => (this.#whenHeard = resolve)), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async stop(): Promise<void> {
    await this.#reader.cancel();
  }

  async #read(): Promise<void> {
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (done) break;
      this.#parser.feed(this.#decoder.decode(value, { stream: true }));
      this.#whenHeard();
    }
    this.isOver = true;
    this.#whenHeard();
  }
}
