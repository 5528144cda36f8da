/// <reference types="@cloudflare/vitest-plugin/types" />
import { createMessageBatch, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { consumeExports } from "../../../queues/consume-exports.ts";
import { consumeWebhooks } from "../../../queues/consume-webhooks.ts";
import {
  KIND_NAMES,
  KINDS,
  readRequestCounts,
  type Kind,
  type OperationCounts,
} from "../../../scripts/cost/request-counts.ts";
import { apiKeys } from "../../../src/db/schema.ts";
import type { Env } from "../../../src/env.ts";
import { WEBHOOK_DISPATCHER_NAME } from "../../../src/platform/objects/wake-outbox-readers.ts";
import { countingEnv, type CountingEnv } from "../../support/cost/counting-env.ts";
import { OperationCounter, RECEIVER_HOST } from "../../support/cost/operation-counter.ts";
import { openLimitedRuntime } from "../../support/kernel/open-kernel.ts";
import { callTool } from "../../support/mcp/mcp-calls.ts";
import { openRegistryApi, type RegistryApi } from "../../support/registry/open-registry-api.ts";
import { anEndpoint, someEvents, untilReadable } from "../../support/seed/webhooks.ts";
import type { World } from "../../support/seed/world.ts";
import { runStreamAlarm, shardOfAccount, theShard, theStream } from "../../support/stream/open-stream.ts";
import { StreamReader } from "../../support/stream/stream-reader.ts";
import { storedDeliveries } from "../../support/webhooks/drain-settings.ts";

/*
 * Counts what each kind of request costs. The counts are compared with scripts/cost/request-counts.json, from which
 * docs/cost.md is computed. `npm run cost -- --count` reads them from the metadata of these tests and records them.
 */
declare module "vitest" {
  interface TaskMeta {
    requestCounts?: { readonly kind: string; readonly counts: OperationCounts };
  }
}

const bindings = env as Env;
const DATASETS_PATH = "/api/v1/datasets/whale-trades";
/** The runtime fires alarms by the machine's clock, so none fires by itself an hour ahead of it. */
const AHEAD_MS = 3_600_000;

const counter = new OperationCounter();
let registry: RegistryApi;
let counting: CountingEnv;
let accountId: number;
let meterName: string;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + AHEAD_MS });
  for (const level of ["info", "warn", "error"] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
  counter.watchNetwork();
  await runInDurableObject(theStream(), (_instance, { storage }) => counter.watchStorage(storage));
  registry = await openRegistryApi(({ config }) => {
    counting = countingEnv(config.databaseUrl, counter);
    return openLimitedRuntime(config.databaseUrl, counting);
  });
  const [known] = await registry.db.select({ accountId: apiKeys.accountId }).from(apiKeys);
  accountId = known?.accountId ?? 0;
  meterName = `${counting.DATABASE_URL} ${accountId}`;
  // Afterwards the meter has the credential, and the account's meter has its flush scheduled.
  await registry.requestById("getUsage");
});

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Sends one request to the Worker and expects this status. */
async function send(sending: Promise<{ readonly status: number }>, status = 200): Promise<void> {
  counter.add("worker_requests");
  expect((await sending).status).toBe(status);
}

/** Runs the alarm of an object with the counting bindings, as the runtime would when it is due. */
function fireAlarm<Alarmed extends { alarm(): Promise<void> } & Rpc.DurableObjectBranded>(
  stub: DurableObjectStub<Alarmed>,
) {
  counter.add("object_requests");
  return runInDurableObject(stub, async (instance, { storage }) => {
    Reflect.set(instance, "env", counting);
    await storage.deleteAlarm();
    await instance.alarm();
  });
}

/** Delivers what was sent to a queue, each message in its own batch. */
async function consume(queue: string, consumer: (batch: MessageBatch<unknown>, env: Env) => Promise<void>) {
  for (const body of counting.sent[queue]?.splice(0) ?? []) {
    counter.add("worker_requests");
    await consumer(createMessageBatch(queue, [{ id: "m1", timestamp: new Date(), attempts: 1, body }]), counting);
  }
}

const meter = () => bindings.USER_METER.get(bindings.USER_METER.idFromName(meterName));
const trader = (name: keyof World["traders"]) => `/api/v1/trader/${registry.world.traders[name].address}`;
const flushUsage = () => fireAlarm(meter());

