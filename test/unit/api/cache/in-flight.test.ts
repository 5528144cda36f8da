import { expect, test } from "vitest";
import { InFlight } from "../../../../src/api/cache/in-flight.ts";

test("computations that never finish do not stay in memory", () => {
  const inFlight = new InFlight();
  for (let index = 0; index <= 1_000; index += 1) inFlight.join(`key ${index}`, 0);
  expect(inFlight.join("key 1000", 1).isMine).toBe(false);
  expect(inFlight.join("key 0", 1).isMine).toBe(true);
});
