import { z } from "zod";
import type { KeyRing } from "./lib/crypto/key-ring.ts";
import { isRegion, REGION_NAMES, REGIONS } from "./domain/regions.ts";

const R2_S3 = ["R2_S3_ENDPOINT", "R2_ACCESS_KEY_ID", "R2_SECRET_ACCESS_KEY"] as const;
const ICEBERG = ["ICEBERG_CATALOG_URI", "ICEBERG_WAREHOUSE", "ICEBERG_TOKEN"] as const;
const RELAY = ["PROVIDER_RELAY_URL", "PROVIDER_RELAY_TOKEN"] as const;
const MAIL = ["MAIL_ENDPOINT", "MAIL_TOKEN", "MAIL_FROM"] as const;
/** Printable ASCII without spaces: safe in one header line. */
const TOKEN = /^[!-~]+$/;
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const SECRETS = ["CREDENTIAL_SECRET", "CURSOR_SECRET", "SESSION_SECRET"] as const;
const EARLIER_SECRETS = ["CREDENTIAL_SECRET_PREVIOUS", "CURSOR_SECRET_PREVIOUS"] as const;
const SECRET_CHARACTERS = 32;
/** Comma-separated host names; may be empty. */
const HOST_LIST = /^([a-z0-9.-]+(,[a-z0-9.-]+)*)?$/;
/** The 16 fixed bytes of an Ed25519 key (RFC 8410) and its 32 bytes, as base64url; may be empty. */
const ED25519_PKCS8 = /^(MC4CAQAwBQYDK2VwBCIEI[A-P][A-Za-z0-9_-]{42})?$/;
const BUCKET = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
/** A whole number of days; empty keeps everything. */
const DAYS = /^([1-9]\d{0,4})?$/;
/** A Durable Object accepts 32,768 sockets; a shard sends each of them every message. */
const MAX_SHARD_CONNECTIONS = 10_000;
const SENDER = /^[^\r\n]*[^\s@]@[^\s@][^\r\n]*$/;

/**
 * A URL that we call with secrets or whose responses we trust: encrypted, except on the loopback interface.
 */
const outbound = (name: string, protocol: "http" | "ws") =>
  z
    .url({ protocol: new RegExp(`^${protocol}s?$`), abort: true })
    .refine((url) => new URL(url).protocol === `${protocol}s:` || LOOPBACK_HOST.test(new URL(url).hostname), {
      error: `${name} must use ${protocol}s. ${protocol} is allowed for loopback hosts only`,
    });
/** Secrets that only read, separated by commas; may be empty. */
const earlierSecrets = (name: string) =>
  z
    .string()
    .default("")
    .transform((text) => text.split(",").filter((part) => part !== ""))
    .pipe(z.array(secret(name)));
const secret = (name: string) =>
  z.string(`${name} is missing`).min(SECRET_CHARACTERS, `${name} is shorter than ${SECRET_CHARACTERS} characters`);

/**
 * Every variable and secret of the Worker, parsed once. No other module reads `env` values.
 *
 * `NEON_HTTP_ENDPOINT` and `NEON_SOCKET_PROXY` point to local substitutes that implement Neon's protocol.
 * When unset, the driver derives the real addresses from `DATABASE_URL`.
 */
