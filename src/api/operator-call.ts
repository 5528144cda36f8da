import { z } from "zod";
import { isOperatorCall, SIGNATURE_HEADER } from "../auth/operator-signature.ts";
import type { Runtime } from "../runtime.ts";
import { ApiError } from "./errors.ts";
import { readJsonBody } from "./request/read-body.ts";

const MAX_AGE_MS = 60_000;

/** What an operator's command changes in the meter of an account. */
export const OperatorCall = z.discriminatedUnion("action", [
  z.strictObject({
    action: z.literal("refuse"),
    account_id: z.int().min(1),
    hashes: z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(1_000),
    at_ms: z.int(),
  }),
  z.strictObject({ action: z.literal("forget"), account_id: z.int().min(1), at_ms: z.int() }),
]);

export type OperatorCall = z.output<typeof OperatorCall>;

/**
 * Changes the meter of an account for a signed command of an operator. A repeat within the minute of its signature
 * changes nothing more.
 *
 * @throws ApiError unknown_endpoint for every other request; credential_store_unavailable without the meter
 */
export async function handleOperatorCall(
  request: Request,
  { config, meter }: Pick<Runtime, "config" | "meter">,
  now: Date,
): Promise<Response> {
  const signature = request.headers.get(SIGNATURE_HEADER);
  if (signature === null) throw new ApiError("unknown_endpoint");
  const body = await readJsonBody(request);
  if (!(await isOperatorCall(config.credentialKeys, JSON.stringify(body), signature)))
    throw new ApiError("unknown_endpoint");
  const call = OperatorCall.safeParse(body);
  if (!call.success || Math.abs(now.getTime() - call.data.at_ms) > MAX_AGE_MS) throw new ApiError("unknown_endpoint");
  const { account_id: accountId } = call.data;
  const change = call.data.action === "refuse" ? meter.refuse(accountId, call.data.hashes) : meter.forget(accountId);
  await change.catch((cause: unknown) => {
    throw new ApiError("credential_store_unavailable", { cause });
  });
  return new Response(null, { status: 204 });
}
