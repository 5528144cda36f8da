#!/usr/bin/env node
// Plain JavaScript for Node 20: runs the command line under the Node that npm installed.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const installed = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));
const main = fileURLToPath(new URL("cli/main.ts", import.meta.url));
const node = existsSync(installed) ? installed : process.execPath;
const args = ["--disable-warning=ExperimentalWarning", main, ...process.argv.slice(2)];
const child = spawn(node, args, { stdio: "inherit" });
// A terminal sends Ctrl-C to both processes; the child decides.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
child.on("exit", (code) => (process.exitCode = code ?? 1));
