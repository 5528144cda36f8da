import { ApiError, ClientError, ConnectionError } from "../../src/client/index.ts";

/** Documented in docs/cli.md. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  access: 3,
  notFound: 4,
  rateLimited: 5,
  unavailable: 6,
  interrupted: 130,
} as const;

/** A mistake of the user, as one sentence. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** A command that ends with an exit code of its own after it has printed why. */
export class CommandFailed extends Error {
  override name = "CommandFailed";
}

const ACCESS = new Set([401, 402, 403, 423]);

/** The exit code of an error; null for a bug, whose stack should be seen. */
export function exitCodeOf(error: unknown): number | null {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof ConnectionError) return EXIT.unavailable;
  if (error instanceof ApiError) {
    // The last message of a stream has no status; its code says what a reconnect would get.
    if (ACCESS.has(error.status) || error.code === "invalid_api_key" || error.code === "subscription_required")
      return EXIT.access;
    if (error.status === 404 || error.status === 410) return EXIT.notFound;
    if (error.status === 429) return EXIT.rateLimited;
    if (error.status === 400 || error.status === 422) return EXIT.usage;
    return error.status === 408 || error.status >= 500 ? EXIT.unavailable : EXIT.failed;
  }
  return error instanceof ClientError || error instanceof CommandFailed ? EXIT.failed : null;
}
