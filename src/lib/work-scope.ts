import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Identifies the request, message or job that is handled, in its log lines and in comments of its statements.
 */
export interface WorkScope {
  /** The id that the client gets in `X-Request-Id`; null for work that no request caused. */
  readonly requestId: string | null;
  /** An operation id, a job name or a message kind. */
  readonly work: string;
}

const scopes = new AsyncLocalStorage<WorkScope>();

/** Runs work in a scope. Everything that it awaits sees the scope; concurrent work does not. */
export const inScope = <T>(scope: WorkScope, work: () => T): T => scopes.run(scope, work);

export const currentScope = (): WorkScope | null => scopes.getStore() ?? null;

/** Anything else could end the comment that carries it. */
const SAFE = /^[\w:.-]{1,80}$/;

/** The scope as a comment to append to an SQL statement; empty outside a scope. */
export function scopeComment(): string {
  const scope = currentScope();
  if (scope === null) return "";
  const words = [scope.requestId, scope.work].filter((word) => word !== null && SAFE.test(word));
  return words.length === 0 ? "" : ` /* ${words.join(" ")} */`;
}
