import { ClientError } from "./api-error.ts";
import { sleep } from "./sleep.ts";

export interface ClientOptions {
  /** The origin of the API, for example `https://api.example.com`; it may have a path, as the sandbox may. */
  readonly baseUrl: string;
  /** A key, or a function that returns the current one. Not needed for public operations and in the sandbox. */
  readonly apiKey?: string | (() => string | Promise<string>);
  /** Time limit of one attempt, with its body. Default 40 s: the API itself stops after 30 s. */
  readonly timeoutMs?: number;
  /** Default 2. */
  readonly maxRetries?: number;
  /** A longer Retry-After is thrown at once. Default 60 s. */
  readonly maxWaitMs?: number;
  /** Refuses query parameters that an operation does not know. */
  readonly strict?: boolean;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
  readonly random?: () => number;
  /** Waits; rejects when the signal is aborted. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface ClientSettings {
  /** Ends in `/api/v1`. */
  readonly baseUrl: string;
  readonly apiKey: () => string | undefined | Promise<string>;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxWaitMs: number;
  readonly strict: boolean;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** @throws ClientError for a base URL that is neither https nor http on this machine */
export function settingsOf(options: ClientOptions): ClientSettings {
  const { apiKey, fetch: ownFetch } = options;
  return {
    baseUrl: baseUrlOf(options.baseUrl),
    apiKey: typeof apiKey === "function" ? apiKey : () => apiKey,
    timeoutMs: options.timeoutMs ?? 40_000,
    maxRetries: options.maxRetries ?? 2,
    maxWaitMs: options.maxWaitMs ?? 60_000,
    strict: options.strict ?? false,
    // Browsers refuse a fetch that is called as a method of another object.
    fetch: (url, init) => (ownFetch ?? fetch)(url, init),
    now: options.now ?? Date.now,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? sleep,
  };
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  // A key must not cross a network in the clear.
  if (url === null || (url.protocol !== "https:" && !(url.protocol === "http:" && LOOPBACK.test(url.hostname))))
    throw new ClientError(`baseUrl must be an https URL, or http on localhost: ${text}`);
  return `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\/api\/v1$/, "")}/api/v1`;
}
