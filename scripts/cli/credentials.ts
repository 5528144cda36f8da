import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";

const Grant = z.object({
  access_token: z.string(),
  refresh_token: z.string().nullable(),
  /** Milliseconds. */
  expires_at: z.number(),
  client_id: z.string(),
  token_endpoint: z.url(),
});
const Credential = z.union([z.object({ api_key: z.string() }), z.object({ grant: Grant })]);
const CredentialFile = z.object({
  default_base_url: z.string().nullable(),
  credentials: z.record(z.string(), Credential),
});

/** Tokens of a sign-in by OAuth. */
export type Grant = z.output<typeof Grant>;
/** A key, or tokens: of one deployment. */
export type Credential = z.output<typeof Credential>;
type CredentialFile = z.output<typeof CredentialFile>;

export interface CredentialStore {
  readonly path: string;
  /** The deployment of the last login; null before one. */
  defaultBaseUrl(): string | null;
  find(baseUrl: string): Credential | null;
  save(baseUrl: string, credential: Credential): void;
  /** @returns whether there was one */
  remove(baseUrl: string): boolean;
}

/** Credentials in a file that its owner alone can read. */
export function openCredentialStore(env: Readonly<Record<string, string | undefined>>): CredentialStore {
  const config = env["XDG_CONFIG_HOME"] || join(env["HOME"] || homedir(), ".config");
  const path = join(config, "activity", "credentials.json");

  function read(): CredentialFile {
    try {
      return CredentialFile.parse(JSON.parse(readFileSync(path, "utf8")));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT")
        return { default_base_url: null, credentials: {} };
      throw new Error(`${path} cannot be read. Delete it and log in again.`, { cause: error });
    }
  }

  /** Replaces the file at once: a command that is killed leaves the old or the new one. */
  function write(stored: CredentialFile): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const draft = `${path}.${process.pid}`;
    rmSync(draft, { force: true });
    writeFileSync(draft, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    chmodSync(draft, 0o600);
    renameSync(draft, path);
  }

  return {
    path,
    defaultBaseUrl: () => read().default_base_url,
    find: (baseUrl) => read().credentials[baseUrl] ?? null,
    save: (baseUrl, credential) =>
      write({ default_base_url: baseUrl, credentials: { ...read().credentials, [baseUrl]: credential } }),
    remove(baseUrl) {
      const { default_base_url: last, credentials } = read();
      const { [baseUrl]: removed, ...rest } = credentials;
      if (removed === undefined) return false;
      write({ default_base_url: last === baseUrl ? null : last, credentials: rest });
      return true;
    },
  };
}
