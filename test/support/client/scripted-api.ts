import { createClient, type Client, type ClientOptions } from "../../../src/client/index.ts";

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | null;
}

/** What the server does with a request: a response, or an error that breaks the connection. */
export type ScriptStep = Response | Error | ((request: SentRequest) => Response);

/** A client of a server that answers from a list, without time passing. */
export function scriptedClient(script: readonly ScriptStep[], options: Partial<ClientOptions> = {}) {
  const sent: SentRequest[] = [];
  const waits: number[] = [];
  const client: Client = createClient({
    baseUrl: "https://api.test",
    apiKey: "svc_sk_live_test",
    now: () => Date.parse("2026-11-20T12:00:00Z"),
    random: () => 1,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
    },
    fetch: async (input, init) => {
      const request: SentRequest = {
        method: init?.method ?? "GET",
        url: String(input),
        headers: new Headers(init?.headers),
        body: typeof init?.body === "string" ? init.body : null,
      };
      sent.push(request);
      const next = script[sent.length - 1];
      if (next === undefined) throw new Error(`the script has no answer to request ${sent.length}: ${request.url}`);
      if (next instanceof Error) throw next;
      return typeof next === "function" ? next(request) : next;
    },
    ...options,
  });
  return { client, sent, waits };
}

const META = { request_id: "req_1", cached: false, cost: 1 };

export const anAnswer = (data: unknown, headers: Record<string, string> = {}, more: object = {}): Response =>
  Response.json({ object: "test", data, ...more, meta: META }, { headers });

export const aPage = (data: readonly unknown[], next: string | null): Response =>
  anAnswer(data, {}, { object: "list", has_more: next !== null, ...(next !== null && { next_cursor: next }) });

export const aRefusal = (
  status: number,
  error: { code: string; reason?: string; param?: string; retry_at?: string; doc_url?: string },
  headers: Record<string, string> = {},
): Response =>
  Response.json({ object: "error", error: { message: "Refused.", ...error }, meta: META }, { status, headers });

/** A response of the stream that sends these chunks and ends, or breaks off. */
export function aStream(chunks: readonly string[], end: "close" | "break" = "close"): Response {
  const encoder = new TextEncoder();
  const queue = [...chunks];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = queue.shift();
      if (chunk !== undefined) controller.enqueue(encoder.encode(chunk));
      else if (end === "close") controller.close();
      else controller.error(new TypeError("terminated"));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
