// Plain JavaScript for Node 20: installs the packages of the lockfile, then continues under the Node that npm
// installed.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs a TypeScript entry point of scripts/ with this process's arguments, in its place. */
export async function runUnderProjectNode(entry) {
  installPackages();
  const child = spawn(
    projectNode(),
    ["--disable-warning=ExperimentalWarning", join(root, entry), ...process.argv.slice(2)],
    {
      cwd: root,
      // The child stops when this IPC channel closes, so it ends with this process in every case.
      stdio: ["inherit", "inherit", "inherit", "ipc"],
      env: { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` },
    },
  );
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  endWithNpm(() => child.kill("SIGTERM"));
  const { code } = await new Promise((resolve) =>
    child.once("exit", (exitCode, signal) => resolve({ code: exitCode ?? (signal ? 1 : 0) })),
  );
  process.exitCode = code;
}

/** A killed npm sends its script no signal; the script detects it by a changed parent process. */
function endWithNpm(end) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, 500);
  timer.unref();
}

function installPackages() {
  if (isInstalled()) return;
  console.log("Installing packages…");
  const npm = process.env.npm_execpath;
  const [command, args] = npm === undefined ? ["npm", ["ci"]] : [process.execPath, [npm, "ci"]];
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) {
    console.error("npm ci failed. Its messages above give the cause.");
    process.exit(1);
  }
}

/** Whether every package of the lockfile (except those of other platforms) is installed at its version. */
function isInstalled() {
  const installed = join(root, "node_modules/.package-lock.json");
  if (!existsSync(installed)) return false;
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const present = JSON.parse(readFileSync(installed, "utf8")).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional, link }]) => path === "" || optional || link || present[path]?.version === version,
  );
}

function projectNode() {
  const installed = join(root, "node_modules/.bin/node");
  if (existsSync(installed)) return installed;
  if (Number(process.versions.node.split(".")[0]) >= 22) return process.execPath;
  console.error(`npm has no Node 22 for ${process.platform} ${process.arch}. Run this command with Node 22 or newer.`);
  process.exit(1);
}
