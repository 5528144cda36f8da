import { setTimeout as sleep } from "node:timers/promises";
import { createParser } from "eventsource-parser";

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

const RECONNECT_MS = 200;

/** Follows the stream; each ended connection is continued after the last received id. */
export function followStream(url: string, key: string): StreamLog {
  const frames: LoggedFrame[] = [];
  const stopping = new AbortController();
  const listen = async () => {
    const lastId = frames.at(-1)?.id;
    const headers = {
      authorization: `Bearer ${key}`,
      ...(lastId === undefined ? {} : { "last-event-id": String(lastId) }),
    };
    const { status, body } = await fetch(url, { headers, signal: stopping.signal });
    if (status !== 200) return;
    const parser = createParser({
      onEvent({ id, event, data }) {
        // An error frame ends a connection and repeats the last id.
        if (event !== "error") frames.push({ id: Number(id), event: event ?? null, data: JSON.parse(data) });
      },
    });
    const decoder = new TextDecoder();
    for await (const chunk of body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
  };
  const keepListening = async () => {
    while (!stopping.signal.aborted) {
      await listen().catch(() => undefined);
      await sleep(RECONNECT_MS);
    }
  };
  const ended = keepListening();
  return {
    frames,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
