import type { ExchangeFamily } from "../../domain/trades/exchange-families.ts";

/** The chain of all contracts below. */
export const POLYGON_CHAIN_ID = 137;

/** `OrderFilled` of the exchanges of 2022, which traded until 2026-04-28. An asset id of 0 is the dollar. */
export const ORDER_FILLED_GEN_1 = "0xd0a08e8c493f9c94f29311604c9de1b4e8c8d4c06bd0c789af57f2d65bfec0f6";
/** `OrderFilled` of the exchanges of 2026, also of the one for combinations and second-protocol markets. */
export const ORDER_FILLED_GEN_2 = "0xd543adfd945773f1a62f74f0ee55a5e3b9b1a28262980ba90b1a89f2ea84d8ee";
/** `OrdersMatched` of the same exchanges. */
export const ORDERS_MATCHED_GEN_1 = "0x63bf4d16b7fa898ef4c4b2b6d90fd201e9c56313b65638af6088d149d2ce956c";
export const ORDERS_MATCHED_GEN_2 = "0x174b3811690657c217184f89418266767c87e4805d09680c39fc9c031c0cab7c";

export interface Exchange {
  readonly family: ExchangeFamily;
  /** The first topics of the events that it emits. */
  readonly orderFilled: string;
  readonly ordersMatched: string;
}

const GEN_1 = { orderFilled: ORDER_FILLED_GEN_1, ordersMatched: ORDERS_MATCHED_GEN_1 };
const GEN_2 = { orderFilled: ORDER_FILLED_GEN_2, ordersMatched: ORDERS_MATCHED_GEN_2 };

/**
 * The contracts that emit fills, by address in lower case. Another contract may emit an event of the same signature, so
 * address and event must match.
 */
export const EXCHANGES: ReadonlyMap<string, Exchange> = new Map<string, Exchange>([
  ["0x4bfb41d5b3570defd03c39a9a4d8de6bd8b8982e", { family: "ctf", ...GEN_1 }],
  ["0xc5d563a36ae78145c45a50134d48a1215220f80a", { family: "neg_risk_ctf", ...GEN_1 }],
  ["0xe111180000d2663c0091e4f400237545b87b996b", { family: "ctf_v2", ...GEN_2 }],
  ["0xe2222d279d744050d28e00520010520000310f59", { family: "neg_risk_ctf_v2", ...GEN_2 }],
  ["0xe3333700ca9d93003f00f0f71f8515005f6c00aa", { family: "v3", ...GEN_2 }],
]);