const Variables = z.object({
  SERVICE_NAME: z.string().min(1),
  KEY_PREFIX: z.string().regex(/^[a-z]{2,8}$/),
  API_BASE_URL: z.url({ abort: true }),
  WEB_BASE_URL: z.url({ abort: true }),
  SANDBOX_BASE_URL: z.url({ abort: true }).optional(),
  PROVIDER_GAMMA_URL: outbound("PROVIDER_GAMMA_URL", "http"),
  PROVIDER_DATA_URL: outbound("PROVIDER_DATA_URL", "http"),
  PROVIDER_CLOB_URL: outbound("PROVIDER_CLOB_URL", "http"),
  PROVIDER_TRADES_SOCKET_URL: outbound("PROVIDER_TRADES_SOCKET_URL", "ws"),
  PROVIDER_SPORTS_SOCKET_URL: outbound("PROVIDER_SPORTS_SOCKET_URL", "ws"),
  BACKFILL_DAYS: z.coerce.number().int().min(0),
  FEED_POLL_SECONDS: z.coerce.number().min(0.2),
  LARGE_TRADE_MIN_USD: z.coerce.number().positive(),
  REGION: z.enum(REGION_NAMES, `REGION must be one of ${REGION_NAMES.join(", ")}`).optional(),
  LOG_SAMPLE_RATE: z.coerce.number().min(0).max(1).default(1),
  HEAVY_JOBS: z.enum(["on", "off"]).default("on"),
  MAINTENANCE: z.enum(["on", "off"]).default("off"),
  STREAM_SHARDS: z.coerce.number().int().min(1, { abort: true }).max(1_000).default(16),
  STREAM_MAX_CONNECTIONS: z.coerce.number().int().min(1).default(16_000),
  DATABASE_URL: z.string().min(1),
  NEON_HTTP_ENDPOINT: outbound("NEON_HTTP_ENDPOINT", "http").optional(),
  NEON_SOCKET_PROXY: z.string().optional(),
  UPSTASH_REDIS_REST_URL: outbound("UPSTASH_REDIS_REST_URL", "http"),
  UPSTASH_REDIS_REST_TOKEN: z.string().min(1),
  CREDENTIAL_SECRET: secret("CREDENTIAL_SECRET"),
  CREDENTIAL_SECRET_PREVIOUS: earlierSecrets("CREDENTIAL_SECRET_PREVIOUS"),
  CURSOR_SECRET: secret("CURSOR_SECRET"),
  CURSOR_SECRET_PREVIOUS: earlierSecrets("CURSOR_SECRET_PREVIOUS"),
  SESSION_SECRET: secret("SESSION_SECRET"),
  ARCHIVE_SIGNING_KEY: z
    .string()
    .regex(ED25519_PKCS8, "ARCHIVE_SIGNING_KEY must be an Ed25519 key: PKCS #8 in DER, as base64url")
    .default(""),
  ARCHIVE_BUCKET: z.string().regex(BUCKET).default("archive"),
  ARCHIVE_RETENTION_DAYS: z
    .string()
    .regex(DAYS, "ARCHIVE_RETENTION_DAYS must be a whole number of days, or empty to keep everything")
    .default(""),
  ICEBERG_CATALOG_URI: outbound("ICEBERG_CATALOG_URI", "http").optional(),
  ICEBERG_WAREHOUSE: z.string().regex(TOKEN).optional(),
  ICEBERG_TOKEN: z.string().regex(TOKEN).optional(),
  CHAIN_RPC_URL: outbound("CHAIN_RPC_URL", "http").optional(),
  CHAIN_CONFIRMATIONS: z.coerce.number().int().min(16).max(10_000).default(64),
  PROVIDER_RELAY_URL: outbound("PROVIDER_RELAY_URL", "http").optional(),
  PROVIDER_RELAY_TOKEN: secret("PROVIDER_RELAY_TOKEN")
    .regex(TOKEN, "PROVIDER_RELAY_TOKEN must be printable ASCII without spaces")
    .optional(),
  MAIL_ENDPOINT: outbound("MAIL_ENDPOINT", "http").optional(),
  MAIL_TOKEN: z.string().regex(TOKEN).optional(),
  MAIL_FROM: z.string().regex(SENDER).optional(),
  R2_S3_ENDPOINT: outbound("R2_S3_ENDPOINT", "http").optional(),
  R2_ACCESS_KEY_ID: z.string().regex(TOKEN).optional(),
  R2_SECRET_ACCESS_KEY: z.string().regex(TOKEN).optional(),
  R2_BUCKET: z.string().regex(BUCKET).default("artifacts"),
  HEADER_PREFIX: z
    .string()
    .regex(/^x(-[a-z0-9]+)+$/)
    .default("x-service"),
  DNS_QUERY_URL: outbound("DNS_QUERY_URL", "http").default("https://cloudflare-dns.com/dns-query"),
  ALLOW_LOOPBACK_RECEIVERS: z.enum(["true", "false"]).default("false"),
  OWN_HOSTS: z.string().regex(HOST_LIST).default(""),
});

