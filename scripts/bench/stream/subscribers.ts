import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

export interface StreamRequest {
  readonly path: string;
  readonly headers: Record<string, string>;
}

export type SubscribersRequest =
  | { readonly kind: "open"; readonly port: number; readonly requests: readonly StreamRequest[] }
  | { readonly kind: "report" }
  | { readonly kind: "forget" }
  | { readonly kind: "close" };

const ReceivedFrame = z.object({
  id: z.number(),
  /** How many connections received the frame. */
  count: z.number(),
  /** Time of the last arrival, and the publication time in the frame; Unix milliseconds. */
  lastMs: z.number(),
  publishedMs: z.number().nullable(),
});

/** A frame as received by all subscribers together. */
export type ReceivedFrame = z.output<typeof ReceivedFrame>;

/** Many connections in one child process. */
export interface Subscribers {
  /** @throws when one is refused */
  open(port: number, requests: readonly StreamRequest[]): Promise<void>;
  /** @returns how many were refused */
  tryOpen(port: number, requests: readonly StreamRequest[]): Promise<number>;
  /**
   * Waits until each connection has `frames` frames since the last `forget`.
   *
   * @returns the frames by id, ascending
   */
  until(frames: number, withinMs: number): Promise<ReceivedFrame[]>;
  forget(): Promise<void>;
  close(): Promise<void>;
  stop(): void;
}

const ProcessResponse = z.object({
  failed: z.string().optional(),
  refusals: z.array(z.string()).optional(),
  ended: z.number().optional(),
  frames: z.array(ReceivedFrame).optional(),
});
const LOOK_MS = 200;

export function startSubscribers(): Subscribers {
  const child = fork("scripts/bench/stream/subscribers-process.ts", {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  let connections = 0;

  async function ask(request: SubscribersRequest): Promise<z.output<typeof ProcessResponse>> {
    const received = once(child, "message");
    child.send(request);
    const response = ProcessResponse.parse((await received)[0]);
    if (response.failed !== undefined) throw new Error(response.failed);
    return response;
  }

  async function open(port: number, requests: readonly StreamRequest[]): Promise<string[]> {
    const { refusals = [] } = await ask({ kind: "open", port, requests });
    connections += requests.length - refusals.length;
    return refusals;
  }

  async function until(frames: number, withinMs: number): Promise<ReceivedFrame[]> {
    for (const endsAt = Date.now() + withinMs; ; await sleep(LOOK_MS)) {
      const { frames: seen = [], ended = 0 } = await ask({ kind: "report" });
      if (seen.length >= frames && seen.every(({ count }) => count === connections))
        return seen.toSorted((a, b) => a.id - b.id);
      if (Date.now() < endsAt) continue;
      const lacking = seen.filter(({ count }) => count !== connections).length;
      throw new Error(
        `${seen.length} of ${frames} frames arrived, ${lacking} of them not on each of ${connections} connections; the source has ended ${ended}`,
      );
    }
  }

  return {
    async open(port, requests) {
      const [refusal] = await open(port, requests);
      if (refusal !== undefined) throw new Error(refusal);
    },
    tryOpen: async (port, requests) => (await open(port, requests)).length,
    until,
    forget: async () => void (await ask({ kind: "forget" })),
    async close() {
      await ask({ kind: "close" });
      connections = 0;
    },
    stop: () => void child.kill(),
  };
}
