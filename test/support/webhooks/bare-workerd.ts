import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { onTestFinished } from "vitest";
import { compatibilityDate } from "../../../scripts/compatibility-date.ts";
import { freePort } from "../../../scripts/services/free-port.ts";
import { waitUntilReady, workerdBinary } from "../../../scripts/workerd-process.ts";

/**
 * A Worker on its own workerd, without the simulators of local development.
 *
 * @param source its module; imports are relative to the repository
 * @param network what its requests may reach; null keeps workerd's default
 * @returns its URL
 */
export async function startBareWorkerd(source: string, network: readonly string[] | null): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "bare-workerd-"));
  const stdin = { contents: source, resolveDir: process.cwd() };
  await build({ stdin, bundle: true, format: "esm", outfile: join(directory, "worker.mjs"), logLevel: "error" });
  const port = await freePort();
  const internet =
    network === null
      ? ""
      : `, (name = "internet", network = (allow = [${network.map((allowed) => `"${allowed}"`).join(", ")}]))`;
  writeFileSync(
    join(directory, "config.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "worker", worker = .worker)${internet}],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "worker")]
);
const worker :Workerd.Worker = (modules = [(name = "worker", esModule = embed "worker.mjs")], compatibilityDate = "${compatibilityDate()}");
`,
  );
  const child = spawn(workerdBinary(), ["serve", join(directory, "config.capnp")], { stdio: "ignore" });
  onTestFinished(() => {
    child.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}/`;
  await waitUntilReady(url);
  return url;
}
