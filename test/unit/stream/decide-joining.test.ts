import { expect, test } from "vitest";
import { decideJoin, type CountedConnection } from "../../../durable-objects/stream-fanout/decide-join.ts";

/** This many connections of a key, which is its account's only key unless another account is given. */
const connections = (keyId: number, count: number, accountId = keyId): CountedConnection[] =>
  Array.from({ length: count }, (_, n) => ({ connection: `${keyId}-${n}`, keyId, accountId }));

/** This many connections of account 1, none of them with key 1. */
const ofAccount = (count: number): CountedConnection[] =>
  connections(0, count, 1).map((one, n) => ({ ...one, connection: `a-${n}`, keyId: 1_000 + Math.floor(n / 5) }));

/** A thousand connections, none of them with key 1. */
const full = Array.from({ length: 200 }, (_, key) => connections(100 + key, 5)).flat();
const newcomer: CountedConnection = { connection: "new", keyId: 1, accountId: 1 };

test.each<[string, CountedConnection[], string, candidate?: CountedConnection | undefined]>([
  ["to an empty shard", [], "admitted"],
  ["as its key's fifth", connections(1, 4), "admitted"],
  ["as its key's sixth", connections(1, 5), "key_full"],
  ["to a shard with full other keys", [...connections(1, 4), ...connections(17, 5), ...connections(33, 5)], "admitted"],
  ["again as one of its key's five", connections(1, 5), "admitted", { connection: "1-2", keyId: 1, accountId: 1 }],
  ["as its account's twenty-fifth", ofAccount(24), "admitted"],
  ["as its account's twenty-sixth", ofAccount(25), "account_full"],
  ["again as one of its account's twenty-five", ofAccount(25), "admitted", ofAccount(25)[7]],
  ["as its key's sixth and its account's twenty-sixth", [...ofAccount(20), ...connections(1, 5)], "key_full"],
  ["as its account's twenty-sixth to a full shard", [...full.slice(25), ...ofAccount(25)], "account_full"],
  ["as the thousandth of the shard", full.slice(1), "admitted"],
  ["as the thousand and first of the shard", full, "shard_full"],
  ["again as one of the thousand", full, "admitted", full[500]],
  ["as its key's sixth to a full shard", [...full.slice(5), ...connections(1, 5)], "key_full"],
])("a connection %s gets $2", (_, present, joining, candidate = newcomer) => {
  expect(decideJoin(candidate, present, 1_000)).toBe(joining);
});

test("one account cannot fill a shard with any number of keys", () => {
  const joined: CountedConnection[] = [];
  for (let n = 0; n < 2_000; n++) {
    const candidate = { connection: String(n), keyId: n, accountId: 1 };
    if (decideJoin(candidate, joined, 1_000) === "admitted") joined.push(candidate);
  }
  expect(joined).toHaveLength(25);
  expect(decideJoin({ connection: "other", keyId: 5_000, accountId: 2 }, joined, 1_000)).toBe("admitted");
});
