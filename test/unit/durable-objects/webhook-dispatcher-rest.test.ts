import { expect, test } from "vitest";
import { decideRest, type Standing } from "../../../durable-objects/webhook-dispatcher/decide-rest.ts";

const aStanding = (facts: Partial<Standing> = {}): Standing => ({ more: false, isAnyEvent: false, isAnyoneServed: true, ...facts });

test.for<[string, Partial<Standing>, number, number]>([
  ["not at all before it has read everything", { more: true }, 1, 0],
  ["not at all then, though nobody listens", { more: true, isAnyoneServed: false }, 1, 0],
  ["until the next sweep when it has", {}, 0, 15_000],
  ["a minute when there is nobody to tell", { isAnyoneServed: false }, 0, 60_000],
  ["so long, too, when what nobody is told of cannot be read yet", { isAnyoneServed: false, isAnyEvent: true }, 1, 60_000],
  ["a moment when something cannot be read yet", { isAnyEvent: true }, 1, 50],
  ["twice as long the next time", { isAnyEvent: true }, 2, 100],
  ["a second at most", { isAnyEvent: true }, 6, 1_000],
  ["a second however long that takes", { isAnyEvent: true }, 10_000, 1_000],
])("the dispatcher rests %s", ([, facts, inVain, restMs]) => {
  expect(decideRest(aStanding(facts), inVain)).toBe(restMs);
});
