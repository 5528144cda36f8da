import { expect, onTestFinished, test } from "vitest";
import { startBenchServices } from "../../../scripts/bench/bench-services.ts";
import { bundleProduct } from "../../../scripts/bench/bundles.ts";
import { measureDistance, READ_KINDS } from "../../../scripts/bench/distance/measure-distance.ts";

/**
 * What a read waits for in the built Worker: the meter, beside it one request to Redis for the response or the versions of
 * its tags, and one statement if it is not cached. A public read of an address that the isolate knows waits for nothing.
 */
const HOPS = {
  public: { redis: 0, meter: 0, postgres: 0 },
  cached: { redis: 0, meter: 1, postgres: 0 },
  uncached: { redis: 0, meter: 1, postgres: 1 },
  list: { redis: 0, meter: 1, postgres: 1 },
  batch: { redis: 0, meter: 1, postgres: 1 },
};

test("a read of the built Worker never waits for Redis, and with a key for the meter and at most one statement", async () => {
  const services = await startBenchServices(null);
  onTestFinished(() => services.stop());
  const nowhere = "http://127.0.0.1:1";
  const variables = {
    ...services.variables,
    ...{ PROVIDER_GAMMA_URL: nowhere, PROVIDER_DATA_URL: nowhere, PROVIDER_CLOB_URL: nowhere },
    ...{ PROVIDER_TRADES_SOCKET_URL: "ws://127.0.0.1:1", PROVIDER_SPORTS_SOCKET_URL: "ws://127.0.0.1:1" },
  };
  const [figures] = await measureDistance(bundleProduct(), { ...services, variables }, [40], 5);
  expect(figures?.reads.map(({ kind }) => kind)).toEqual(READ_KINDS);
  expect(Object.fromEntries(figures?.reads.map(({ kind, hops }) => [kind, hops]) ?? [])).toEqual(HOPS);
});