const CompleteVariables = Variables.superRefine((variables, context) => {
  if (variables.ALLOW_LOOPBACK_RECEIVERS === "true" && !LOOPBACK_HOST.test(new URL(variables.API_BASE_URL).hostname)) {
    const message = "ALLOW_LOOPBACK_RECEIVERS=true is for development only: API_BASE_URL must be a loopback host";
    context.addIssue({ code: "custom", path: ["ALLOW_LOOPBACK_RECEIVERS"], message });
  }
  if (variables.STREAM_MAX_CONNECTIONS > variables.STREAM_SHARDS * MAX_SHARD_CONNECTIONS) {
    const message = `STREAM_MAX_CONNECTIONS is more than ${MAX_SHARD_CONNECTIONS} for each of STREAM_SHARDS`;
    context.addIssue({ code: "custom", path: ["STREAM_MAX_CONNECTIONS"], message });
  }
  if (variables.STREAM_MAX_CONNECTIONS < variables.STREAM_SHARDS) {
    const message = "STREAM_MAX_CONNECTIONS is less than one for each of STREAM_SHARDS";
    context.addIssue({ code: "custom", path: ["STREAM_MAX_CONNECTIONS"], message });
  }
  const overlap = overlapOfSandbox(variables);
  if (overlap !== null) context.addIssue({ code: "custom", path: ["SANDBOX_BASE_URL"], message: overlap });
  const proxy = variables.NEON_SOCKET_PROXY;
  if (proxy !== undefined && !LOOPBACK_HOST.test(URL.parse(`ws://${proxy}`)?.hostname ?? "")) {
    const message = "NEON_SOCKET_PROXY must be a loopback host: the connection is not encrypted";
    context.addIssue({ code: "custom", path: ["NEON_SOCKET_PROXY"], message });
  }
  const secrets = [
    ...SECRETS.map((name) => ({ name, value: variables[name] })),
    ...EARLIER_SECRETS.flatMap((name) => variables[name].map((value) => ({ name, value }))),
  ];
  secrets.forEach(({ name, value }, index) => {
    const same = secrets.slice(0, index).find((earlier) => earlier.value === value)?.name;
    if (same === undefined) return;
    context.addIssue({
      code: "custom",
      path: [name],
      message: `${name} equals ${same}: every secret needs its own value`,
    });
  });
  // A partial configuration is a mistake, not a deployment without a relay, mail, presigned links or Iceberg tables.
  for (const group of [RELAY, MAIL, R2_S3, ICEBERG]) {
    const missing = group.filter((name) => variables[name] === undefined);
    if (missing.length === group.length) continue;
    for (const name of missing)
      context.addIssue({
        code: "custom",
        path: [name],
        message: `${name} is missing: set ${group.join(", ")} together, or none of them`,
      });
  }
});

/** The paths below which the API and the website have routes. */
const TAKEN_PATH = /^\/(api|files|oauth|docs|\.well-known)(\/|$)/;

/** Why requests to the sandbox could not be distinguished from those to the API; null when they can. */
function overlapOfSandbox({
  API_BASE_URL,
  WEB_BASE_URL,
  SANDBOX_BASE_URL,
}: {
  API_BASE_URL: string;
  WEB_BASE_URL: string;
  SANDBOX_BASE_URL?: string | undefined;
}): string | null {
  if (SANDBOX_BASE_URL === undefined) return null;
  const { host, pathname, search, hash } = new URL(SANDBOX_BASE_URL);
  if (search !== "" || hash !== "") return "SANDBOX_BASE_URL must have no query and no fragment";
  if (TAKEN_PATH.test(pathname)) return "SANDBOX_BASE_URL must not be below a path of the API or the website";
  const isShared = [API_BASE_URL, WEB_BASE_URL].some((url) => new URL(url).host === host);
  return isShared && withoutSlash(pathname) === ""
    ? "SANDBOX_BASE_URL needs a host or a path of its own, such as API_BASE_URL with /sandbox"
    : null;
}

/** The name of every variable and secret. */
export const listVariableNames = (): string[] => Object.keys(Variables.shape);

