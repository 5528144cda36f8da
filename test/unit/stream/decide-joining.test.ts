import { expect, test } from "vitest";
import { decideJoining, type Counted } from "../../../durable-objects/stream-fanout/decide-joining.ts";

/** So many connections of a key. */
const connections = (keyId: number, count: number): Counted[] =>
  Array.from({ length: count }, (_, n) => ({ connection: `${keyId}-${n}`, keyId }));

/** A thousand connections, none of the key 1. */
const full = Array.from({ length: 200 }, (_, key) => connections(100 + key, 5)).flat();
const newcomer: Counted = { connection: "new", keyId: 1 };

test.each<[string, Counted[], string, who?: Counted | undefined]>([
  ["to an empty shard", [], "admitted"],
  ["as its key's fifth", connections(1, 4), "admitted"],
  ["as its key's sixth", connections(1, 5), "key_full"],
  ["whatever other keys of the shard have", [...connections(1, 4), ...connections(17, 5), ...connections(33, 5)], "admitted"],
  ["again as one of its key's five", connections(1, 5), "admitted", { connection: "1-2", keyId: 1 }],
  ["as the thousandth of the shard", full.slice(1), "admitted"],
  ["as one more than that", full, "shard_full"],
  ["again as one of the thousand", full, "admitted", full[500]],
  ["as its key's sixth to a full shard", [...full.slice(5), ...connections(1, 5)], "key_full"],
])("who comes %s", (_, present, joining, who = newcomer) => {
  expect(decideJoining(who, present)).toBe(joining);
});
