import { createParser, type EventSourceMessage } from "eventsource-parser";

/** A frame as the client's parser returns it. */
export interface ParsedFrame {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: any;
}

/** One open stream response, read by a third-party parser. */
export class StreamReader {
  readonly frames: ParsedFrame[] = [];
  readonly comments: string[] = [];
  retryMs: number | null = null;
  isEnded = false;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #parser;
  readonly #decoder = new TextDecoder();
  #onInput: () => void = () => undefined;

  /** @param isPaused nothing is read until `resume` is called */
  constructor(body: ReadableStream<Uint8Array>, isPaused = false) {
    this.#reader = body.getReader();
    this.#parser = createParser({
      onEvent: ({ id, event, data }: EventSourceMessage) => this.frames.push({ id, event, data: JSON.parse(data) }),
      onComment: (comment) => this.comments.push(comment),
      onRetry: (ms) => (this.retryMs = ms),
    });
    if (!isPaused) this.resume();
  }

  /** Sequence numbers of the data frames. */
  get seqs(): number[] {
    return this.frames.filter(({ event }) => event === undefined).map(({ data }) => data.seq);
  }

  resume(): void {
    void this.#read();
  }

  /** Resolves once the predicate holds. @throws when it does not within five seconds */
  async until(holds: (stream: this) => boolean, timeoutMs = 5_000): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`received ${this.frames.length} frames, but the condition does not hold`)),
        timeoutMs,
      );
    });
    try {
      while (!holds(this)) await Promise.race([new Promise<void>((resolve) => (this.#onInput = resolve)), timeout]);
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
      this.#onInput();
    }
    this.isEnded = true;
    this.#onInput();
  }
}
