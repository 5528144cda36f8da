import { ApiError } from "../../../api/errors.ts";
import type { OperationContext } from "../../../context.ts";
import { describeError } from "../../../platform/log/console-log.ts";
import type { EndpointRef } from "../../../queries/webhooks/endpoint-row.ts";

/**
 * Makes a change that is refused while a delivery to the endpoint is in flight. After a refusal, holds new
 * deliveries and retries the change once, when the deliveries in flight have ended or after some seconds.
 * Without the hold, an endpoint with constant deliveries could never be changed.
 *
 * @param change changes an endpoint of the caller; null when it is refused
 * @throws ApiError webhook_delivery_in_progress when deliveries are still in flight; the hold stays, so a
 * retry can succeed
 */
export async function changeWhileIdle<T extends object>(
  { id }: EndpointRef,
  change: () => Promise<T | null>,
  { webhooks, log, requestId }: OperationContext,
): Promise<T> {
  const endpointId = String(id);
  const logFailure = (event: string) => (error: unknown) =>
    log.warn(event, { request_id: requestId, endpoint_id: id, error: describeError(error) });
  let changed = await change();
  if (changed === null) {
    await webhooks.hold(endpointId).catch(logFailure("webhook.hold_failed"));
    changed = await change();
  }
  if (changed === null) throw new ApiError("webhook_delivery_in_progress", { param: "endpoint" });
  // Always resume: an earlier request may have left a hold.
  await webhooks.resume(endpointId).catch(logFailure("webhook.resume_failed"));
  return changed;
}
