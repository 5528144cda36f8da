import { fork, type ChildProcess } from "node:child_process";
import type { Arrival, ReceiverRequest } from "./receivers-process.ts";

/** Receivers on loopback, in their own process. */
export interface Receivers {
  /** The URL of a receiver that accepts, hangs, or sometimes responds with 503. */
  url(name: string, kind: "fine" | "hanging" | "shaky"): string;
  /** The deliveries accepted since the last call. */
  arrivals(): Promise<readonly Arrival[]>;
  stop(): void;
}

export async function startReceivers(): Promise<Receivers> {
  const child = fork("scripts/bench/webhooks/receivers-process.ts", {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const port = await ask<number>(child, "start");
  return {
    url: (name, kind) => `http://127.0.0.1:${port}/${kind}/${name}`,
    arrivals: () => ask<Arrival[]>(child, "arrivals"),
    stop: () => child.kill("SIGKILL"),
  };
}

/** The cast is safe: the child sends only responses to these requests. */
function ask<T>(child: ChildProcess, request: ReceiverRequest): Promise<T> {
  return new Promise((resolve) => {
    child.once("message", (message) => resolve(message as T));
    child.send(request);
  });
}
