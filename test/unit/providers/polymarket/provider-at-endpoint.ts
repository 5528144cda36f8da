import type { Config } from "../../../../src/config.ts";
import { throughRelay } from "../../../../src/providers/polymarket/http/through-relay.ts";
import { createPolymarketProvider } from "../../../../src/providers/polymarket/client.ts";
import type { ProviderEndpoint } from "../../../../scripts/provider/index.ts";
import type { ProviderPage, Provider } from "../../../../src/platform/provider.ts";

/**
 * The provider adapter at a loopback endpoint, over real HTTP. `waits` records the back-offs between
 * attempts, in milliseconds, which are not waited for.
 */
export function providerAt(
  endpoint: Pick<ProviderEndpoint, "gammaUrl" | "dataUrl" | "clobUrl">,
  relay: Config["provider"]["relay"] = null,
): { provider: Provider; waits: number[] } {
  const waits: number[] = [];
  const provider = createPolymarketProvider({
    config: endpoint,
    fetch: throughRelay(relay, (url, init) => fetch(url, init)),
    clock: {
      now: Date.now,
      // The abortable wait is an attempt's timeout, which never fires here; the others are back-offs.
      wait: (ms, signal) =>
        signal === undefined ? Promise.resolve(void waits.push(ms)) : new Promise(() => undefined),
    },
    random: () => 0,
  });
  return { provider, waits };
}

/** The pages of a walk joined into one, up to its end or at most `mostPages`. */
export async function walk<Row>(
  list: (cursor: string | null) => Promise<ProviderPage<Row>>,
  mostPages = Infinity,
): Promise<ProviderPage<Row>> {
  let page = await list(null);
  const rows = [...page.rows];
  const quarantined = [...page.quarantined];
  for (let pages = 1; page.nextCursor !== null && pages < mostPages; pages++) {
    page = await list(page.nextCursor);
    rows.push(...page.rows);
    quarantined.push(...page.quarantined);
  }
  return { rows, quarantined: quarantined, nextCursor: page.nextCursor };
}
