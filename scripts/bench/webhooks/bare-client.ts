import { fork } from "node:child_process";

/** A request to sign and post. */
export interface BarePost {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  readonly secret: string;
}

export interface BareRequest {
  readonly posts: readonly BarePost[];
  /** Concurrent posts. */
  readonly concurrency: number;
}

/** Signs and posts from a Node process that does nothing else. @returns the duration in seconds */
export function measureBareClient(request: BareRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork("scripts/bench/webhooks/bare-client-process.ts", {
      execArgv: ["--disable-warning=ExperimentalWarning"],
    });
    // The cast is safe: the child sends only this message.
    child.once("message", (seconds) => resolve(seconds as number));
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0 ? undefined : reject(new Error(`the bare client ended with exit code ${code}`)),
    );
    child.send(request);
  });
}
