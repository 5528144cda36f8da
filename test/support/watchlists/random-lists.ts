import fc from "fast-check";

/** Few addresses, so that lists and events often share one, in upper and lower case. */
export const someWallet = fc
  .record({ n: fc.integer({ min: 0, max: 15 }), isUpper: fc.boolean() })
  .map(({ n, isUpper }) => {
    const digits = `${"ab".repeat(19)}${n.toString(16).padStart(2, "0")}`;
    return `0x${isUpper ? digits.toUpperCase() : digits}`;
  });

/** Lists by their number, as their owners wrote them. */
export const someLists = fc
  .array(fc.array(someWallet, { maxLength: 10 }), { maxLength: 6 })
  .map((lists) => new Map(lists.map((wallets, index) => [index + 1, wallets])));

/** The oracle: walks the whole list. */
export const isListed = (lists: ReadonlyMap<number, readonly string[]>, list: number, wallet: string): boolean =>
  (lists.get(list) ?? []).some((one) => one.toLowerCase() === wallet.toLowerCase());
