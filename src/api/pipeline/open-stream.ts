import type { Caller } from "../../auth/caller.ts";
import type { OperationContext } from "../../context.ts";
import { describeFailure } from "../response/error-response.ts";
import { ApiError } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import type { StreamContext, StreamOperation } from "../operation.ts";
import type { ParsedInput } from "./run-handler.ts";

type CallerContext = OperationContext & { readonly caller: Caller | null };

/**
 * Opens a stream.
 *
 * @returns null for a HEAD request, which gets the headers only
 */
export async function openStream(
  operation: StreamOperation,
  { params, query }: Pick<ParsedInput, "params" | "query">,
  { request, runtime }: Exchange,
  { caller, principal, ...context }: CallerContext,
): Promise<ReadableStream<Uint8Array> | null> {
  if (caller === null || principal === null)
    throw new ApiError("internal_error", { cause: new Error("a stream requires an authenticated caller") });
  if (request.method === "HEAD") return null;
  // Closures below live as long as the stream, so they must capture neither the request nor the response.
  const { method } = request;
  const reader = caller.detach();
  const { hash } = await caller.identify();
  const docsUrl = `${runtime.config.webBaseUrl}/docs`;
  const streamContext: StreamContext = {
    ...context,
    principal,
    eventStream: runtime.eventStream,
    access: { hash, requirement: caller.requirement },
    refusal: (reason) => reader.refusal(reason),
    recheck: () => reader.authorize(),
    describeFailure: (error) => describeFailure(error, { method, docsUrl, now: new Date(), random: Math.random }),
  };
  return operation.handle(
    { params, query: query.values, lastEventId: request.headers.get("last-event-id") },
    streamContext,
  );
}
