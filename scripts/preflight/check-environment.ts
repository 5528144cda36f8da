import { isRegion } from "../../src/domain/regions.ts";
import { fault, note, type Finding } from "./finding.ts";
import type { Environment } from "./read-environment.ts";

const ORIGINS = ["API_BASE_URL", "WEB_BASE_URL", "SANDBOX_BASE_URL"];
const BUCKETS = { ARTIFACTS: "R2_BUCKET", ARCHIVE: "ARCHIVE_BUCKET" };
/** The region within the host names of Neon: `ep-name-123.us-east-1.aws.neon.tech`. */
const NEON_REGION = /\.([a-z]+-[a-z]+-\d)\.aws\.neon\.tech$/;

/** Compares host names, buckets and regions of wrangler.toml with each other. */
export const checkEnvironment = (environment: Environment): readonly Finding[] => [
  ...checkHosts(environment),
  ...checkBuckets(environment),
  ...checkRegion(environment),
];

function checkHosts({ name, vars, routes, workers_dev, preview_urls }: Environment): readonly Finding[] {
  const hosts = ORIGINS.flatMap((origin) => URL.parse(vars[origin] ?? "")?.host ?? []);
  const domains = routes.filter(({ custom_domain }) => custom_domain === true).map(({ pattern }) => pattern);
  const missing = [...new Set(hosts)].filter((host) => !domains.includes(host));
  const unused = routes.map(({ pattern }) => pattern).filter((pattern) => !hosts.includes(pattern));
  return [
    ...missing.map((host) => fault(`The routes of ${name} have no custom domain ${host}, so nothing answers there.`)),
    ...unused.map((pattern) => fault(`The route ${pattern} of ${name} is the host of no base URL.`)),
    ...(workers_dev || preview_urls
      ? [fault(`${name} answers at workers.dev or preview addresses: turn workers_dev and preview_urls off.`)]
      : []),
  ];
}

const checkBuckets = ({ vars, r2_buckets }: Environment): readonly Finding[] =>
  Object.entries(BUCKETS).flatMap(([binding, variable]) => {
    const bound = r2_buckets.find((bucket) => bucket.binding === binding)?.bucket_name;
    return bound === vars[variable]
      ? []
      : [fault(`${variable} is ${vars[variable]}, but the binding ${binding} is the bucket ${bound}.`)];
  });

function checkRegion({ vars, placement }: Environment): readonly Finding[] {
  const { REGION: region = "" } = vars;
  if (!isRegion(region)) return [fault("REGION is not set to a known region, so objects are created anywhere.")];
  return placement?.region === region
    ? []
    : [fault(`placement.region is ${placement?.region ?? "not set"}, but REGION is ${region}.`)];
}

/** Compares the host name of the database with the region. The address of Redis does not show its region. */
export function checkDatabaseUrl(databaseUrl: string, region: string): readonly Finding[] {
  const url = URL.parse(databaseUrl);
  if (url === null) return [fault("DATABASE_URL is not a URL.")];
  const found = NEON_REGION.exec(url.hostname)?.[1];
  if (found === undefined) return [note("DATABASE_URL is not an address of Neon on AWS: its region is unknown.")];
  const isEncrypted = ["require", "verify-full"].includes(url.searchParams.get("sslmode") ?? "");
  return [
    ...(`aws:${found}` === region ? [] : [fault(`The database is in aws:${found}, but REGION is ${region}.`)]),
    ...(isEncrypted ? [] : [fault("DATABASE_URL lacks sslmode=require.")]),
  ];
}
