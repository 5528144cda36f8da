import { fork, type ChildProcess } from "node:child_process";
import type { Arrival, ReceiverRequest } from "./receivers-process.ts";

/** Receivers on loopback, in a process of their own. */
export interface Receivers {
  /** Of a receiver that accepts, that hangs, or that now and then answers 503. */
  url(name: string, kind: "fine" | "hanging" | "shaky"): string;
  /** What has been accepted since it was last asked. */
  arrivals(): Promise<readonly Arrival[]>;
  stop(): void;
}

export async function startReceivers(): Promise<Receivers> {
  const child = fork("scripts/bench/webhooks/receivers-process.ts", { execArgv: ["--disable-warning=ExperimentalWarning"] });
  const port = await ask<number>(child, "start");
  return {
    url: (name, kind) => `http://127.0.0.1:${port}/${kind}/${name}`,
    arrivals: () => ask<Arrival[]>(child, "arrivals"),
    stop: () => child.kill("SIGKILL"),
  };
}

/** The child is ours and answers nothing but what it was asked. */
function ask<T>(child: ChildProcess, request: ReceiverRequest): Promise<T> {
  return new Promise((resolve) => {
    child.once("message", (message) => resolve(message as T));
    child.send(request);
  });
}
