import { RecentMap } from "../lib/recent-map.ts";
import type { IpVerdict } from "./ip-budget.ts";

export const WINDOW_MS = 60_000;
/** Beyond it the caller longest silent is forgotten. What an isolate can admit in a minute bounds the memory of each. */
const MAX_CALLERS = 10_000;

/** An exact sliding minute in the isolate's memory: no span of 60 s, wherever it starts, admits more than the limit. */
export class IsolateWindow {
  /** When each request still in the window was admitted, oldest first. */
  readonly #admitted = new RecentMap<number[]>(MAX_CALLERS);

  /** @param limit requests a minute, the same in every call for this caller */
  spend(caller: string, limit: number, nowMs: number): IpVerdict {
    const admitted = (this.#admitted.find(caller) ?? []).filter((atMs) => atMs > nowMs - WINDOW_MS);
    const oldest = admitted[0] ?? nowMs;
    const refused = admitted.length >= limit;
    if (!refused) admitted.push(nowMs);
    this.#admitted.set(caller, admitted);
    return {
      refusedBy: refused ? "limited" : null,
      retryAtMs: refused ? oldest + WINDOW_MS : null,
      limit,
      remaining: limit - admitted.length,
      resetAtMs: (admitted.at(-1) ?? nowMs) + WINDOW_MS,
    };
  }
}
