import type { Config } from "../../src/config.ts";
import { describeError } from "../../src/platform/log/console-log.ts";
import { relayHeaders, requireForwarded } from "../../src/providers/polymarket/http/through-relay.ts";
import { fault, type Finding } from "./finding.ts";
import type { PreflightPorts } from "./ports.ts";

type ProviderConfig = Config["provider"];

/** Whether the provider's services answer, through the relay if one is configured. */
export async function checkProvider(config: ProviderConfig, ports: PreflightPorts): Promise<readonly Finding[]> {
  const refused = await checkRelay(config, ports);
  if (refused.length > 0) return refused;
  return (
    await Promise.all([
      request("PROVIDER_GAMMA_URL", `${config.gammaUrl}/events?limit=1`, config, ports),
      request("PROVIDER_DATA_URL", `${config.dataUrl}/trades?limit=1`, config, ports),
      request("PROVIDER_CLOB_URL", `${config.clobUrl}/time`, config, ports),
      open("PROVIDER_TRADES_SOCKET_URL", config.tradesSocketUrl, config, ports),
      open("PROVIDER_SPORTS_SOCKET_URL", config.sportsSocketUrl, config, ports),
    ])
  ).flat();
}

/** A relay that is away or refuses the token is one fault, not one for each service behind it. */
async function checkRelay(
  { relay, clobUrl }: ProviderConfig,
  { fetch: send }: PreflightPorts,
): Promise<readonly Finding[]> {
  if (relay === null) return [];
  try {
    const { headers } = await send(relay.url, { headers: relayHeaders(relay, `${clobUrl}/time`), redirect: "manual" });
    const outcome = headers.get("relay-outcome");
    if (outcome === "unauthorized") return [fault("The relay refuses PROVIDER_RELAY_TOKEN.")];
    return outcome === null ? [fault("PROVIDER_RELAY_URL is no relay: its answer has no Relay-Outcome.")] : [];
  } catch (error) {
    return [fault(`PROVIDER_RELAY_URL does not answer (${describeError(error)}).`)];
  }
}

async function request(
  name: string,
  url: string,
  { relay }: ProviderConfig,
  { fetch: send }: PreflightPorts,
): Promise<readonly Finding[]> {
  try {
    const headers = relay === null ? {} : relayHeaders(relay, url);
    const response = await send(relay?.url ?? url, { headers, redirect: "manual" });
    if (relay !== null) requireForwarded(response);
    return response.ok ? [] : [fault(`${name} answers with status ${response.status}.`)];
  } catch (error) {
    return [fault(`${name} does not answer (${describeError(error)}).`)];
  }
}

function open(
  name: string,
  url: string,
  { relay }: ProviderConfig,
  { openSocket }: PreflightPorts,
): Promise<readonly Finding[]> {
  const opening =
    relay === null ? openSocket(url) : openSocket(relay.url.replace(/^http/, "ws"), relayHeaders(relay, url));
  return opening.then(
    () => [],
    (error: unknown) => [fault(`${name} opens no socket (${describeError(error)}).`)],
  );
}
