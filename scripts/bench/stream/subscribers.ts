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

const HeardFrame = z.object({
  id: z.number(),
  /** How often it came. */
  count: z.number(),
  /** When it came last, and when the stream says it was published; Unix milliseconds. */
  lastMs: z.number(),
  publishedMs: z.number().nullable(),
});

/** A frame as all subscribers together have heard it. */
export type HeardFrame = z.output<typeof HeardFrame>;

/** Many connections in a process of their own. */
export interface Subscribers {
  open(port: number, requests: readonly StreamRequest[]): Promise<void>;
  /** Waits until each has heard so many frames since the last `forget`. @returns the frames in the order of their numbers */
  until(frames: number, withinMs: number): Promise<HeardFrame[]>;
  forget(): Promise<void>;
  close(): Promise<void>;
  stop(): void;
}

const Answer = z.object({ failed: z.string().optional(), frames: z.array(HeardFrame).optional() });
const LOOK_MS = 200;

export function startSubscribers(): Subscribers {
  const child = fork("scripts/bench/stream/subscribers-process.ts", { execArgv: ["--disable-warning=ExperimentalWarning"] });
  let connections = 0;

  async function ask(request: SubscribersRequest): Promise<z.output<typeof Answer>> {
    const answered = once(child, "message");
    child.send(request);
    const answer = Answer.parse((await answered)[0]);
    if (answer.failed !== undefined) throw new Error(answer.failed);
    return answer;
  }

  async function until(frames: number, withinMs: number): Promise<HeardFrame[]> {
    for (const endsAt = Date.now() + withinMs; ; await sleep(LOOK_MS)) {
      const heard = (await ask({ kind: "report" })).frames ?? [];
      if (heard.length >= frames && heard.every(({ count }) => count === connections)) return heard.toSorted((a, b) => a.id - b.id);
      if (Date.now() < endsAt) continue;
      const lacking = heard.filter(({ count }) => count !== connections).length;
      throw new Error(`${heard.length} of ${frames} frames came, ${lacking} of them not to each of ${connections} connections`);
    }
  }

  return {
    async open(port, requests) {
      await ask({ kind: "open", port, requests });
      connections += requests.length;
    },
    until,
    forget: async () => void (await ask({ kind: "forget" })),
    async close() {
      await ask({ kind: "close" });
      connections = 0;
    },
    stop: () => void child.kill(),
  };
}
