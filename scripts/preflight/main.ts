import { argumentsOrExit } from "../arguments-or-exit.ts";
import { parsePreflightArguments, USAGE } from "./arguments.ts";
import { systemPorts } from "./ports.ts";
import { readEnvironment } from "./read-environment.ts";
import { runPreflight } from "./run-preflight.ts";

// Checks an environment before its deployment, and with --deployed after it. Exits with 1 when anything is wrong.
if (process.argv.includes("--help")) {
  console.log(USAGE);
} else {
  const { environment: name, ...rest } = argumentsOrExit(parsePreflightArguments, USAGE);
  const findings = await runPreflight({ environment: readEnvironment(name), ...rest }, systemPorts);
  for (const { level, text } of findings) console.log(`${level === "fault" ? "WRONG" : "note "} ${text}`);
  const faults = findings.filter(({ level }) => level === "fault").length;
  console.log(faults === 0 ? `${name} is ready.` : `${name} has ${faults} ${faults === 1 ? "fault" : "faults"}.`);
  process.exitCode = faults === 0 ? 0 : 1;
}
