import { ApiError } from "../../api/errors.ts";
import type { OperationContext } from "../../context.ts";
import { describeError } from "../../lib/console-log.ts";
import type { EndpointRef } from "../../queries/webhooks/endpoint-row.ts";

/**
 * Makes a change that is refused while a delivery to the endpoint is under way. After a refusal no delivery is begun for a while, and the
 * change is tried once more as soon as those under way have ended, or after some seconds. So an endpoint that always has deliveries can be
 * changed, too.
 *
 * @param change of an endpoint that is the caller's; null when it is refused
 * @throws ApiError webhook_delivery_in_progress when they take longer: the change can be asked for again while none is begun
 */
export async function changeAtRest<T extends object>(
  { id }: EndpointRef,
  change: () => Promise<T | null>,
  { webhooks, log, requestId }: OperationContext,
): Promise<T> {
  const endpointId = String(id);
  const warn = (error: unknown) => log.warn("webhook endpoint not told", { request_id: requestId, id, error: describeError(error) });
  let changed = await change();
  if (changed === null) {
    await webhooks.hold(endpointId).catch(warn);
    changed = await change();
  }
  if (changed === null) throw new ApiError("webhook_delivery_in_progress", { param: "endpoint" });
  // Also when this was not refused: one before it may have been.
  await webhooks.resume(endpointId).catch(warn);
  return changed;
}
