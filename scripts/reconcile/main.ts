import { runReconcile } from "./reconcile-command.ts";

// Compares our profit and loss with the provider's own figures in a recording (docs/reconciliation.md).
const { exitCode, stdout, stderr } = await runReconcile(process.argv.slice(2));
if (stdout !== "") console.log(stdout);
if (stderr !== "") console.error(stderr);
process.exitCode = exitCode;
