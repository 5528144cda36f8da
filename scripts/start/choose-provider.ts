import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Source } from "./arguments.ts";
import { startChild, stopChild } from "./child.ts";
import type { ProviderReady } from "./provider-process.ts";

export interface ChosenProvider extends ProviderReady {
  /** `live`, `replay` or `simulate`. */
  readonly kind: string;
  /** Identifies the data source, so that another source is not mixed into the data. */
  readonly identity: string;
  stop(): Promise<void>;
}

const PROBE_MS = 3_000;

/** Chooses a provider and starts it if it is a local one. */
export async function chooseProvider(source: Source): Promise<ChosenProvider> {
  if (source.kind === "live") return liveProvider();
  if (source.kind === "auto") {
    const live = liveProvider();
    return (await isReachable(`${live.dataUrl}/v2/status`)) ? live : startProvider({ kind: "simulate", seed: 1 });
  }
  return startProvider(source);
}

async function startProvider(source: Extract<Source, { kind: "simulate" | "replay" }>): Promise<ChosenProvider> {
  const child = startChild(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "scripts/start/provider-process.ts", JSON.stringify(source)],
    {
      env: process.env,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    },
  );
  const ready = await firstMessage(child);
  const identity = source.kind === "simulate" ? `simulate seed ${source.seed}` : `replay ${source.dir}`;
  return { ...ready, kind: source.kind, identity, stop: () => stopChild(child) };
}

/** The real hosts of wrangler.toml. */
function liveProvider(): ChosenProvider {
  const toml = readFileSync("wrangler.toml", "utf8");
  const variable = (name: string) => new RegExp(`^${name} = "(.*)"$`, "m").exec(toml)?.[1] ?? "";
  return {
    gammaUrl: variable("PROVIDER_GAMMA_URL"),
    dataUrl: variable("PROVIDER_DATA_URL"),
    clobUrl: variable("PROVIDER_CLOB_URL"),
    tradesSocketUrl: variable("PROVIDER_TRADES_SOCKET_URL"),
    sportsSocketUrl: variable("PROVIDER_SPORTS_SOCKET_URL"),
    expectedTrades: null,
    description: "the live provider",
    kind: "live",
    identity: "live",
    stop: async () => undefined,
  };
}

function isReachable(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(PROBE_MS) }).then(
    (response) => response.ok,
    () => false,
  );
}

function firstMessage(child: ChildProcess): Promise<ProviderReady> {
  return new Promise((resolve, reject) => {
    // The cast is safe: the child sends only this message.
    child.once("message", (message) => resolve(message as ProviderReady));
    child.once("exit", (code) => reject(new Error(`the provider endpoint ended while starting (exit code ${code})`)));
  });
}
