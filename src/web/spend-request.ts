import { ApiError } from "../api/errors.ts";
import type { RequestBudget, RequestLimiter } from "../ports/request-limiter.ts";

const MESSAGES: Record<RequestBudget, string> = {
  sign_in: "Too many requests from this address. Wait.",
  guess: "Too many attempts from this address. Wait.",
  keys: "This account has spent its requests of the minute for its keys.",
};

/** @throws ApiError rate_limited when the subject's minute is spent */
export async function spendRequest(limiter: RequestLimiter, budget: RequestBudget, subject: string): Promise<void> {
  const retryAt = await limiter.spend(budget, subject);
  if (retryAt !== null) throw new ApiError("rate_limited", { message: MESSAGES[budget], retryAt });
}
