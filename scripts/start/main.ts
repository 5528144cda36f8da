import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runForeground, type Foreground } from "../services/foreground.ts";
import { isPortTaken } from "../services/free-port.ts";
import { refuseDataInUse, startLocalServices } from "../services/local-services.ts";
import { parseStartArguments, StartError } from "./arguments.ts";
import { recordProcesses } from "./leftover-processes.ts";
import { showBackfill } from "./show-backfill.ts";
import { showJobs } from "./show-jobs.ts";
import { startWorker } from "./worker-process.ts";

await runForeground(start);

async function start(foreground: Foreground): Promise<void> {
  const startedAt = new Date();
  const options = parseStartArguments(process.argv.slice(2));
  const { port, dataDir } = options;
  await refuseDataInUse(dataDir);
  if (await isPortTaken(port)) throw new StartError(`Port ${port} is taken; choose another with --port.`);
  rmSync(join(dataDir, "start.json"), { force: true });
  const { provider, databaseUrl, apiKey, baseUrl, webUrl, sandboxUrl, variables } = await startLocalServices(
    options,
    foreground,
  );

  const worker = await startWorker({
    dataDir,
    port,
    onProcess: (pid) => recordProcesses(dataDir, [pid]),
    variables,
  });
  foreground.onEnd(() => worker.stop());
  let workerEnded = false;
  void worker.ended.then(() => {
    workerEnded = true;
    if (foreground.isEnding()) return;
    console.error(`The Worker has ended. ${join(dataDir, "worker.log")} has the reason.`);
    void foreground.end(1);
  });

  const stopped = () => workerEnded || foreground.isEnding();
  void showJobs(databaseUrl, startedAt, stopped).catch((error: Error) =>
    console.error(`Job lines stop here: ${error.message}`),
  );
  await showBackfill(databaseUrl, provider.expectedTrades, stopped);
  if (stopped()) return;
  const facts = {
    base_url: baseUrl,
    web_url: webUrl,
    sandbox_url: sandboxUrl,
    api_key: apiKey,
    provider: provider.kind,
    started_at: startedAt.toISOString(),
  };
  writeFileSync(join(dataDir, "start.json"), `${JSON.stringify(facts, null, 1)}\n`, { mode: 0o600 });
  console.log(`
API      ${baseUrl}/api/v1
OpenAPI  ${webUrl}/api/v1/openapi.json
Sandbox  ${sandboxUrl}/api/v1
API key  ${apiKey}

curl ${baseUrl}/api/v1/health
curl -H "Authorization: Bearer ${apiKey}" "${baseUrl}/api/v1/large-trades?limit=5"
curl -H "Authorization: Bearer ${apiKey}" "${baseUrl}/api/v1/leaderboard?limit=5"

ready on ${baseUrl} after ${Math.round((Date.now() - startedAt.getTime()) / 1000)} s; Ctrl-C stops it`);
}
