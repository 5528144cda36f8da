import { runUnderProjectNode } from "./bootstrap.mjs";

/** Commands that change a deployed Worker. Without an environment they would create one of the local names. */
const OF_AN_ENVIRONMENT = ["deploy", "rollback", "secret", "triggers", "versions"];

const [command = "", ...rest] = process.argv.slice(2);
if (OF_AN_ENVIRONMENT.includes(command) && !rest.some((arg) => /^(--env|-e)(=.+)?$/.test(arg))) {
  console.error(`Name the environment: npm run wrangler -- ${command} … --env staging, or --env production.`);
  process.exit(1);
}
await runUnderProjectNode("node_modules/wrangler/bin/wrangler.js");
