import { expect, test } from "vitest";
import { decideRetryDelay } from "../../../queues/ingest.ts";
import { ProviderRefused, ProviderUnavailable } from "../../../src/ports/provider.ts";

test.each([
  ["two seconds at first", new Error("away"), 1, 2],
  ["twice as long with each attempt", new ProviderUnavailable("away", null), 4, 16],
  ["five minutes at most", new ProviderRefused("no"), 12, 300],
  ["what the provider asked for, in whole seconds", new ProviderUnavailable("busy", 1_200), 9, 2],
  ["a second at least", new ProviderUnavailable("busy", 0), 1, 1],
  ["no longer than a queue can delay", new ProviderUnavailable("closed", 864_000_000), 1, 43_200],
])("work that failed waits %s", (_, error, attempts, seconds) => {
  expect(decideRetryDelay(error, attempts)).toBe(seconds);
});
