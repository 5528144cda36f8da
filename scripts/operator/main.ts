import { OperatorError, parseOperatorArguments, USAGE } from "./arguments.ts";
import { openStore } from "./open-store.ts";
import { runOperatorCommand } from "./run-command.ts";

// Accounts, plans and keys, for the operators of the service.
const argv = process.argv.slice(2);
if (argv.includes("--help") || argv.length === 0) {
  console.log(USAGE);
} else {
  try {
    const { command, dataDir } = parseOperatorArguments(argv);
    const store = await openStore(process.env, dataDir);
    try {
      console.log(await runOperatorCommand(command, store, new Date()));
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
