import { benchAgents } from "./agents/bench-agents.ts";
import { parseBenchArguments, USAGE, type BenchArguments } from "./arguments.ts";
import { benchIngest } from "./ingest/bench-ingest.ts";
import { benchReads } from "./reads/bench-reads.ts";
import { startBenchServices } from "./bench-services.ts";
import { bundleProduct } from "./bundles.ts";
import { benchDistance } from "./distance/bench-distance.ts";
import { benchFiles } from "./files/bench-files.ts";
import { benchLoad } from "./load/bench-load.ts";
import { benchEngine } from "./engine/bench-engine.ts";
import { startPageServer } from "./ingest/measure-ingest.ts";
import { benchLiveSize } from "./live-size/bench-live-size.ts";
import { benchOperations } from "./operations/bench-operations.ts";
import { benchStream } from "./stream/bench-stream.ts";
import { benchStudy } from "./study/bench-study.ts";
import { benchWebhooks } from "./webhooks/bench-webhooks.ts";

const argv = process.argv.slice(2);
if (argv.includes("--help")) {
  console.log(USAGE);
} else {
  const request = parseBenchArguments(argv);
  if (request.parts.includes("live-size")) await benchLiveSize(request.livePhases, request.dataDir);
  else if (request.parts.includes("study")) await benchStudy(request.trades);
  else await benchParts(request);
}

async function benchParts(request: BenchArguments): Promise<void> {
  const services = await startBenchServices(request.dataDir);
  try {
    const throughWorker = request.parts.filter(
      (part) => part !== "engine" && part !== "load" && part !== "study" && part !== "live-size",
    );
    if (throughWorker.length > 0) await benchWorker(throughWorker);
    if (request.parts.includes("load")) await benchLoad(services, request.trades);
    if (request.parts.includes("engine")) await benchEngine(services, request);
  } finally {
    await services.stop();
  }

  async function benchWorker(
    parts: readonly ("ingest" | "reads" | "operations" | "webhooks" | "stream" | "files" | "agents" | "distance")[],
  ): Promise<void> {
    const provider = await startPageServer(parts.includes("ingest") ? request.trades : 0);
    const variables = {
      ...services.variables,
      PROVIDER_GAMMA_URL: provider.url,
      PROVIDER_DATA_URL: provider.url,
      PROVIDER_CLOB_URL: provider.url,
      PROVIDER_TRADES_SOCKET_URL: provider.url.replace("http", "ws"),
      PROVIDER_SPORTS_SOCKET_URL: provider.url.replace("http", "ws"),
    };
    try {
      const product = bundleProduct();
      if (parts.includes("ingest")) await benchIngest(product, services, variables, request.ingestRttMs);
      if (parts.includes("reads")) await benchReads(product, services, variables, request.isSmall);
      if (parts.includes("stream")) await benchStream(product, services, variables, request.isSmall);
      if (parts.includes("webhooks")) await benchWebhooks(product, services, variables, request.isSmall);
      if (parts.includes("files")) await benchFiles(product, services, variables, request);
      if (parts.includes("agents")) await benchAgents(product, services, variables, request.isSmall);
      if (parts.includes("distance")) await benchDistance(product, { ...services, variables }, request.isSmall);
      if (parts.includes("operations")) await benchOperations(product, services, variables, request);
    } finally {
      provider.stop();
    }
  }
}
