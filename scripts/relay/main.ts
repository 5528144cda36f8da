import { startRelay, type Recording } from "./relay-server.ts";

/*
 * Starts the relay of docs/deploy.md. TLS ends before it.
 *   RELAY_TOKEN   the value of PROVIDER_RELAY_TOKEN, at least 32 characters
 *   RELAY_HOSTS   the hosts that it forwards to, separated by commas
 *   RELAY_BIND    the address that it listens at (127.0.0.1)
 *   RELAY_PORT    the port (8080)
 *   RELAY_RECORD  the directory of a recording of the responses; without it nothing is kept
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
const { RELAY_RECORD = "" } = process.env;
const hosts = RELAY_HOSTS.split(",").filter((host) => host !== "");

try {
  const relay = await startRelay({
    token: RELAY_TOKEN,
    allowedHosts: hosts.length === 0 ? PROVIDER_HOSTS : hosts,
    timeoutMs: TIMEOUT_MS,
    bind: RELAY_BIND,
    port: Number(RELAY_PORT),
    recording: RELAY_RECORD === "" ? null : await openRecording(RELAY_RECORD),
  });
  console.log(`The relay listens at ${relay.url}.`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void relay.stop());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/** Loaded only here: a relay without a recording needs no package. */
async function openRecording(dir: string): Promise<Recording> {
  const { openRecording: open } = await import("./recording/open-recording.ts");
  return open(
    dir,
    () => new Date(),
    (target, error) => console.error(`not recorded: ${target.pathname}: ${String(error)}`),
  );
}
