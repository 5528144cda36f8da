import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { readSampleFacts } from "../../../scripts/bench/operations/sample-facts.ts";
import { SAMPLES } from "../../../scripts/bench/operations/samples.ts";
import { findOperation } from "../../../scripts/cli/find-operation.ts";
import { OPERATIONS } from "../../../src/client/generated/operation-table.ts";
import { ApiError, type Client } from "../../../src/client/index.ts";
import { API_OPERATIONS } from "../../../src/operations/index.ts";
import { pathOf } from "../kernel/registry-paths.ts";

/** What became of a call: the answer's `object`, or the name of the error's class. */
export type Outcomes = Record<string, string>;

interface CallAnswer {
  readonly object?: string;
  readonly data?: any;
}

const outcomeOf = async (call: Promise<CallAnswer>): Promise<{ outcome: string; answer: CallAnswer | null }> =>
  call.then(
    (answer) => ({ outcome: answer.object ?? "json-rpc", answer }),
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      return { outcome: error.name, answer: null };
    },
  );

/**
 * Calls every operation through the client: reads with samples from the database, the others in the order of their
 * states.
 *
 * @param database of the product; the sandbox takes the same requests
 */
export async function callEveryOperation(client: Client, database: pg.Client): Promise<Outcomes> {
  const outcomes: Outcomes = {};
  const any = client as any;
  const run = async (id: string, params: object = {}, options: object = {}): Promise<any> => {
    const { outcome, answer } = await outcomeOf(any[id](params, options));
    outcomes[id] = outcome;
    return answer?.data;
  };

  const facts = await readSampleFacts(database);
  const ask = async (path: string) => {
    const { id, params } = findOperation(path, []);
    return any[id](params);
  };
  for (const [id, sampler] of Object.entries(SAMPLES)) {
    const samples = (await sampler(facts, ask)).flatMap((form) => form.samples);
    // The first sample of the weekly report is a week that a new product does not have.
    const sample = samples.find(({ path }) => !path.includes("week=")) ?? samples[0];
    if (sample?.body !== undefined) await run(id, { body: sample.body }, { strict: true });
    else await run(id, findOperation(sample?.path ?? emptyPathOf(id), []).params, { strict: true });
  }
  // Retired, so it has no samples.
  await run("listSportsEdgeSignals");

  await run("createMcpJsonRpcResponse", { body: { jsonrpc: "2.0", id: 1, method: "tools/list" } });
  await callWatchlists(run);
  await callWebhooks(run);
  await callFiles(run, facts.traders[0] ?? "");
  return outcomes;
}

/** A well-formed path of an operation of which the database has nothing. */
function emptyPathOf(id: string): string {
  const operation = API_OPERATIONS.find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Error(`the registry has no operation ${id}`);
  return pathOf(operation);
}

type Run = (id: string, params?: object, options?: object) => Promise<any>;

async function callWatchlists(run: Run): Promise<void> {
  const body = { name: "every operation", wallets: [`0x${"1".repeat(40)}`] };
  const keyed = () => ({ idempotencyKey: crypto.randomUUID() });
  const created = await run("createWatchlist", { body }, keyed());
  const one = { watchlist_id: created?.id ?? "wl_1" };
  await run("listWatchlists");
  await run("getWatchlist", one);
  await run("replaceWatchlist", { ...one, body: { ...body, wallets: [] } }, keyed());
  await run("deleteWatchlist", one, keyed());
}

async function callWebhooks(run: Run): Promise<void> {
  const body = { name: "every operation", url: "http://127.0.0.1:9/hook", event_types: ["trader_synced"] };
  const keyed = () => ({ idempotencyKey: crypto.randomUUID() });
  await run("listWebhookEvents");
  const created = await run("createWebhook", { body }, keyed());
  const id = created?.id ?? 1;
  await run("listWebhooks");
  await run("getWebhook", { id });
  await run("updateWebhook", { id, body: { name: "renamed" } }, keyed());
  await run("rotateWebhookSecret", { id }, keyed());
  await run("prepareWebhookSecret", { id }, keyed());
  await run("activateWebhookSecret", { id }, keyed());
  await run("retireWebhookSecret", { id }, keyed());
  await run("verifyWebhook", { id, body: { verification_token: `whv_${"0".repeat(32)}` } });
  const token = { verification_token: created?.verification_token ?? `whv_${"0".repeat(32)}` };
  const attempt = await run("createWebhookVerificationAttempt", { id, body: token }, keyed());
  const attemptId = attempt?.id ?? attempt?.attempt_id ?? "3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11";
  await run("getWebhookVerificationAttempt", { id, attempt_id: attemptId });
  await run("testWebhook", { id });
  await run("listWebhookDeliveries", { id });
  await run("redeliverWebhookDelivery", { id, delivery_id: 1 }, keyed());
  await run("deleteWebhook", { id }, keyed());
}

async function waitUntilReady(read: () => Promise<any>): Promise<void> {
  for (let reads = 0; reads < 60; reads++) {
    if ((await read())?.terminal !== false) return;
    await sleep(2_000);
  }
}

async function callFiles(run: Run, address: string): Promise<void> {
  await run("getTraderExportSnapshot", { address });
  const job = await run("submitTraderExport", { address, format: "csv" });
  const ofTrader = { address, job_id: job?.job_id ?? 1 };
  await waitUntilReady(() => run("getTraderExportStatus", ofTrader));
  await run("downloadTraderExport", ofTrader);
  await run("cancelTraderExport", ofTrader);
  const to = new Date(Date.now() - 60_000).toISOString();
  const from = new Date(Date.now() - 86_400_000).toISOString();
  const dataset = await run("submitWhaleDataset", { body: { from, to } });
  const ofDataset = { job_id: dataset?.job_id ?? 1 };
  await waitUntilReady(() => run("getWhaleDatasetStatus", ofDataset));
  await run("downloadWhaleDataset", ofDataset);
  await run("cancelWhaleDataset", ofDataset);
}

/** The operations that `callEveryOperation` leaves to another test: the stream has no answer. */
export const OTHERS: readonly string[] = ["getStream"];

export const ALL_IDS: readonly string[] = Object.keys(OPERATIONS);
