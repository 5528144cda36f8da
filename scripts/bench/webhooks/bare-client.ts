import { fork } from "node:child_process";

/** What is posted, and by whom it is signed. */
export interface BarePost {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  readonly secret: string;
}

export interface BareRequest {
  readonly posts: readonly BarePost[];
  /** Posts under way at once. */
  readonly concurrency: number;
}

/** Signs and posts from a Node process that does nothing else. @returns how long that took, seconds */
export function measureBareClient(request: BareRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork("scripts/bench/webhooks/bare-client-process.ts", { execArgv: ["--disable-warning=ExperimentalWarning"] });
    // The child is ours and answers nothing else.
    child.once("message", (seconds) => resolve(seconds as number));
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? undefined : reject(new Error(`the bare client ended with exit code ${code}`))));
    child.send(request);
  });
}
