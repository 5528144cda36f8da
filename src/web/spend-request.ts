import { ApiError } from "../api/errors.ts";
import type { RequestBudget, RequestLimiter } from "../platform/rate-limit/request-limiter.ts";

type SignInBudget = Exclude<RequestBudget, "keys">;

const MESSAGES: Record<SignInBudget, string> = {
  sign_in: "Too many sign-in requests from this IP address. Wait for the Retry-After.",
  guess: "Too many attempts from this IP address. Wait for the Retry-After.",
};

/** @throws ApiError rate_limited when the subject has used its requests for this minute */
export async function spendRequest(limiter: RequestLimiter, budget: SignInBudget, subject: string): Promise<void> {
  const retryAt = await limiter.spend(budget, subject);
  if (retryAt !== null) throw new ApiError("rate_limited", { message: MESSAGES[budget], retryAt });
}
