import { DEVICE_INTERVAL_SECONDS, type TokenResource } from "../../domain/accounts/oauth.ts";
import type { OAuthErrorCode } from "../oauth-error.ts";
import { coversResource } from "./resources.ts";
import { mayHoldTokens, type DeviceState } from "./states.ts";

/** The column of the interval is a small integer; a code does not live longer. */
const MAX_INTERVAL_SECONDS = 600;

export interface DevicePoll {
  readonly clientId: string;
  readonly resource: TokenResource | null;
}

export type DevicePollDecision =
  | { readonly kind: "issue"; readonly resource: TokenResource }
  | {
      readonly kind: "refuse";
      readonly error: OAuthErrorCode;
      readonly description: string;
      /** The interval from now on; null where the poll is not counted. */
      readonly intervalSeconds: number | null;
    };

const refuse = (
  error: OAuthErrorCode,
  description: string,
  intervalSeconds: number | null = null,
): DevicePollDecision => ({ kind: "refuse", error, description, intervalSeconds });

/**
 * Decides a poll for the tokens of a device (RFC 8628 section 3.5). A poll before the interval has passed adds
 * five seconds to it, whatever the person has decided.
 *
 * @param state null for an unknown code
 */
export function decideDevicePoll(state: DeviceState | null, poll: DevicePoll, nowMs: number): DevicePollDecision {
  if (state === null || state.clientId !== poll.clientId || state.decision === "redeemed")
    return refuse("invalid_grant", "The device code is unknown, used, or belongs to another client.");
  if (nowMs >= state.expiresMs) return refuse("expired_token", "The device code has expired. Start again.");
  const { intervalSeconds, polledMs } = state;
  if (polledMs !== null && nowMs - polledMs < intervalSeconds * 1000) {
    const longer = Math.min(intervalSeconds + DEVICE_INTERVAL_SECONDS, MAX_INTERVAL_SECONDS);
    return refuse("slow_down", `Poll at most once in ${longer} seconds.`, longer);
  }
  if (state.decision === "pending")
    return refuse("authorization_pending", "The request is not decided yet.", intervalSeconds);
  if (state.decision === "denied") return refuse("access_denied", "The request was denied.");
  if (state.accountState === null || !mayHoldTokens(state.accountState))
    return refuse("access_denied", "The account cannot be used.");
  const resource = poll.resource ?? state.resource;
  if (!coversResource(state.resource, resource))
    return refuse("invalid_target", "The authorization does not cover this resource.");
  return { kind: "issue", resource };
}
