import { parseArgs } from "node:util";
import { z } from "zod";
import { ACCOUNT_STATES, PLANS, SCOPES } from "../../src/domain/accounts/accounts.ts";

export const USAGE = `npm run operator -- COMMAND [--data DIR]

  create-account EMAIL --plan free|pro|max
  set-plan EMAIL free|pro|max
  set-state EMAIL active|lapsed|deleted|locked
  issue-key EMAIL [--scopes read,webhooks,export,usage] [--name NAME]
  revoke-key ID
  list [EMAIL]
  withdraw-pick ID       for good; the ledger keeps it
  key-status [--before TIME]   the ids of CREDENTIAL_SECRET and its earlier values, and what still needs each
  reseal                 seals the secrets of webhook endpoints with CREDENTIAL_SECRET
  dead-letters           queue messages that failed every attempt and were not sent again
  replay-letter ID|all   sends them again, within a minute
  health-history [--days N]    minutes of each day by the status of health, of the last N days (30)
  begin-epoch            after a restore, before any write

It uses the database of DATABASE_URL, together with CREDENTIAL_SECRET, CREDENTIAL_SECRET_PREVIOUS and KEY_PREFIX, and
reaches the meters of the running product at API_BASE_URL. Without DATABASE_URL it uses the running product of the data directory DIR (.local).`;

/** A mistake of the user who runs the command, as one sentence. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

const email = z.email("EMAIL must be an e-mail address").toLowerCase();
const plan = z.enum(PLANS, "the plan must be free, pro or max");
const state = z.enum(ACCOUNT_STATES, "the state must be active, lapsed, deleted or locked");
const scopes = z
  .string()
  .default(SCOPES.join(","))
  .transform((text) => [...new Set(text.split(","))])
  .pipe(z.array(z.enum(SCOPES, `--scopes must be some of ${SCOPES.join(",")}`)));
const id = z
  .string("ID is missing")
  .regex(/^[1-9]\d{0,14}$/, "ID must be a positive whole number")
  .transform(Number);
const days = z
  .string()
  .default("30")
  .refine((text) => /^[1-9]\d?$/.test(text) && Number(text) <= 90, "--days must be a whole number from 1 to 90")
  .transform(Number);

const Command = z.discriminatedUnion("command", [
  z.object({ command: z.literal("create-account"), rest: z.tuple([email]), plan }),
  z.object({ command: z.literal("set-plan"), rest: z.tuple([email, plan]) }),
  z.object({ command: z.literal("set-state"), rest: z.tuple([email, state]) }),
  z.object({
    command: z.literal("issue-key"),
    rest: z.tuple([email]),
    scopes,
    name: z.string().min(1).max(100).nullable().default(null),
  }),
  z.object({ command: z.literal("revoke-key"), rest: z.tuple([id]) }),
  z.object({ command: z.literal("list"), rest: z.tuple([email]).or(z.tuple([])) }),
  z.object({ command: z.literal("withdraw-pick"), rest: z.tuple([id]) }),
  z.object({
    command: z.literal("key-status"),
    rest: z.tuple([]),
    before: z.iso.datetime("--before must be a time such as 2026-11-26T12:00:00Z").nullable().default(null),
  }),
  z.object({ command: z.literal("reseal"), rest: z.tuple([]) }),
  z.object({ command: z.literal("dead-letters"), rest: z.tuple([]) }),
  z.object({ command: z.literal("replay-letter"), rest: z.tuple([z.union([z.literal("all"), id])]) }),
  z.object({ command: z.literal("health-history"), rest: z.tuple([]), days }),
  z.object({ command: z.literal("begin-epoch"), rest: z.tuple([]) }),
]);

export type Command = z.output<typeof Command>;

/** @throws OperatorError */
export function parseOperatorArguments(argv: readonly string[]): { command: Command; dataDir: string } {
  const { values, positionals } = readArguments(argv);
  const [command, ...rest] = positionals;
  const parsed = Command.safeParse({ command, rest, ...values });
  if (!parsed.success) throw new OperatorError(`${explain(command, parsed.error)}\n\n${USAGE}`);
  return { command: parsed.data, dataDir: values.data };
}

function readArguments(argv: readonly string[]) {
  try {
    const text = { type: "string" } as const;
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { data: { ...text, default: ".local" }, plan: text, scopes: text, name: text, before: text, days: text },
    });
  } catch (error) {
    throw new OperatorError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

function explain(command: string | undefined, { issues: [issue] }: z.ZodError): string {
  if (command === undefined) return "The command is missing.";
  if (issue?.code === "invalid_union" && issue.path[0] === "command") return `There is no command ${command}.`;
  if (issue?.path.length === 1 && issue.path[0] === "rest") return `${command} got too few or too many arguments.`;
  return `${command}: ${issue?.message ?? "invalid arguments"}.`;
}
