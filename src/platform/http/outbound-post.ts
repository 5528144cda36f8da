import { withTimeoutSignal } from "../../lib/timing/with-timeout-signal.ts";

/**
 * The result of a POST to a third-party server. Only the status and one header of a response are retained.
 */
export type PostResult =
  | { readonly kind: "accepted"; readonly status: number }
  | { readonly kind: "rejected"; readonly status: number; readonly retryAfter: string | null }
  | { readonly kind: "timeout" | "connection_failed" };

export interface OutboundPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

/**
 * Bytes read and discarded from an accepting response: proof that the body has begun, without waiting for its
 * end.
 */
const HEAD_BYTES = 1024;

/**
 * Posts JSON to a receiver that `checkReceiver` has approved. A 2xx counts as accepted once the first bytes
 * of its body have arrived, or its end. A redirect is not followed and counts as rejected. Never throws.
 */
export async function postOutbound(post: OutboundPost, fetcher: typeof fetch): Promise<PostResult> {
  return withTimeoutSignal(post.timeoutMs, (signal) => postWithin(signal, post, fetcher));
}

async function postWithin(
  signal: AbortSignal,
  { url, headers, body }: OutboundPost,
  fetcher: typeof fetch,
): Promise<PostResult> {
  try {
    const response = await fetcher(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      redirect: "manual",
      signal,
    });
    const { status } = response;
    if (!response.ok) {
      await response.body?.cancel().catch(() => undefined);
      return { kind: "rejected", status, retryAfter: response.headers.get("retry-after") };
    }
    await readHead(response.body, signal);
    return { kind: "accepted", status };
  } catch {
    return { kind: signal.aborted ? "timeout" : "connection_failed" };
  }
}

async function readHead(body: ReadableStream<Uint8Array> | null, signal: AbortSignal): Promise<void> {
  if (body === null) return;
  const reader = body.getReader();
  const aborted = new Promise<never>((_resolve, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
  );
  // Prevents an unhandled rejection when the signal aborts after the last read.
  aborted.catch(() => undefined);
  try {
    for (let read = 0; read < HEAD_BYTES;) {
      const { done, value } = await Promise.race([reader.read(), aborted]);
      if (done) return;
      read += value.byteLength;
    }
  } finally {
    // Not awaited: cancelling a hanging body may never resolve.
    void reader.cancel().catch(() => undefined);
  }
}
