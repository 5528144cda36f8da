/** The chain of all contracts below. */
export const POLYGON_CHAIN_ID = 137;

/** `OrderFilled` of the exchanges of 2022, which traded until 2026-04-28. An asset id of 0 is the dollar. */
export const ORDER_FILLED_GEN_1 = "0xd0a08e8c493f9c94f29311604c9de1b4e8c8d4c06bd0c789af57f2d65bfec0f6";
/** `OrderFilled` of the exchanges of 2026, also of the one for combinations and second-protocol markets. */
export const ORDER_FILLED_GEN_2 = "0xd543adfd945773f1a62f74f0ee55a5e3b9b1a28262980ba90b1a89f2ea84d8ee";

/**
 * The contracts that emit fills, in lower case, with the event that each one emits. Another contract may emit
 * an event of the same signature, so both must match.
 */
export const EXCHANGES: ReadonlyMap<string, string> = new Map([
  ["0x4bfb41d5b3570defd03c39a9a4d8de6bd8b8982e", ORDER_FILLED_GEN_1],
  ["0xc5d563a36ae78145c45a50134d48a1215220f80a", ORDER_FILLED_GEN_1],
  ["0xe111180000d2663c0091e4f400237545b87b996b", ORDER_FILLED_GEN_2],
  ["0xe2222d279d744050d28e00520010520000310f59", ORDER_FILLED_GEN_2],
  ["0xe3333700ca9d93003f00f0f71f8515005f6c00aa", ORDER_FILLED_GEN_2],
]);
