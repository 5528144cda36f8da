/** Requests a minute, of each subject. */
export const REQUEST_LIMITS = {
  /** To one route of the sign-in; the subject is a network or a browser that is known. */
  sign_in: 60,
  /** Guesses at a mailed code; the subject is a network, or the browser that asked for the code. */
  guess: 10,
  /** To all routes of the keys; the subject is an account. */
  keys: 60,
} as const;

export type RequestBudget = keyof typeof REQUEST_LIMITS;

/** The website's own budgets, beside the one that all callers behind an IP address share. */
export interface RequestLimiter {
  /**
   * Spends one request. Never throws: without its store it counts within this isolate.
   *
   * @returns null when admitted, else when the next one can be
   */
  spend(budget: RequestBudget, subject: string): Promise<Date | null>;
}
