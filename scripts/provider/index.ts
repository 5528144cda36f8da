import type { AddressInfo } from "node:net";
import { systemClock, type Clock } from "../../src/lib/timing/clock.ts";
import { FaultPlan, type Fault } from "./http/faults.ts";
import { createHttpServer, type ServerLog } from "./http/server.ts";
import { createReplayWorld } from "./replay/replay-world.ts";
import { createSimulatedWorld } from "./simulate/simulated-world.ts";
import { attachSockets } from "./sockets/attach.ts";
import type { ProviderWorld } from "./provider-world.ts";

export type { Fault } from "./http/faults.ts";

export type ProviderSource =
  /**
   * Recorded files. `max` shows everything at once; a number plays the recording that many times faster than
   * real time.
   */
  | { readonly kind: "replay"; readonly dir: string; readonly speed: number | "max" }
  /** Generated activity, a function of seed and time. */
  | { readonly kind: "simulate"; readonly seed: number; readonly now?: () => number };

export interface ProviderEndpointOptions {
  /** A free port when absent or 0. */
  readonly port?: number;
  readonly source: ProviderSource;
  readonly faults?: readonly Fault[];
  readonly log: ServerLog;
  /** The time of replays, and the timers of the sockets. The system clock when absent. */
  readonly clock?: Clock;
}

export interface ProviderEndpoint {
  readonly gammaUrl: string;
  readonly dataUrl: string;
  readonly clobUrl: string;
  readonly tradesSocketUrl: string;
  readonly sportsSocketUrl: string;
  /** Distinct recorded trades served; null when the source is endless. */
  expectedTrades(): number | null;
  /** A description of the served data: recorded or generated. */
  describe(): string;
  /** Replaces all faults, including pending ones. */
  setFaults(faults: readonly Fault[]): void;
  stop(): Promise<void>;
}

/** Serves the provider's own HTTP and WebSocket surface on loopback. */
export async function startProviderEndpoint(options: ProviderEndpointOptions): Promise<ProviderEndpoint> {
  const clock = options.clock ?? systemClock;
  const world = await createWorld(options.source, clock);
  const faults = new FaultPlan();
  faults.set(options.faults ?? []);
  const server = createHttpServer(world, faults, options.log);
  const closeSockets = attachSockets(server, world, faults, clock);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  // The address of a TCP server is an object; only a pipe's is a string.
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    gammaUrl: `http://${host}/gamma`,
    dataUrl: `http://${host}/data`,
    clobUrl: `http://${host}/clob`,
    tradesSocketUrl: `ws://${host}/rtds`,
    sportsSocketUrl: `ws://${host}/sports`,
    expectedTrades: () => world.expectedTrades(),
    describe: () => world.describe(),
    setFaults: (next) => faults.set(next),
    stop: () =>
      new Promise((resolve) => {
        closeSockets();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function createWorld(source: ProviderSource, clock: Clock): Promise<ProviderWorld> {
  if (source.kind === "replay") return createReplayWorld(source.dir, source.speed, clock.now);
  return createSimulatedWorld(source.seed, source.now ?? clock.now);
}
