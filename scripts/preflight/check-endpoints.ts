import type { Config } from "../../src/config.ts";
import { REGIONS, type Region } from "../../src/domain/regions.ts";
import { describeError } from "../../src/platform/log/console-log.ts";
import { systemClock } from "../../src/lib/timing/clock.ts";
import { openChain } from "../../src/providers/polygon/open-chain.ts";
import { checkProvider } from "./check-provider.ts";
import { fault, note, type Finding } from "./finding.ts";
import type { PreflightPorts } from "./ports.ts";

/** Whether the provider, DNS and the optional services answer from this machine. */
export async function checkEndpoints(
  config: Config,
  region: Region,
  ports: PreflightPorts,
): Promise<readonly Finding[]> {
  const { provider, webhooks } = config;
  return (
    await Promise.all([
      checkProvider(provider, ports),
      request("DNS_QUERY_URL", ports, `${webhooks.dnsQueryUrl}?name=example.com&type=A`, {
        headers: { accept: "application/dns-json" },
      }),
      checkMail(config, ports),
      checkCatalog(config, ports),
      checkChain(config, ports),
      checkBucket(config, region, ports),
    ])
  ).flat();
}

async function request(
  name: string,
  { fetch: send }: PreflightPorts,
  url: string,
  init: RequestInit,
): Promise<readonly Finding[]> {
  try {
    const { ok, status } = await send(url, { ...init, redirect: "manual" });
    return ok ? [] : [fault(`${name} answers with status ${status}.`)];
  } catch (error) {
    return [fault(`${name} does not answer (${describeError(error)}).`)];
  }
}

/** An empty message is never sent: the service refuses it, and a wrong token before it. */
async function checkMail({ mail }: Config, { fetch: send }: PreflightPorts): Promise<readonly Finding[]> {
  if (mail === null) return [];
  const headers = { authorization: `Bearer ${mail.token}`, "content-type": "application/json" };
  try {
    const { status } = await send(mail.endpoint, { method: "POST", headers, body: "{}", redirect: "manual" });
    if (status === 401 || status === 403) return [fault("The mail service refuses MAIL_TOKEN.")];
    return status === 404 || status >= 500 ? [fault(`MAIL_ENDPOINT answers with status ${status}.`)] : [];
  } catch (error) {
    return [fault(`MAIL_ENDPOINT does not answer (${describeError(error)}).`)];
  }
}

async function checkCatalog({ iceberg }: Config, ports: PreflightPorts): Promise<readonly Finding[]> {
  if (iceberg === null) return [];
  const url = `${iceberg.uri}/v1/config?warehouse=${encodeURIComponent(iceberg.warehouse)}`;
  return request("ICEBERG_CATALOG_URI", ports, url, { headers: { authorization: `Bearer ${iceberg.token}` } });
}

/** The client's messages do not repeat the address, which may contain a key. */
async function checkChain({ chain }: Config, { fetch: send }: PreflightPorts): Promise<readonly Finding[]> {
  if (chain === null) return [];
  const calls = { fetch: send, clock: systemClock, random: Math.random, attempts: 1, timeoutMs: CHAIN_TIMEOUT_MS };
  try {
    await openChain({ url: chain.rpcUrl, ...calls, blocksPerCall: 1, concurrency: 1 }).newestBlock();
    return [];
  } catch (error) {
    return [fault(`CHAIN_RPC_URL does not answer as a node of Polygon (${describeError(error)}).`)];
  }
}

const CHAIN_TIMEOUT_MS = 10_000;

/** Locations that R2 has. */
const BUCKET_LOCATIONS: readonly string[] = ["wnam", "enam", "weur", "eeur", "apac", "oc"];

async function checkBucket(
  { r2S3 }: Config,
  region: Region,
  { fetch: send }: PreflightPorts,
): Promise<readonly Finding[]> {
  if (r2S3 === null) return [];
  const { AwsClient } = await import("aws4fetch");
  const client = new AwsClient({ ...r2S3, service: "s3", region: "auto" });
  const signed = await client.sign(`${r2S3.endpoint}/${r2S3.bucket}?location`);
  try {
    const response = await send(signed.url, { headers: Object.fromEntries(signed.headers) });
    if (response.status === 404) return [fault(`There is no bucket ${r2S3.bucket}.`)];
    if (!response.ok) return [fault(`R2 refuses R2_ACCESS_KEY_ID for ${r2S3.bucket} with status ${response.status}.`)];
    const found = /<LocationConstraint[^>]*>([A-Za-z]+)</.exec(await response.text())?.[1]?.toLowerCase() ?? "auto";
    const isElsewhere = BUCKET_LOCATIONS.includes(found) && found !== REGIONS[region];
    return isElsewhere ? [note(`The bucket ${r2S3.bucket} is in ${found}, not beside ${region}.`)] : [];
  } catch (error) {
    return [fault(`R2_S3_ENDPOINT does not answer (${describeError(error)}).`)];
  }
}
