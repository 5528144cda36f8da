import type { OperationContext } from "../../context.ts";
import { packResponse, unpackResponse, withoutFields, type SerializedResponse } from "../cache/serialized-response.ts";
import { hashRequest, runOnce } from "../request/run-once.ts";
import type { SingleOperation } from "../operation.ts";
import { runHandler, type ParsedInput } from "./run-handler.ts";

/**
 * Runs a mutation once per Idempotency-Key; a repeat gets the first response, under its own request id and
 * without the fields of `shownOnce`.
 */
export async function runIdempotent(
  operation: SingleOperation,
  { key, target, rawBody, accountId }: { key: string; target: string; rawBody: unknown; accountId: number },
  input: ParsedInput,
  context: OperationContext,
): Promise<SerializedResponse> {
  const requestHash = await hashRequest(operation.method, target, rawBody);
  const claim = { accountId, operation: operation.id, key, requestHash, now: context.now };
  let first: SerializedResponse | null = null;
  const { body } = await runOnce(context, claim, async () => {
    first = await runHandler(operation, input, context);
    const stored = withoutFields(first, operation.shownOnce ?? []);
    return { status: operation.successStatus ?? 200, body: packResponse(stored) };
  });
  return first ?? unpackOutcome(operation, body);
}

function unpackOutcome({ id }: SingleOperation, body: string): SerializedResponse {
  const answer = unpackResponse(body);
  if (answer === null) throw new Error(`the outcome stored for an Idempotency-Key of ${id} cannot be unpacked`);
  return answer;
}