let submitted = 0;

/** Submits a dataset of its own range: the same range again would return the same job. */
async function submitDataset(): Promise<string> {
  const to = new Date(Date.parse("2026-11-21T00:00:00Z") + submitted++ * 60_000).toISOString();
  const sending = registry.post(DATASETS_PATH, { from: "2026-11-19T00:00:00Z", to });
  await send(sending, 202);
  return (await sending).body.data.job_id;
}

async function joinStream(): Promise<void> {
  const headers = { authorization: `Bearer ${registry.key}` };
  const response = await registry.api.fetch(new Request("http://api.test/api/v1/stream", { headers }));
  expect(response.status).toBe(200);
  if (response.body === null) throw new Error("the stream has no body");
  const stream = new StreamReader(response.body);
  await stream.until(({ frames, comments }) => frames.length + comments.length > 0);
  onTestFinished(() => stream.stop());
}

/** One event from the outbox to the receiver. */
async function deliverEvent({ id }: { readonly id: string }): Promise<void> {
  await fireAlarm(bindings.WEBHOOK_DISPATCHER.get(bindings.WEBHOOK_DISPATCHER.idFromName(WEBHOOK_DISPATCHER_NAME)));
  await consume("webhooks", consumeWebhooks);
  await fireAlarm(bindings.WEBHOOK_ENDPOINT.get(bindings.WEBHOOK_ENDPOINT.idFromName(`endpoint:${id}`)));
  const rows = await storedDeliveries(registry.db, id);
  expect(rows.map(({ status }) => status)).toEqual(rows.map(() => "delivered"));
}

/** How each kind is brought into its usual state, if the requests before have not, and then counted. */
const COUNTED: Readonly<Record<Kind, () => Promise<OperationCounts>>> = {
  public_read: () => counter.count(() => send(registry.requestById("getApiDiscovery"))),
  uncached_read: () => counter.count(() => send(registry.api.send(trader("known")))),
  cached_read: async () => {
    await registry.api.send(trader("nameless"));
    return counter.count(() => send(registry.api.send(trader("nameless"))));
  },
  list: () => counter.count(() => send(registry.requestById("listLargeTrades"))),
  batch: () => counter.count(() => send(registry.requestById("batchGetTraders"))),
  mcp_call: () =>
    counter.count(() => send(callTool(registry.api, "get_trader", { address: registry.world.traders.gapped.address }))),
  export_submit: () => counter.count(submitDataset),
  export_status: async () => {
    const id = await submitDataset();
    return counter.count(() => send(registry.api.send(`${DATASETS_PATH}/${id}`)));
  },
  export_file: async () => {
    await consume("exports", consumeExports);
    const id = await submitDataset();
    const counts = await counter.count(() => consume("exports", consumeExports));
    expect((await registry.api.send(`${DATASETS_PATH}/${id}`)).body.data.status).toBe("ready");
    return counts;
  },
  stream_join: async () => {
    await runStreamAlarm(registry.database);
    const shard = theShard(await shardOfAccount(accountId));
    await runInDurableObject(shard, (instance) => void Reflect.set(instance, "env", counting));
    await joinStream();
    return counter.count(async () => {
      counter.add("worker_requests");
      await joinStream();
    });
  },
  webhook_delivery: async () => {
    const endpoint = await anEndpoint(registry.db, { url: `https://${RECEIVER_HOST}/in` });
    const publish = async () => {
      await someEvents(registry.db, [{}]);
      await untilReadable(registry.db);
    };
    await publish();
    await deliverEvent(endpoint);
    await publish();
    return counter.count(() => deliverEvent(endpoint));
  },
  usage_flush: async () => {
    await flushUsage();
    await registry.requestById("getApiDiscovery");
    await registry.api.send(trader("known"));
    return counter.count(flushUsage);
  },
};

test.for(KIND_NAMES)("%s costs the operations that are recorded", async (kind, { task }) => {
  const counts = await COUNTED[kind]();
  task.meta.requestCounts = { kind, counts };
  // In the diff of a failure it stands above the counts.
  const advice = `${KINDS[kind]}: record other counts with "npm run cost -- --count", and give the reason in the commit`;
  expect({ [advice]: counts }).toEqual({ [advice]: readRequestCounts()[kind] });
});
