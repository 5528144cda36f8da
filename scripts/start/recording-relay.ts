import { randomBytes } from "node:crypto";
import { openRecording } from "../relay/recording/open-recording.ts";
import { startRelay } from "../relay/relay-server.ts";
import type { ChosenProvider } from "./choose-provider.ts";

const TIMEOUT_MS = 9_000;

/** Starts a relay on loopback that records what the Worker reads. @returns the relay's variables of the Worker */
export async function startRecordingRelay(
  provider: Pick<ChosenProvider, "gammaUrl" | "dataUrl" | "clobUrl" | "tradesSocketUrl" | "sportsSocketUrl">,
  dir: string,
): Promise<{ variables: Record<string, string>; stop(): Promise<void> }> {
  const { gammaUrl, dataUrl, clobUrl, tradesSocketUrl, sportsSocketUrl } = provider;
  const token = randomBytes(32).toString("base64url");
  const relay = await startRelay({
    token,
    allowedHosts: [gammaUrl, dataUrl, clobUrl, tradesSocketUrl, sportsSocketUrl].map((url) => new URL(url).host),
    ...{ timeoutMs: TIMEOUT_MS, bind: "127.0.0.1", port: 0 },
    recording: openRecording(
      dir,
      () => new Date(),
      (target, error) => console.error(`Not recorded: ${target.pathname}: ${String(error)}`),
    ),
  });
  return { variables: { PROVIDER_RELAY_URL: relay.url, PROVIDER_RELAY_TOKEN: token }, stop: () => relay.stop() };
}
