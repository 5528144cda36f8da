import { startDistantPort, type DistantPort } from "./distant-port.ts";

/** The variables that name services over the network. */
const REMOTE = [
  "NEON_HTTP_ENDPOINT",
  "NEON_SOCKET_PROXY",
  "UPSTASH_REDIS_REST_URL",
  "PROVIDER_GAMMA_URL",
  "PROVIDER_DATA_URL",
  "PROVIDER_CLOB_URL",
  "PROVIDER_TRADES_SOCKET_URL",
  "PROVIDER_SPORTS_SOCKET_URL",
] as const;

export interface DistantServices {
  /** Those of a Worker from which the services are this far away. */
  readonly variables: Record<string, string>;
  stop(): Promise<void>;
}

/**
 * Puts Postgres, Redis and the provider a round trip away from the Worker that gets the variables, each on a line of its own.
 *
 * @param roundTripMs 0 leaves them as they are
 */
export async function placeServices(
  variables: Readonly<Record<string, string>>,
  roundTripMs: number,
): Promise<DistantServices> {
  const ports = new Map<string, DistantPort>();
  const moved: Record<string, string> = { ...variables };
  for (const name of roundTripMs === 0 ? [] : REMOTE) {
    const text = variables[name];
    const host = text === undefined ? undefined : /127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (text === undefined || host === undefined) throw new Error(`${name} names no service on this machine`);
    const port = ports.get(host) ?? (await startDistantPort(host, roundTripMs));
    ports.set(host, port);
    moved[name] = port.rename(text);
  }
  return {
    variables: moved,
    async stop() {
      await Promise.all([...ports.values()].map((port) => port.stop()));
    },
  };
}
