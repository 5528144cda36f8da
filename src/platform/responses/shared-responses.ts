/**
 * Responses that the isolates of one data centre share, as texts. Only a saving of time: both methods never throw, and an
 * entry may be missing at any time.
 */
export interface SharedResponses {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, ttlSeconds: number): Promise<void>;
}
