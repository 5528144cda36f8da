import { authenticate } from "../auth/authenticate.ts";
import type { OperationContext } from "../context.ts";
import { describeFailure } from "./error-response.ts";
import { ApiError } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import type { StreamContext, StreamOperation } from "./operation.ts";
import type { ParsedInput } from "./run-handler.ts";

/** The caller's place in the credential store, besides what every handler receives. */
type CallerContext = OperationContext & { readonly key: string | null };

/** Work beside a stream needs nobody to wait for it: its request goes on. */
const whileStreaming = (): void => undefined;

/** Begins a stream. @returns null for a HEAD, which wants only what its answer would look like */
export async function openStream(
  operation: StreamOperation,
  { params, query }: Pick<ParsedInput, "params" | "query">,
  { request, runtime }: Exchange,
  { key, principal, ...context }: CallerContext,
): Promise<ReadableStream<Uint8Array> | null> {
  if (key === null || principal === null) throw new ApiError("internal_error", { cause: new Error("a stream is for somebody") });
  if (request.method === "HEAD") return null;
  // What these functions name is kept as long as the stream is open: neither the request nor its answer, nor what holds them.
  const { method } = request;
  const docsUrl = `${runtime.config.webBaseUrl}/docs`;
  const streamContext: StreamContext = {
    ...context,
    principal,
    eventStream: runtime.eventStream,
    async recheck() {
      const [stored = null] = await runtime.cache.getMany([key]).catch(() => []);
      await authenticate({ key, stored }, operation, runtime, new Date(), whileStreaming);
    },
    describeFailure: (error) => describeFailure(error, { method, docsUrl, now: new Date() }),
  };
  return operation.handle({ params, query: query.values, lastEventId: request.headers.get("last-event-id") }, streamContext);
}
