/** Requests per minute and subject. */
export const REQUEST_LIMITS = {
  /** One sign-in route; the subject is a network or a known browser. */
  sign_in: 60,
  /** Guesses at a mailed code; the subject is a network, or the code that the browser requested. */
  guess: 10,
  /** All key management routes; the subject is an account. */
  keys: 60,
} as const;

export type RequestBudget = keyof typeof REQUEST_LIMITS;

/** The website's own budgets, in addition to the IP budget. */
export interface RequestLimiter {
  /**
   * Spends one request. Never throws: without Redis it counts within this isolate.
   *
   * @returns null when admitted, else the time when the next request can be admitted
   */
  spend(budget: RequestBudget, subject: string): Promise<Date | null>;
}
