import { authenticate } from "../../auth/authenticate.ts";
import type { OperationContext } from "../../context.ts";
import { describeFailure } from "../response/error-response.ts";
import { ApiError } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import type { StreamContext, StreamOperation } from "../operation.ts";
import type { ParsedInput } from "./run-handler.ts";

/** The context of a handler, with the keys of the caller's credential record. */
type CallerContext = OperationContext & { readonly recordKeys: readonly string[] };

/** Background work needs no `waitUntil` here: the open stream keeps the request alive. */
const ignoreBackgroundWork = (): void => undefined;

/**
 * Opens a stream.
 *
 * @returns null for a HEAD request, which gets the headers only
 */
export async function openStream(
  operation: StreamOperation,
  { params, query }: Pick<ParsedInput, "params" | "query">,
  { request, runtime }: Exchange,
  { recordKeys: keys, principal, ...context }: CallerContext,
): Promise<ReadableStream<Uint8Array> | null> {
  if (keys.length === 0 || principal === null)
    throw new ApiError("internal_error", { cause: new Error("a stream requires an authenticated caller") });
  if (request.method === "HEAD") return null;
  // Closures below live as long as the stream, so they must capture neither the request nor the response.
  const { method } = request;
  const docsUrl = `${runtime.config.webBaseUrl}/docs`;
  const streamContext: StreamContext = {
    ...context,
    principal,
    eventStream: runtime.eventStream,
    async recheck() {
      // Without Redis the credential is read from Postgres.
      const stored = await runtime.cache.getMany(keys).catch(() => []);
      await authenticate({ keys, stored }, operation, runtime, new Date(), ignoreBackgroundWork);
    },
    describeFailure: (error) => describeFailure(error, { method, docsUrl, now: new Date() }),
  };
  return operation.handle(
    { params, query: query.values, lastEventId: request.headers.get("last-event-id") },
    streamContext,
  );
}
