import { z } from "zod";
import { listVariableNames, parseConfig, type Config } from "../../src/config.ts";
import { fault, note, type Finding } from "./finding.ts";
import type { Environment } from "./read-environment.ts";

/** Settings of development. Their values lead to the machine on which they were written. */
const LOCAL_ONLY = ["NEON_HTTP_ENDPOINT", "NEON_SOCKET_PROXY", "ALLOW_LOOPBACK_RECEIVERS"];
const ORIGINS = ["API_BASE_URL", "WEB_BASE_URL", "SANDBOX_BASE_URL"] as const;
const EXAMPLE_HOST = /(^|\.)example\.(com|org|net)$/;
const LOOPBACK = /^\w+:\/\/(localhost|127\.|\[::1\])/;

export interface CheckedConfiguration {
  readonly findings: readonly Finding[];
  /** Null when the Worker would refuse the configuration. */
  readonly config: Config | null;
}

/** Checks variables and secrets as the Worker parses them, and what only a deployment requires of them. */
export function checkConfiguration(
  { vars }: Pick<Environment, "vars">,
  secrets: Readonly<Record<string, string>>,
): CheckedConfiguration {
  const variables = { ...vars, ...secrets };
  const findings = [...checkNames(vars, secrets), ...checkOrigins(variables), ...checkOptional(variables)];
  try {
    return { config: parseConfig(variables), findings };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    return { config: null, findings: [...findings, ...error.issues.map(presentIssue)] };
  }
}

/** The message never repeats a value: the issue of a secret has none, and others are not printed. */
function presentIssue({ path, message }: z.core.$ZodIssue): Finding {
  // Only the lists of earlier secrets have a second part, the place in the list.
  const name = String(path[0]);
  return fault(message.startsWith(name) ? `${message}.` : `${name} is invalid: ${message}.`);
}

function checkNames(
  vars: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>>,
): readonly Finding[] {
  const known = new Set(listVariableNames());
  const unknown = Object.keys(secrets).filter((name) => !known.has(name));
  const twice = Object.keys(secrets).filter((name) => Object.hasOwn(vars, name));
  // Dotenv files of wrangler expand $NAME, so the Worker would get another value than the one checked here.
  const expanded = Object.keys(secrets).filter((name) => secrets[name]?.includes("$"));
  return [
    ...expanded.map((name) => fault(`${name} contains a dollar sign, which wrangler expands: choose another value.`)),
    ...unknown.map((name) => fault(`${name} is no setting of the Worker: check its spelling.`)),
    ...twice.map((name) => fault(`${name} is a variable of wrangler.toml and a secret: remove one of them.`)),
  ];
}

const checkOrigins = (variables: Readonly<Record<string, string | undefined>>): readonly Finding[] => [
  ...ORIGINS.flatMap((name) => {
    const url = URL.parse(variables[name] ?? "");
    if (url === null) return [];
    if (EXAMPLE_HOST.test(url.hostname)) return [fault(`${name} still has the example's host name.`)];
    return url.protocol === "https:" ? [] : [fault(`${name} must use https.`)];
  }),
  ...LOCAL_ONLY.filter((name) => variables[name] !== undefined).map((name) =>
    fault(`${name} is for development: remove it.`),
  ),
  ...Object.entries(variables)
    .filter(([name, value]) => !LOCAL_ONLY.includes(name) && LOOPBACK.test(value ?? ""))
    .map(([name]) => fault(`${name} is an address of this machine, which the Worker cannot reach.`)),
];

/** Settings without which a part of the product does not work. */
const checkOptional = (variables: Readonly<Record<string, string | undefined>>): readonly Finding[] =>
  [
    ["MAIL_ENDPOINT", "no sign-in codes and no notices are sent"],
    ["ARCHIVE_SIGNING_KEY", "no archive is written, files have no proof, and health is degraded"],
  ].flatMap(([name = "", effect]) => ((variables[name] ?? "") === "" ? [note(`${name} is not set: ${effect}.`)] : []));
