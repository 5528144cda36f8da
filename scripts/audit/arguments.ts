import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, parseEnv } from "node:util";
import { z } from "zod";

export const USAGE = `npm run audit -- [--data DIR] [--base-url URL --database-url URL --key KEY] [--minutes N]
                 [--watch-ends] [--sample N] [--json FILE]

Compares the responses of the running product with an independent fold of its ledger, over all traders and markets.
The exit code is 1 when anything differs, or when more than 1 % of an operation's items never settled.

  --data DIR        the data directory of a local product (.local): its addresses, database and secrets
  --base-url URL    the API; --database-url is its Postgres and --key a key of it. The audit then uses that key alone,
                    within its 100 requests a minute
  --minutes N       repeats the audit for N minutes, one pass after the other
  --watch-ends      also measures how long each read takes to show a market's result after the provider shows it
  --sample N        at most N questions of each operation
  --json FILE       writes all results`;

/** A mistake of the user who runs the command, as one sentence. */
export class AuditError extends Error {
  override name = "AuditError";
}

export interface AuditArguments {
  readonly baseUrl: string;
  readonly databaseUrl: string;
  /** Null when the audit may create its own accounts. */
  readonly key: string | null;
  /** Needed to create accounts; null when a key is given. */
  readonly credentialSecret: string | null;
  /** The provider's Data API, as configured in the product; null when unknown. */
  readonly providerDataUrl: string | null;
  readonly minutes: number;
  readonly watchEnds: boolean;
  /** Infinity is everything. */
  readonly sample: number;
  readonly json: string | null;
}

/** @throws AuditError */
export function parseAuditArguments(argv: readonly string[]): AuditArguments {
  const values = readArguments(argv);
  const local = readLocal(values.data);
  const settings = {
    baseUrl: values["base-url"] ?? local["API_BASE_URL"],
    databaseUrl: values["database-url"] ?? local["DATABASE_URL"],
    key: values.key ?? null,
    credentialSecret: values.key === undefined ? (local["CREDENTIAL_SECRET"] ?? null) : null,
  };
  if (settings.baseUrl === undefined || settings.databaseUrl === undefined) {
    throw new AuditError(
      `Pass --base-url and --database-url, or --data with the data directory of a running product (${values.data} has none).`,
    );
  }
  if (settings.key === null && settings.credentialSecret === null)
    throw new AuditError("Pass a key of the product with --key.");
  const providerDataUrl = local["PROVIDER_DATA_URL"] ?? null;
  if (values["watch-ends"] && providerDataUrl === null)
    throw new AuditError("--watch-ends needs the data directory of a local product (--data).");
  return {
    ...{ baseUrl: url("--base-url", settings.baseUrl), databaseUrl: url("--database-url", settings.databaseUrl) },
    ...{ key: settings.key, credentialSecret: settings.credentialSecret, providerDataUrl },
    minutes: positive("--minutes", values.minutes ?? (values["watch-ends"] ? "10" : "0")),
    watchEnds: values["watch-ends"],
    sample: values.sample === undefined ? Infinity : positive("--sample", values.sample),
    json: values.json ?? null,
  };
}

function readArguments(argv: readonly string[]) {
  try {
    const text = { type: "string" } as const;
    return parseArgs({
      args: [...argv],
      options: {
        ...{
          data: { ...text, default: ".local" },
          "base-url": text,
          "database-url": text,
          key: text,
          minutes: text,
          sample: text,
          json: text,
        },
        "watch-ends": { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    throw new AuditError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

/** The variables that the Worker of a local product was started with. */
function readLocal(dataDir: string): NodeJS.Dict<string> {
  const file = join(dataDir, "worker.env");
  return existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {};
}

function url(name: string, text: string): string {
  const parsed = z.url().safeParse(text);
  if (!parsed.success) throw new AuditError(`${name} is not a valid URL.`);
  return parsed.data.replace(/\/$/, "");
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || (value === 0 && name !== "--minutes"))
    throw new AuditError(`${name} takes a positive number, not ${text}.`);
  return value;
}
