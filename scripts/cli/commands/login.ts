import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { createClient } from "../../../src/client/index.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { logInByDevice } from "../oauth.ts";

/** Signs in by a code in the browser, or with a key from stdin. The key is tried before it is stored. */
export async function login(context: CommandContext): Promise<void> {
  const { output, store, stdin, signal, values } = context;
  const baseUrl = context.baseUrl();
  const show = (uri: string, code: string) => output.note(`Open ${uri} and enter ${code}`);
  const grant = values["key"] === true || stdin.isTTY !== true ? null : await logInByDevice({ baseUrl, signal, show });
  const credential = grant === null ? { api_key: await readKey(context) } : { grant };
  const apiKey = "grant" in credential ? credential.grant.access_token : credential.api_key;
  const me = await createClient({ baseUrl, apiKey }).getAccountIdentity({}, { signal });
  store.save(baseUrl, credential);
  output.answer(me);
  output.note(`Logged in to ${baseUrl}; the credential is in ${store.path}`);
}

export async function logout({ baseUrl, store, output }: CommandContext): Promise<void> {
  const url = baseUrl();
  output.note(store.remove(url) ? `Logged out of ${url}` : `There is no login to ${url}`);
}

async function readKey({ stdin, output, signal }: CommandContext): Promise<string> {
  if (stdin.isTTY === true) output.note("Enter an API key (it is not shown):");
  const key = stdin.isTTY === true ? await readHidden(stdin, signal) : await readFirstLine(stdin);
  // Any other text would fail as a header, with the key in the message.
  if (!/^[\x21-\x7e]{8,512}$/.test(key)) throw new UsageError("The key is not one line of visible characters.");
  return key;
}

async function readFirstLine(stdin: NodeJS.ReadStream): Promise<string> {
  for await (const line of createInterface({ input: stdin })) return line.trim();
  return "";
}

function readHidden(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true });
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
    lines.once("line", (line) => {
      lines.close();
      resolve(line.trim());
    });
  });
}
