import { parseStartArguments } from "../start/arguments.ts";
import { startCronTrigger } from "./cron-trigger.ts";
import { refuseForeignDevVars, removeDevVars, writeDevVars } from "./dev-vars.ts";
import { runForeground, type Foreground } from "./foreground.ts";
import { refuseDataInUse, startLocalServices } from "./local-services.ts";

/*
 * Starts what `npm start` starts, except the Worker, so that plain `wrangler dev` runs it. The data have
 * their own directory: `npm start -- --fresh` removes `.local`.
 */
const DEV_VARS = ".dev.vars";
const DEFAULT_PORT = 8787;

await runForeground(startServices);

async function startServices(foreground: Foreground): Promise<void> {
  const startedAt = Date.now();
  const options = parseStartArguments(process.argv.slice(2), { source: "simulate", dataDir: ".local-services" });
  refuseForeignDevVars(DEV_VARS);
  await refuseDataInUse(options.dataDir);
  const { baseUrl, apiKey, variables } = await startLocalServices(options, foreground);
  writeDevVars(DEV_VARS, variables);
  foreground.onEnd(async () => removeDevVars(DEV_VARS));
  const stopCron = startCronTrigger(options.port);
  foreground.onEnd(async () => stopCron());

  const port = options.port === DEFAULT_PORT ? "" : ` --port ${options.port}`;
  console.log(`
API      ${baseUrl}/api/v1
API key  ${apiKey}

The variables are in ${DEV_VARS}. Start the Worker in another terminal:

npx wrangler dev${port}
curl ${baseUrl}/api/v1/health
curl -H "Authorization: Bearer ${apiKey}" "${baseUrl}/api/v1/large-trades?limit=5"

services ready after ${Math.round((Date.now() - startedAt) / 1000)} s; Ctrl-C stops them`);
  if (options.fresh) console.log("Delete .wrangler/state too: it belongs to the data that --fresh has removed.");
}