export interface Config {
  readonly serviceName: string;
  readonly keyPrefix: string;
  readonly apiBaseUrl: string;
  readonly webBaseUrl: string;
  /** Where the sandbox is: an origin of its own, or a path on one of the others. */
  readonly sandboxBaseUrl: string;
  readonly provider: {
    readonly gammaUrl: string;
    readonly dataUrl: string;
    readonly clobUrl: string;
    readonly tradesSocketUrl: string;
    readonly sportsSocketUrl: string;
    /** Takes every request and socket to the provider from an address of its own; null sends them directly. */
    readonly relay: { readonly url: string; readonly token: string } | null;
  };
  /**
   * A JSON-RPC node of the provider's chain, and how many blocks must follow one before it is final; null without a
   * node. The address may contain a key.
   */
  readonly chain: { readonly rpcUrl: string; readonly confirmations: number } | null;
  readonly backfillDays: number;
  readonly feedPollMs: number;
  readonly largeTradeMinUsd: number;
  /** The part of requests that is logged, from 0 to 1; our own errors always are. */
  readonly logSampleRate: number;
  /** False pauses the jobs that their declarations mark as heavy. */
  readonly heavyJobs: boolean;
  /** True during planned maintenance: the health operation reports it and runs no probes. */
  readonly maintenance: boolean;
  /** The objects over which the stream's connections are spread, and the share of each in the maximum of all. */
  readonly stream: { readonly shards: number; readonly connectionsPerShard: number };
  readonly databaseUrl: string;
  readonly neonHttpEndpoint: string | null;
  readonly neonSocketProxy: string | null;
  readonly redisUrl: string;
  readonly redisToken: string;
  /** Hashes credentials, and seals stored secrets and outcomes. */
  readonly credentialKeys: KeyRing;
  /** Signs cursors and our own download links. */
  readonly cursorKeys: KeyRing;
  /** Signs the website's cookies and hashes the sign-in codes sent by e-mail. */
  readonly sessionSecret: string;
  /**
   * The service that mails sign-in codes and notices of disabled endpoints; null when none is configured.
   * `from` is an address, or a name and an address in angle brackets.
   */
  readonly mail: { readonly endpoint: string; readonly token: string; readonly from: string } | null;
  /** Signs the archive: an Ed25519 key, PKCS #8 in DER, as base64url; null when none is configured. */
  readonly archiveSigningKey: string | null;
  /**
   * Days after which archived rows that only the archive reads leave the database; null keeps them.
   */
  readonly archiveRetentionDays: number | null;
  /**
   * The Iceberg REST catalog that lists the archive's files as tables; null when none is configured. `bucket` is
   * that of the archive, as the locations of the warehouse name it.
   */
  readonly iceberg: {
    readonly uri: string;
    readonly warehouse: string;
    readonly token: string;
    readonly bucket: string;
  } | null;
  /** S3 credentials of the bucket of files, for presigned links; null where our own links are used. */
  readonly r2S3: {
    readonly endpoint: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly bucket: string;
  } | null;
  readonly webhooks: {
    /** Prefix of the header names of deliveries. */
    readonly headerPrefix: string;
    /** The DNS-over-HTTPS service that resolves receivers' host names. */
    readonly dnsQueryUrl: string;
    /** Development only: allows receivers on the loopback interface. */
    readonly allowLoopback: boolean;
    /** Hosts of the product itself, in the form of `URL.host`. No receiver may be on one of them. */
    readonly ownHosts: readonly string[];
  };
}

const withoutSlash = (url: string) => url.replace(/\/+$/, "");

const PARSED = new WeakMap<object, Config>();

/**
 * The configuration in the variables of `env`, which never change: parsed once for each object.
 *
 * @throws ZodError that names each missing or malformed variable
 */
export function parseConfig(env: object): Config {
  const config = PARSED.get(env) ?? parseVariables(env);
  PARSED.set(env, config);
  return config;
}

