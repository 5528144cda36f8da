import type { OperationContext, Principal } from "../context.ts";
import { packAnswer, unpackAnswer, type Answer } from "./answer.ts";
import { hashRequest, runOnce } from "./idempotency.ts";
import type { SingleOperation } from "./operation.ts";
import { runHandler, type ParsedInput } from "./run-handler.ts";

/** Runs a mutation once for its Idempotency-Key; a repeat gets the first answer, under its own request id. */
export async function runIdempotent(
  operation: SingleOperation,
  { key, target, rawBody, principal }: { key: string; target: string; rawBody: unknown; principal: Principal },
  input: ParsedInput,
  context: OperationContext,
): Promise<Answer> {
  const requestHash = await hashRequest(operation.method, target, rawBody);
  const claim = { accountId: principal.accountId, operation: operation.id, key, requestHash, now: context.now };
  const { body } = await runOnce(context, claim, async () => ({
    status: operation.successStatus ?? 200,
    body: packAnswer(await runHandler(operation, input, context)),
  }));
  const answer = unpackAnswer(body);
  if (answer === null) throw new Error(`the outcome kept for an Idempotency-Key of ${operation.id} is no answer`);
  return answer;
}
