import type { Client } from "../../src/client/index.ts";
import type { CredentialStore } from "./credentials.ts";
import type { Output } from "./output/output.ts";

/** What a command works with. */
export interface CommandContext {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly output: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: CredentialStore;
  readonly stdin: NodeJS.ReadStream;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** The origin of the API, from `--base-url`, ACTIVITY_BASE_URL or the last login. @throws UsageError */
  baseUrl(): string;
  /** A client with the key of the environment or of the login. */
  client(): Client;
}

export type Command = (context: CommandContext) => Promise<void>;
