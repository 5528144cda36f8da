import { createRandom } from "../../../scripts/provider/simulate/random.ts";
import { createPolymarketProvider, type PolymarketProvider } from "../../../src/providers/polymarket/client.ts";
import { FakeTime } from "./fake-time.ts";

/** What the network does with one request: respond, fail or hang. */
export type NetworkStep =
  | { status?: number; headers?: Record<string, string>; json?: unknown; text?: string }
  | "unreachable"
  | "silent";

export interface SentRequest {
  readonly url: URL;
  readonly method: string;
  readonly body: unknown;
}

/** A provider whose network follows a script, step by step, on a fake clock. */
export function aScriptedProvider(...steps: NetworkStep[]): {
  provider: PolymarketProvider;
  sent: SentRequest[];
  time: FakeTime;
} {
  const time = new FakeTime();
  const sent: SentRequest[] = [];
  const provider = createPolymarketProvider({
    config: { gammaUrl: "https://gamma.test", dataUrl: "https://data.test", clobUrl: "https://clob.test" },
    clock: time,
    random: createRandom("scripted provider").next,
    async fetch(url, init) {
      sent.push({
        url: new URL(url),
        method: init.method ?? "GET",
        body: typeof init.body === "string" ? JSON.parse(init.body) : null,
      });
      const step = steps[sent.length - 1];
      if (step === undefined) throw new Error(`the script has no step ${sent.length}`);
      if (step === "unreachable") throw new TypeError("fetch failed");
      if (step === "silent") return new Promise(() => undefined);
      return new Response(step.text ?? JSON.stringify(step.json), {
        status: step.status ?? 200,
        headers: step.headers ?? {},
      });
    },
  });
  return { provider, sent, time };
}

/** A Data API page. */
export const dataPage = (rows: readonly unknown[], cursor: string | null = null): NetworkStep => ({
  json: { data: rows, pagination: { limit: 1000, offset: 0, has_more: cursor !== null, next_cursor: cursor } },
});

/** A Gamma page. */
export const marketPage = (rows: readonly unknown[], cursor?: string): NetworkStep => ({
  json: { markets: rows, ...(cursor === undefined ? {} : { next_cursor: cursor }) },
});
