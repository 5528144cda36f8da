import { ApiError, ConnectionError, InvalidResponseError, TimeoutError } from "../api-error.ts";
import { buildRequest, type OperationFacts } from "../build-request.ts";
import { headersOf, withTimeout } from "../call.ts";
import type { ClientSettings } from "../client-settings.ts";
import { openSseParser, type SseMessage } from "./event-parser.ts";
import type { components } from "../generated/openapi-types.ts";
import { errorOf, objectOf, parseJson, readError } from "../read-error.ts";

type Schemas = components["schemas"];

export type StreamEvent =
  | { readonly kind: "frame"; readonly id: string; readonly data: Schemas["StreamFrame"] & Record<string, unknown> }
  /** Frames are missing: read the current state again, and go on. */
  | { readonly kind: "resync"; readonly id: string; readonly data: Schemas["StreamResyncFrame"] };

/** Where the id of the last event that was worked on is kept. */
export interface Checkpoint {
  load(): Promise<string | null> | string | null;
  save(id: string): Promise<void> | void;
}

export interface EventStreamOptions {
  readonly signal?: AbortSignal;
  /** Continue after this event. Without it and without a checkpoint the stream begins with new events. */
  readonly lastEventId?: string;
  /** Loaded once at the start; saved when the next event is asked for, so that no event is lost in a crash. */
  readonly checkpoint?: Checkpoint;
  /** Connections in a row that may fail before any byte. Default: no limit. */
  readonly maxFailures?: number;
  /** The server sends something every 5 s. A connection that is silent for this long is dropped. Default 20 s. */
  readonly idleMs?: number;
  /** A connection was lost and another one is opened after the wait. */
  readonly onReconnect?: (lost: { readonly error: unknown; readonly waitMs: number }) => void;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const HEADERS_MS = 15_000;

/** An error that a reconnect would meet again. */
class StreamEnd {
  readonly error: ApiError;
  constructor(error: ApiError) {
    this.error = error;
  }
}

/**
 * The events of the stream, across connections: after a loss it continues behind the last event that the caller took.
 * An event is delivered at least once.
 */
export async function* streamEvents(
  settings: ClientSettings,
  operation: OperationFacts,
  params: Readonly<Record<string, unknown>> = {},
  options: EventStreamOptions = {},
): AsyncGenerator<StreamEvent> {
  const { signal, checkpoint, maxFailures = Infinity, idleMs = 20_000, onReconnect } = options;
  const { target } = buildRequest(operation, params);
  let lastId = options.lastEventId ?? (await checkpoint?.load()) ?? null;
  let failures = 0;
  let firstWaitMs = FIRST_WAIT_MS;
  for (;;) {
    let lost: unknown = null;
    let isTaken = true;
    try {
      const response = await openStream(settings, operation, target, lastId, signal);
      const parser = openSseParser();
      for await (const chunk of readChunks(response, idleMs, signal)) {
        failures = 0;
        const messages = parser.push(chunk);
        firstWaitMs = parser.retryMs ?? firstWaitMs;
        for (const message of messages) {
          if (message.event === "error") {
            lastId = message.id ?? lastId;
            throw endOf(message, settings.now());
          }
          const event = eventOf(message);
          isTaken = false;
          yield event;
          isTaken = true;
          lastId = event.id;
          await checkpoint?.save(event.id);
        }
      }
    } catch (error) {
      if (error instanceof StreamEnd) throw error.error;
      signal?.throwIfAborted();
      if (!isTaken || !isLost(error)) throw error;
      lost = error;
    }
    failures += 1;
    if (failures > maxFailures) throw lost ?? new ConnectionError("the server closes every connection");
    const askedMs = lost instanceof ApiError ? lost.retryAfterMs : null;
    const backOffMs = Math.min(LONGEST_WAIT_MS, firstWaitMs * 2 ** (failures - 1));
    const waitMs = askedMs ?? (0.5 + settings.random() / 2) * backOffMs;
    onReconnect?.({ error: lost, waitMs });
    await settings.sleep(waitMs, signal);
  }
}

async function openStream(
  settings: ClientSettings,
  operation: OperationFacts,
  target: string,
  lastId: string | null,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const headers = await headersOf(settings, operation, undefined, {
    headers: { accept: "text/event-stream", ...(lastId !== null && { "last-event-id": lastId }) },
  });
  // The time limit ends with the headers. `readChunks` watches the body, and closes the connection by cancelling it.
  const response = await withTimeout(HEADERS_MS, signal, (own) =>
    settings.fetch(`${settings.baseUrl}${target}`, { headers, redirect: "manual", signal: own }),
  );
  if (!response.ok) throw readError(response.status, response.headers, await response.text(), settings.now());
  if (!response.headers.get("content-type")?.startsWith("text/event-stream") || response.body === null)
    throw new InvalidResponseError("the response is no event stream");
  return response;
}

async function* readChunks(response: Response, idleMs: number, signal: AbortSignal | undefined) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await withTimeout(idleMs, signal, (own) => {
        // The silence is not known to the connection, so the read itself never settles.
        const silence = new Promise<never>((_, reject) =>
          own.addEventListener("abort", () => reject(new TimeoutError("the stream is silent")), { once: true }),
        );
        return Promise.race([reader.read(), silence]);
      });
      if (done) return;
      yield value;
    }
  } finally {
    // Rejects when the connection is already broken.
    await reader.cancel().catch(() => {});
  }
}

/** @throws InvalidResponseError for a message without JSON or without an id */
function eventOf({ event, id: sentId, data: text }: SseMessage): StreamEvent {
  const data = objectOf(parseJson(text));
  const id = sentId ?? (typeof data["seq"] === "number" ? String(data["seq"]) : null);
  if (id === null || parseJson(text) === undefined)
    throw new InvalidResponseError(`a message of the stream has ${id === null ? "no id" : "no JSON"}`);
  // The fields of an event are the server's promise: a client that checked them all would refuse new ones.
  return { kind: event === "resync" ? "resync" : "frame", id, data } as unknown as StreamEvent;
}

/** What the final message of a stream means: an error to reconnect after, or the end. */
function endOf({ data: text }: SseMessage, nowMs: number): ApiError | StreamEnd {
  const data = objectOf(parseJson(text));
  const error = errorOf(objectOf(data["error"]), {}, 0, new Headers(), nowMs);
  return data["retry"] === true ? error : new StreamEnd(error);
}

/** Whether another connection may succeed. Status 0 is that of an error inside a stream. */
const isLost = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof ApiError &&
    (error.status === 0 || error.status === 408 || error.status === 429 || error.status >= 500));
