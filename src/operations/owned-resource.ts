import type { Principal } from "../context.ts";

/**
 * Settings of operations on resources of the caller's account. No response is cached, so that a read after a write
 * returns what was written. They are no agent tools.
 */
export const OWNED_RESOURCE_OPERATION = {
  access: "key",
  plan: "pro",
  cost: 1,
  conditional: false,
  cacheSeconds: 0,
  mcpTool: null,
} as const;

/** The authenticated caller. An operation with `access: "key"` always has one. */
export function requireCaller(principal: Principal | null): Principal {
  if (principal === null) throw new Error("an operation that requires a key has no caller");
  return principal;
}
