import { createPolymarketProvider } from "../../../../src/providers/polymarket/client.ts";
import type { ProviderEndpoint } from "../../../../scripts/provider/index.ts";
import type { Page, Provider } from "../../../../src/ports/provider.ts";

/** The adapter at a loopback endpoint, over real HTTP. `waits` are the rests it would have made between attempts, in milliseconds. */
export function providerAt(endpoint: ProviderEndpoint): { provider: Provider; waits: number[] } {
  const waits: number[] = [];
  const provider = createPolymarketProvider({
    config: endpoint,
    fetch: (url, init) => fetch(url, init),
    now: Date.now,
    // The sleep that can be aborted is an attempt's timeout, which never comes here; the others are rests.
    sleep: (ms, signal) => (signal === undefined ? Promise.resolve(void waits.push(ms)) : new Promise(() => undefined)),
    random: () => 0,
  });
  return { provider, waits };
}

/** The pages of a walk as one, to its end or as many as told. */
export async function walk<Row>(list: (cursor: string | null) => Promise<Page<Row>>, mostPages = Infinity): Promise<Page<Row>> {
  let page = await list(null);
  const rows = [...page.rows];
  const misfits = [...page.misfits];
  for (let pages = 1; page.nextCursor !== null && pages < mostPages; pages++) {
    page = await list(page.nextCursor);
    rows.push(...page.rows);
    misfits.push(...page.misfits);
  }
  return { rows, misfits, nextCursor: page.nextCursor };
}
