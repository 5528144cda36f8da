/** What came of a POST to somebody else's server. Only the status and one header of an answer are kept. */
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

/** So much of an accepting answer is read, and thrown away: the answer has to have come, and no more of it is waited for. */
const HEAD_BYTES = 1024;

/**
 * Posts JSON to a receiver that has been checked. A 2xx accepts, once the head of its body has come too; redirects are answers like any
 * other and never followed. Never throws.
 */
export async function postOutbound({ url, headers, body, timeoutMs }: OutboundPost, fetcher: typeof fetch): Promise<PostResult> {
  // Its timer ends with the post, unlike that of `AbortSignal.timeout`: of those, thousands would wait at once.
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  const { signal } = timeout;
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
  } finally {
    clearTimeout(timer);
  }
}

async function readHead(body: ReadableStream<Uint8Array> | null, signal: AbortSignal): Promise<void> {
  if (body === null) return;
  const reader = body.getReader();
  const aborted = new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  aborted.catch(() => undefined);
  try {
    for (let read = 0; read < HEAD_BYTES;) {
      const { done, value } = await Promise.race([reader.read(), aborted]);
      if (done) return;
      read += value.byteLength;
    }
  } finally {
    // A body that hangs may never confirm that it was cancelled.
    void reader.cancel().catch(() => undefined);
  }
}
