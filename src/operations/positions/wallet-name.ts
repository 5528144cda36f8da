import { ApiError } from "../../api/errors.ts";
import { parseId, parseWallet } from "../../domain/ids.ts";
import type { WalletName } from "../../queries/wallet-names.ts";

/** Row ids stay below 10^15. */
const ROW_ID = /^[1-9][0-9]{0,14}$/;

/**
 * Reads the name of a wallet as `@username`, wallet address, trd_ id, and last as username. An address or an id never falls back to a user who
 * calls himself that: he would be taken for somebody else.
 */
export function parseWalletName(text: string): WalletName {
  if (text.startsWith("@")) return { username: text.slice(1).toLowerCase() };
  const address = parseWallet(text.startsWith("trd_0x") ? text.slice("trd_".length) : text);
  if (address !== null) return { address };
  const id = parseId("trader", text);
  return id === null ? { username: text.toLowerCase() } : { id };
}

/** The same with one form more, before the bare username: our row id as a plain integer. A number that is nobody's id may be somebody's name. */
export function parseWalletNameOrId(text: string): WalletName {
  const name = parseWalletName(text);
  return ROW_ID.test(text) ? { ...name, id: Number(text) } : name;
}

/** @param name as sent */
export const unknownWallet = (name: string | undefined): ApiError =>
  new ApiError("not_found", { param: "wallet", message: `No wallet has the address, id or name ${name ?? ""}.` });
