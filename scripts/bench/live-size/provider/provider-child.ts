import { fork, type ChildProcess } from "node:child_process";
import type { LiveSize } from "../live-size.ts";
import type { ProviderObservations } from "./observed-trades.ts";
import type { BudgetName, WindowCounts } from "./request-windows.ts";

export type ProviderRequest =
  | { readonly kind: "begin"; readonly seconds: number }
  | { readonly kind: "refuse"; readonly isRefusing: boolean }
  | { readonly kind: "requests" }
  | { readonly kind: "observations" };

export type ProviderReply =
  | { readonly kind: "ready"; readonly port: number }
  | { readonly kind: "requests"; readonly requests: Partial<Record<BudgetName, WindowCounts>> }
  | { readonly kind: "observations"; readonly observations: ProviderObservations };

type ReplyOf<Kind extends ProviderReply["kind"]> = Extract<ProviderReply, { kind: Kind }>;

/** The live provider in its own process. */
export interface ProviderChild {
  readonly url: string;
  begin(seconds: number): void;
  refuse(isRefusing: boolean): void;
  readRequests(): Promise<Partial<Record<BudgetName, WindowCounts>>>;
  readObservations(): Promise<ProviderObservations>;
  stop(): void;
}

export async function forkLiveProvider(size: LiveSize, historyEndMs: number): Promise<ProviderChild> {
  const child = fork("scripts/bench/live-size/provider/provider-process.ts", [JSON.stringify({ size, historyEndMs })], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const send = (request: ProviderRequest) => void child.send(request);
  const { port } = await nextReply(child, "ready");
  return {
    url: `http://127.0.0.1:${port}`,
    begin: (seconds) => send({ kind: "begin", seconds }),
    refuse: (isRefusing) => send({ kind: "refuse", isRefusing }),
    async readRequests() {
      send({ kind: "requests" });
      return (await nextReply(child, "requests")).requests;
    },
    async readObservations() {
      send({ kind: "observations" });
      return (await nextReply(child, "observations")).observations;
    },
    stop: () => child.kill(),
  };
}

function nextReply<Kind extends ProviderReply["kind"]>(child: ChildProcess, kind: Kind): Promise<ReplyOf<Kind>> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => {
      // The cast is safe: the child sends only these messages.
      const reply = message as ProviderReply;
      if (reply.kind !== kind) return;
      child.off("message", onMessage);
      child.off("exit", onExit);
      resolve(reply as ReplyOf<Kind>);
    };
    const onExit = (code: number | null) => reject(new Error(`the provider has ended (exit code ${code})`));
    child.on("message", onMessage);
    child.once("exit", onExit);
  });
}
