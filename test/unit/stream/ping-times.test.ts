import { expect, test } from "vitest";
import { PingTimes } from "../../../durable-objects/stream-fanout/ping-times.ts";

/** Looks every 20 seconds, as heartbeats do. @returns the seconds at which the connection was silent */
function silentAt(pingAt: (second: number) => number | null, seconds: number): number[] {
  const times = new PingTimes<object>();
  const connection = {};
  const silent: number[] = [];
  for (let second = 0; second <= seconds; second += 20)
    if (times.isSilent(connection, pingAt(second), second * 1_000)) silent.push(second);
  return silent;
}

test("a connection that never pings is silent 90 seconds after the first look", () => {
  expect(silentAt(() => null, 140)).toEqual([100, 120, 140]);
});

test("a connection that pings every 30 seconds is never silent, whatever the clock of its pings", () => {
  expect(silentAt((second) => Math.floor(second / 30), 600)).toEqual([]);
});

test("a connection whose pings end is silent 90 seconds after the last one was noticed", () => {
  expect(silentAt((second) => Math.min(second, 200), 400)).toEqual([300, 320, 340, 360, 380, 400]);
});

test("connections are apart", () => {
  const times = new PingTimes<object>();
  const [first, second] = [{}, {}];
  times.isSilent(first, null, 0);
  times.isSilent(second, null, 60_000);
  expect([times.isSilent(first, null, 90_000), times.isSilent(second, null, 90_000)]).toEqual([true, false]);
});
