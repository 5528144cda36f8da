import { expect, test } from "vitest";
import { decideJoining, type Counted } from "../../../durable-objects/stream-fanout/decide-joining.ts";

/** So many connections of a key, which is its account's only one unless another account is named. */
const connections = (keyId: number, count: number, accountId = keyId): Counted[] =>
  Array.from({ length: count }, (_, n) => ({ connection: `${keyId}-${n}`, keyId, accountId }));

/** So many connections of the account 1, none of them of the key 1. */
const ofAccount = (count: number): Counted[] =>
  connections(0, count, 1).map((one, n) => ({ ...one, connection: `a-${n}`, keyId: 1_000 + Math.floor(n / 5) }));

/** A thousand connections, none of the key 1. */
const full = Array.from({ length: 200 }, (_, key) => connections(100 + key, 5)).flat();
const newcomer: Counted = { connection: "new", keyId: 1, accountId: 1 };

test.each<[string, Counted[], string, who?: Counted | undefined]>([
  ["to an empty shard", [], "admitted"],
  ["as its key's fifth", connections(1, 4), "admitted"],
  ["as its key's sixth", connections(1, 5), "key_full"],
  ["whatever other keys of the shard have", [...connections(1, 4), ...connections(17, 5), ...connections(33, 5)], "admitted"],
  ["again as one of its key's five", connections(1, 5), "admitted", { connection: "1-2", keyId: 1, accountId: 1 }],
  ["as its account's twenty-fifth", ofAccount(24), "admitted"],
  ["as its account's twenty-sixth", ofAccount(25), "account_full"],
  ["again as one of its account's twenty-five", ofAccount(25), "admitted", ofAccount(25)[7]],
  ["as its key's sixth and its account's twenty-sixth", [...ofAccount(20), ...connections(1, 5)], "key_full"],
  ["as its account's twenty-sixth to a full shard", [...full.slice(25), ...ofAccount(25)], "account_full"],
  ["as the thousandth of the shard", full.slice(1), "admitted"],
  ["as one more than that", full, "shard_full"],
  ["again as one of the thousand", full, "admitted", full[500]],
  ["as its key's sixth to a full shard", [...full.slice(5), ...connections(1, 5)], "key_full"],
])("who comes %s", (_, present, joining, who = newcomer) => {
  expect(decideJoining(who, present)).toBe(joining);
});

test("one account cannot fill a shard, with however many keys", () => {
  const joined: Counted[] = [];
  for (let n = 0; n < 2_000; n++) {
    const who = { connection: String(n), keyId: n, accountId: 1 };
    if (decideJoining(who, joined) === "admitted") joined.push(who);
  }
  expect(joined).toHaveLength(25);
  expect(decideJoining({ connection: "other", keyId: 5_000, accountId: 2 }, joined)).toBe("admitted");
});
