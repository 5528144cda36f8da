import { createClient } from "../../src/client/index.ts";
import { parseCliArguments, USAGE, type Arguments } from "./arguments.ts";
import type { Command, CommandContext } from "./context.ts";
import { openCredentialStore } from "./credentials.ts";
import { EXIT, exitCodeOf, UsageError } from "./exit-codes.ts";
import { isEnding, renewGrant } from "./oauth.ts";
import { openOutput } from "./output/output.ts";

/** Loaded when they run: most commands need little. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  login: async () => (await import("./commands/login.ts")).login,
  logout: async () => (await import("./commands/login.ts")).logout,
  get: async () => (await import("./commands/get.ts")).get,
  tail: async () => (await import("./commands/tail.ts")).tail,
  listen: async () => (await import("./commands/listen.ts")).listen,
  trigger: async () => (await import("./commands/trigger.ts")).trigger,
  export: async () => (await import("./commands/export.ts")).exportFile,
  verify: async () => (await import("./commands/verify.ts")).verify,
  mcp: async () => (await import("./commands/mcp.ts")).bridgeMcp,
};

const interrupt = new AbortController();
const interrupted = new Error("interrupted");
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => interrupt.abort(interrupted));
// The reader of a pipe has ended, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) =>
  process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.failed),
);

const isJson = process.argv.includes("--json");
const output = openOutput(process.stdout, process.stderr, process.env, isJson);

function contextOf({ positionals, values }: Arguments): CommandContext {
  const { env, stdin } = process;
  const store = openCredentialStore(env);
  const baseUrl = () => {
    const url = values["base-url"] ?? env["ACTIVITY_BASE_URL"] ?? store.defaultBaseUrl();
    if (typeof url !== "string" || url === "")
      throw new UsageError("Name the API: --base-url URL, ACTIVITY_BASE_URL, or `activity login --base-url URL`.");
    return url.replace(/\/+$/, "");
  };

  async function currentKey(url: string): Promise<string> {
    const credential = store.find(url);
    if (credential === null) return "";
    if ("api_key" in credential) return credential.api_key;
    if (!isEnding(credential.grant)) return credential.grant.access_token;
    const grant = await renewGrant(credential.grant);
    store.save(url, { grant });
    return grant.access_token;
  }

  function client() {
    const url = baseUrl();
    const key = env["ACTIVITY_API_KEY"];
    if (key) return createClient({ baseUrl: url, apiKey: key });
    return createClient({ baseUrl: url, ...(store.find(url) !== null && { apiKey: () => currentKey(url) }) });
  }
  return { positionals, values, output, env, store, stdin, signal: interrupt.signal, baseUrl, client };
}

try {
  const parsed = parseCliArguments(process.argv.slice(2));
  if (parsed.command === null) console.log(USAGE);
  else await (await COMMANDS[parsed.command]?.())?.(contextOf(parsed));
} catch (error) {
  const code = interrupt.signal.aborted ? EXIT.interrupted : exitCodeOf(error);
  if (code !== EXIT.interrupted) {
    const isBug = code === null;
    output.error(
      error instanceof Error && !isBug ? error.message : String(error instanceof Error ? error.stack : error),
    );
  }
  process.exitCode = code ?? EXIT.failed;
}
if (interrupt.signal.aborted) process.exitCode = EXIT.interrupted;
// A terminal as stdin and receivers that are waited for would keep the process.
process.stdin.unref?.();
if (interrupt.signal.aborted) process.exit();
