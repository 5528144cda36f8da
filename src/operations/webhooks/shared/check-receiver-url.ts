import { ApiError } from "../../../api/errors.ts";
import type { OperationContext } from "../../../context.ts";
import type { Receiver } from "../../../webhooks/rules/url-policy.ts";
import { checkReceiver } from "../../../platform/http/check-receiver.ts";

/**
 * Checks that requests may be posted to a URL, and returns its receiver.
 *
 * @throws ApiError invalid_body for a refused URL; host_lookup_unavailable when the host cannot be resolved
 * now
 */
export async function checkReceiverUrl(url: string, { webhooks, log, requestId }: OperationContext): Promise<Receiver> {
  const check = await checkReceiver(url, webhooks.policy);
  if (check.kind === "safe") return check.receiver;
  if (check.kind === "refused") throw new ApiError("invalid_body", { param: "url", message: check.words });
  log.warn("webhook.host_lookup_failed", { request_id: requestId, error: check.words });
  throw new ApiError("host_lookup_unavailable");
}

export const duplicateUrlError = (): ApiError =>
  new ApiError("bad_request", {
    param: "url",
    message: "Another endpoint of this account already has this URL. Use a different URL.",
  });
