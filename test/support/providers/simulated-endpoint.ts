import { startProviderEndpoint, type ProviderEndpoint } from "../../../scripts/provider/index.ts";
import { FakeTime } from "./fake-time.ts";

const log = { error: () => undefined };

/** The simulated world of seed 7 at a time that stands still. The caller stops it. */
export const aSimulatedEndpoint = (atMs: number): Promise<ProviderEndpoint> =>
  startProviderEndpoint({ source: { kind: "simulate", seed: 7, now: () => atMs }, log });

/** The simulated world of seed 7 with a clock, also of its sockets, that advances on request. The caller stops it. */
export async function aSteppedEndpoint(startMs: number): Promise<{ endpoint: ProviderEndpoint; time: FakeTime }> {
  const time = new FakeTime(startMs);
  return { endpoint: await startProviderEndpoint({ source: { kind: "simulate", seed: 7 }, log, clock: time }), time };
}
