import { ApiError } from "../../../api/errors.ts";
import { parseId, parseWallet } from "../../../domain/ids.ts";
import type { TraderName } from "../../../queries/traders/trader-names.ts";

/** Row ids are below 10^15. */
const ROW_ID = /^[1-9][0-9]{0,14}$/;

/**
 * Parses a trader's name: `@username`, address, `trd_` id, then bare username. Text in the form of an
 * address or an id is never read as a username: a user with such a username would be mistaken for another
 * trader.
 */
export function parseTraderName(text: string): TraderName {
  if (text.startsWith("@")) return { username: text.slice(1).toLowerCase() };
  const address = parseWallet(text.startsWith("trd_0x") ? text.slice("trd_".length) : text);
  if (address !== null) return { address };
  const id = parseId("trader", text);
  return id === null ? { username: text.toLowerCase() } : { id };
}

/**
 * Also accepts a row id as a plain integer, before the bare username. A number that is no row id may be a
 * username.
 */
export function parseTraderNameOrId(text: string): TraderName {
  const name = parseTraderName(text);
  return ROW_ID.test(text) ? { ...name, id: Number(text) } : name;
}

/** @param name as sent by the client */
export const unknownTraderName = (name: string | undefined): ApiError =>
  new ApiError("not_found", { param: "wallet", message: `No trader has the address, id or username ${name ?? ""}.` });
