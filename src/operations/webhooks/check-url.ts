import { ApiError } from "../../api/errors.ts";
import type { OperationContext } from "../../context.ts";
import type { Receiver } from "../../domain/webhooks/url-policy.ts";
import { checkReceiver } from "../../ports/check-receiver.ts";

/**
 * The receiver that a URL stands for, once it is known that something may be posted to it.
 *
 * @throws ApiError invalid_body for one that is refused, host_lookup_unavailable while that cannot be told
 */
export async function checkUrl(url: string, { webhooks, log, requestId }: OperationContext): Promise<Receiver> {
  const check = await checkReceiver(url, webhooks.policy);
  if (check.kind === "safe") return check.receiver;
  if (check.kind === "refused") throw new ApiError("invalid_body", { param: "url", message: check.words });
  log.warn("a webhook's host could not be looked up", { request_id: requestId, problem: check.words });
  throw new ApiError("host_lookup_unavailable");
}

export const urlTaken = (): ApiError =>
  new ApiError("bad_request", { param: "url", message: "Another endpoint of this account has this URL already." });
