import { sql, type SQL } from "drizzle-orm";
import { e, o, t } from "../aliases.ts";

/**
 * The provider's identity of the entry `e` of the trader `t` in the outcome `o` as one text, without row ids, so that a
 * restored database gives a fill the same name.
 */
export const FILL_NAME: SQL = sql`concat_ws(' ', encode(${e.txHash}, 'hex'), ${t.address}, ${o.tokenId}, ${e.kind}, ${e.sharesMicro},
  ${e.ordinal})`;
