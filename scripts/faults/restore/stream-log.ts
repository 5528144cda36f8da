import { setTimeout as sleep } from "node:timers/promises";
import { createParser, type EventSourceMessage } from "eventsource-parser";

export interface StreamReading {
  readonly headers?: Record<string, string>;
  /** The pause before an ended connection is continued. */
  readonly reconnectMs: number;
  readonly onEvent: (event: EventSourceMessage) => void;
}

/**
 * Reads a stream by npm `eventsource-parser` over plain requests; each ended one is continued after the last received id.
 *
 * @returns a function that stops
 */
export function followStream(url: string, { headers = {}, reconnectMs, onEvent }: StreamReading): () => Promise<void> {
  const stopping = new AbortController();
  let lastId: string | undefined;
  const listen = async () => {
    const resume = lastId === undefined ? {} : { "last-event-id": lastId };
    const { status, body } = await fetch(url, { headers: { ...headers, ...resume }, signal: stopping.signal });
    if (status !== 200) return;
    const parser = createParser({
      onEvent(event) {
        lastId = event.id ?? lastId;
        onEvent(event);
      },
    });
    const decoder = new TextDecoder();
    for await (const chunk of body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
  };
  const keepListening = async () => {
    while (!stopping.signal.aborted) {
      await listen().catch(() => undefined);
      await sleep(reconnectMs);
    }
  };
  const ended = keepListening();
  return async () => {
    stopping.abort();
    await ended;
  };
}

export interface LoggedFrame {
  readonly id: number;
  /** Null for a frame with no name. */
  readonly event: string | null;
  readonly data: {
    readonly type: string;
    readonly count?: number;
    readonly completeness?: { readonly reason: string };
  };
}

export interface StreamLog {
  readonly frames: readonly LoggedFrame[];
  stop(): Promise<void>;
}

/** Follows the stream with a key and keeps its frames. */
export function logStream(url: string, key: string): StreamLog {
  const frames: LoggedFrame[] = [];
  const stop = followStream(url, {
    headers: { authorization: `Bearer ${key}` },
    reconnectMs: 200,
    onEvent({ id, event, data }) {
      // An error frame ends a connection and repeats the last id.
      if (event !== "error") frames.push({ id: Number(id), event: event ?? null, data: JSON.parse(data) });
    },
  });
  return { frames, stop };
}