function parseVariables(env: object): Config {
  const v = CompleteVariables.parse(env);
  return {
    serviceName: v.SERVICE_NAME,
    keyPrefix: v.KEY_PREFIX,
    apiBaseUrl: withoutSlash(v.API_BASE_URL),
    webBaseUrl: withoutSlash(v.WEB_BASE_URL),
    sandboxBaseUrl: withoutSlash(v.SANDBOX_BASE_URL ?? `${withoutSlash(v.API_BASE_URL)}/sandbox`),
    provider: {
      gammaUrl: withoutSlash(v.PROVIDER_GAMMA_URL),
      dataUrl: withoutSlash(v.PROVIDER_DATA_URL),
      clobUrl: withoutSlash(v.PROVIDER_CLOB_URL),
      tradesSocketUrl: v.PROVIDER_TRADES_SOCKET_URL,
      sportsSocketUrl: v.PROVIDER_SPORTS_SOCKET_URL,
      relay: relayOf(v),
    },
    chain: v.CHAIN_RPC_URL === undefined ? null : { rpcUrl: v.CHAIN_RPC_URL, confirmations: v.CHAIN_CONFIRMATIONS },
    backfillDays: v.BACKFILL_DAYS,
    feedPollMs: v.FEED_POLL_SECONDS * 1000,
    largeTradeMinUsd: v.LARGE_TRADE_MIN_USD,
    logSampleRate: v.LOG_SAMPLE_RATE,
    heavyJobs: v.HEAVY_JOBS === "on",
    maintenance: v.MAINTENANCE === "on",
    stream: {
      shards: v.STREAM_SHARDS,
      connectionsPerShard: Math.floor(v.STREAM_MAX_CONNECTIONS / v.STREAM_SHARDS),
    },
    databaseUrl: v.DATABASE_URL,
    neonHttpEndpoint: v.NEON_HTTP_ENDPOINT ?? null,
    neonSocketProxy: v.NEON_SOCKET_PROXY ?? null,
    redisUrl: withoutSlash(v.UPSTASH_REDIS_REST_URL),
    redisToken: v.UPSTASH_REDIS_REST_TOKEN,
    credentialKeys: { current: v.CREDENTIAL_SECRET, previous: v.CREDENTIAL_SECRET_PREVIOUS },
    cursorKeys: { current: v.CURSOR_SECRET, previous: v.CURSOR_SECRET_PREVIOUS },
    sessionSecret: v.SESSION_SECRET,
    mail: mailOf(v),
    archiveSigningKey: v.ARCHIVE_SIGNING_KEY === "" ? null : v.ARCHIVE_SIGNING_KEY,
    archiveRetentionDays: v.ARCHIVE_RETENTION_DAYS === "" ? null : Number(v.ARCHIVE_RETENTION_DAYS),
    iceberg: icebergOf(v),
    r2S3: r2S3Of(v),
    webhooks: {
      headerPrefix: v.HEADER_PREFIX,
      dnsQueryUrl: v.DNS_QUERY_URL,
      allowLoopback: v.ALLOW_LOOPBACK_RECEIVERS === "true",
      ownHosts: [
        new URL(v.API_BASE_URL).host,
        new URL(v.WEB_BASE_URL).host,
        ...(v.SANDBOX_BASE_URL === undefined ? [] : [new URL(v.SANDBOX_BASE_URL).host]),
        ...v.OWN_HOSTS.split(",").filter((name) => name !== ""),
      ],
    },
  };
}

/**
 * Where new Durable Objects are created: beside the region, or anywhere without one. It reads one variable, so that
 * cron and queues find objects also where the rest of the configuration is wrong.
 */
export function locationOf({ REGION = "" }: { readonly REGION?: string }): {
  readonly locationHint?: DurableObjectLocationHint;
} {
  return isRegion(REGION) ? { locationHint: REGIONS[REGION] } : {};
}

function relayOf({
  PROVIDER_RELAY_URL: url,
  PROVIDER_RELAY_TOKEN: token,
}: z.output<typeof Variables>): Config["provider"]["relay"] {
  return url === undefined || token === undefined ? null : { url, token };
}

function r2S3Of({
  R2_S3_ENDPOINT: endpoint,
  R2_ACCESS_KEY_ID: accessKeyId,
  R2_SECRET_ACCESS_KEY: secretAccessKey,
  R2_BUCKET: bucket,
}: z.output<typeof Variables>): Config["r2S3"] {
  if (endpoint === undefined || accessKeyId === undefined || secretAccessKey === undefined) return null;
  return { endpoint: withoutSlash(endpoint), accessKeyId, secretAccessKey, bucket };
}

function icebergOf({
  ICEBERG_CATALOG_URI: uri,
  ICEBERG_WAREHOUSE: warehouse,
  ICEBERG_TOKEN: token,
  ARCHIVE_BUCKET: bucket,
}: z.output<typeof Variables>): Config["iceberg"] {
  if (uri === undefined || warehouse === undefined || token === undefined) return null;
  return { uri: withoutSlash(uri), warehouse, token, bucket };
}

function mailOf({
  MAIL_ENDPOINT: endpoint,
  MAIL_TOKEN: token,
  MAIL_FROM: from,
}: z.output<typeof Variables>): Config["mail"] {
  return endpoint === undefined || token === undefined || from === undefined ? null : { endpoint, token, from };
}
