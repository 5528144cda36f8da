import { startRelay } from "./relay-server.ts";

/*
 * Starts the relay of docs/deploy.md. TLS ends before it.
 *   RELAY_TOKEN   the value of PROVIDER_RELAY_TOKEN, at least 32 characters
 *   RELAY_HOSTS   the hosts that it forwards to, separated by commas
 *   RELAY_BIND    the address that it listens at (127.0.0.1)
 *   RELAY_PORT    the port (8080)
 */
const PROVIDER_HOSTS = [
  "gamma-api.polymarket.com",
  "data-api.polymarket.com",
  "clob.polymarket.com",
  "ws-live-data.polymarket.com",
  "sports-api.polymarket.com",
];
/** Below the 10 seconds of the product's client, so that it learns the reason. */
const TIMEOUT_MS = 9_000;

const { RELAY_TOKEN = "", RELAY_HOSTS = "", RELAY_BIND = "127.0.0.1", RELAY_PORT = "8080" } = process.env;
const hosts = RELAY_HOSTS.split(",").filter((host) => host !== "");

try {
  const relay = await startRelay({
    token: RELAY_TOKEN,
    allowedHosts: hosts.length === 0 ? PROVIDER_HOSTS : hosts,
    timeoutMs: TIMEOUT_MS,
    bind: RELAY_BIND,
    port: Number(RELAY_PORT),
  });
  console.log(`The relay listens at ${relay.url}.`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void relay.stop());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
