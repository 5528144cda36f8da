import { expect, test } from "vitest";
import { decidePause, type DispatchState } from "../../../durable-objects/webhook-dispatcher/decide-pause.ts";

const aDispatchState = (facts: Partial<DispatchState> = {}): DispatchState => ({
  more: false,
  hasEvents: false,
  hasReceivers: true,
  ...facts,
});

test.for<[string, Partial<DispatchState>, number, number]>([
  ["not at all before it has read everything", { more: true }, 1, 0],
  ["not at all before it has read everything, even without subscribers", { more: true, hasReceivers: false }, 1, 0],
  ["until the next sweep when it has read everything", {}, 0, 15_000],
  ["a minute without subscribers", { hasReceivers: false }, 0, 60_000],
  [
    "a minute without subscribers, even if an event cannot be read yet",
    { hasReceivers: false, hasEvents: true },
    1,
    60_000,
  ],
  ["50 ms when an event cannot be read yet", { hasEvents: true }, 1, 50],
  ["twice as long after the second such read", { hasEvents: true }, 2, 100],
  ["at most a second", { hasEvents: true }, 6, 1_000],
  ["at most a second after any number of such reads", { hasEvents: true }, 10_000, 1_000],
])("the dispatcher pauses %s", ([, facts, emptyReads, pauseMs]) => {
  expect(decidePause(aDispatchState(facts), emptyReads)).toBe(pauseMs);
});
