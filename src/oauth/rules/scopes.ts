import { SCOPES, type Scope } from "../../domain/accounts/accounts.ts";

/** What a client gets that names no scope. */
const DEFAULT_SCOPES: readonly Scope[] = ["read"];

/**
 * The scopes of a request, in the order of the catalogue; null when one is unknown or not among `allowed`.
 *
 * @param text the parameter as sent; absent or empty asks for the default, as far as it is allowed
 */
export function parseScopes(text: string | null, allowed: readonly Scope[]): readonly Scope[] | null {
  const names = (text ?? "").split(" ").filter((name) => name !== "");
  const requested: readonly string[] =
    names.length > 0 ? names : DEFAULT_SCOPES.every((scope) => allowed.includes(scope)) ? DEFAULT_SCOPES : allowed;
  if (!requested.every((name) => allowed.some((scope) => scope === name))) return null;
  return SCOPES.filter((scope) => requested.includes(scope));
}

/** The scopes of a refresh: those of the grant, or the named ones when the grant has them all; else null. */
export function narrowScopes(text: string | null, granted: readonly Scope[]): readonly Scope[] | null {
  return (text ?? "").trim() === "" ? granted : parseScopes(text, granted);
}
