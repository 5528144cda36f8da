import type { Exchange } from "../../api/exchange.ts";
import type { Operation } from "../../api/operation.ts";
import { runOperation } from "../../api/pipeline/run-operation.ts";
import { inScope } from "../../lib/work-scope.ts";
import type { RestRequest } from "./build-request.ts";

/**
 * Runs an operation as REST would, within the request that called the endpoint: same id, same credential.
 *
 * @returns the body
 * @throws whatever the operation throws
 */
export async function runInternally(
  operation: Operation,
  { target, body }: RestRequest,
  exchange: Exchange,
): Promise<string> {
  const url = new URL(`${exchange.runtime.config.apiBaseUrl}${target}`);
  const authorization = exchange.request.headers.get("authorization");
  const request = new Request(url, {
    method: operation.method.toUpperCase(),
    headers: {
      ...(authorization === null ? {} : { authorization }),
      ...(body === null ? {} : { "content-type": "application/json" }),
    },
    body,
  });
  const reply = await inScope({ requestId: exchange.requestId, work: operation.id }, () =>
    runOperation(operation, { ...exchange, request, url }),
  );
  return new Response(reply.body).text();
}
