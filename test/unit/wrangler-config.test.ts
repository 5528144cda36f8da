import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ENVIRONMENTS, readEnvironment, type Environment } from "../../scripts/preflight/read-environment.ts";
import { REGION_NAMES } from "../../src/domain/regions.ts";
import { parseQueueName, QUEUES } from "../../src/messages/queue-name.ts";

const EVERY_ENVIRONMENT = ["", ...ENVIRONMENTS] as const;

/** Variables that an environment may set differently from the top of the file. */
const OF_AN_ENVIRONMENT = [
  ...["API_BASE_URL", "WEB_BASE_URL", "SANDBOX_BASE_URL", "R2_BUCKET", "ARCHIVE_BUCKET"],
  ...["LOG_SAMPLE_RATE", "REGION"],
];

const consumersOf = ({ queues }: Environment) => queues.consumers;
const hostsOf = ({ vars }: Environment) =>
  ["API_BASE_URL", "WEB_BASE_URL", "SANDBOX_BASE_URL"].map((name) => new URL(vars[name] ?? "").host);

/** Every name that is unique in an account or on the internet. */
const namesOf = (config: Environment): string[] => [
  config.name,
  ...consumersOf(config).map(({ queue }) => queue),
  ...config.r2_buckets.map(({ bucket_name }) => bucket_name),
  ...config.analytics_engine_datasets.map(({ dataset }) => dataset),
  ...hostsOf(config),
];

test("no Worker, queue, bucket or host name is in two environments", () => {
  const [staging, production] = ENVIRONMENTS.map((env) => namesOf(readEnvironment(env)));
  expect(staging).toHaveLength(1 + 10 + 2 + 1 + 3);
  const local = new Set(namesOf(readEnvironment("")).filter((name) => !name.includes("example.com")));
  const all = [...(staging ?? []), ...(production ?? []), ...local];
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});

test.each(EVERY_ENVIRONMENT)("in [%s] every queue has a dead-letter queue, and both have a consumer", (env) => {
  const consumers = consumersOf(readEnvironment(env));
  const consumed = new Set(consumers.map(({ queue }) => queue));
  const producers = readEnvironment(env).queues.producers;
  expect(producers.map(({ queue }) => parseQueueName(queue)?.queue)).toEqual(QUEUES);
  for (const { queue } of producers) {
    const dead = consumers.find((consumer) => consumer.queue === queue)?.dead_letter_queue ?? "none";
    expect(consumed).toContain(dead);
    expect(parseQueueName(queue)?.isDead).toBe(false);
    expect(parseQueueName(dead)).toEqual({ queue: parseQueueName(queue)?.queue, isDead: true });
  }
  expect(consumed.size).toBe(10);
});

test.each(EVERY_ENVIRONMENT)("in [%s] the classes of migrations and bindings are the exported classes", (env) => {
  const { migrations, durable_objects } = readEnvironment(env);
  const classes = new Set<string>();
  for (const step of migrations) {
    for (const name of step.new_sqlite_classes) classes.add(name);
    for (const { from, to } of step.renamed_classes) {
      classes.delete(from);
      classes.add(to);
    }
    for (const name of step.deleted_classes) classes.delete(name);
  }
  const worker = readFileSync(new URL("../../src/worker.ts", import.meta.url), "utf8");
  const exported = /^export \{ (.*) \};$/m.exec(worker)?.[1]?.split(", ");
  expect([...classes].toSorted()).toEqual(exported?.toSorted());
  expect(durable_objects.bindings.map(({ class_name }) => class_name).toSorted()).toEqual(exported?.toSorted());
});

describe.each(ENVIRONMENTS)("the environment %s", (env) => {
  const top = readEnvironment("");
  const config = readEnvironment(env);

  test("has the bindings, queue settings and triggers of the top of the file under names of its own", () => {
    const withoutPrefix = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(`activity-${env}-`, ""));
    const sorted = (consumers: { queue: string }[]) => consumers.toSorted((a, b) => a.queue.localeCompare(b.queue));
    expect(withoutPrefix(config.queues.producers)).toEqual(top.queues.producers);
    expect(sorted(withoutPrefix(consumersOf(config)))).toEqual(sorted(consumersOf(top)));
    expect(withoutPrefix(config.r2_buckets)).toEqual(top.r2_buckets);
    expect(config.durable_objects).toEqual(top.durable_objects);
    expect(config.triggers).toEqual(top.triggers);
    expect(config.assets).toEqual(top.assets);
    expect(config.compatibility_flags).toEqual(top.compatibility_flags);
  });

  test("has every variable of the top of the file, and the same values where the environment has no part in them", () => {
    const shared = ({ vars }: Environment) =>
      Object.fromEntries(Object.entries(vars).filter(([name]) => !OF_AN_ENVIRONMENT.includes(name)));
    expect(shared(config)).toEqual(shared(top));
    expect(Object.keys(config.vars).toSorted()).toEqual([...Object.keys(top.vars), "REGION"].toSorted());
    expect([config.vars["R2_BUCKET"], config.vars["ARCHIVE_BUCKET"]]).toEqual(
      config.r2_buckets.map(({ bucket_name }) => bucket_name),
    );
  });

  test("answers at one custom domain for each origin and nowhere else", () => {
    expect(config.routes).toEqual(hostsOf(config).map((pattern) => ({ pattern, custom_domain: true })));
    expect([config.workers_dev, config.preview_urls]).toEqual([false, false]);
  });

  test("runs in the region in which it creates its objects", () => {
    expect(REGION_NAMES).toContain(config.vars["REGION"]);
    expect(config.placement).toEqual({ region: config.vars["REGION"] });
  });

  test("keeps every log line of the Worker, which samples its own, and writes none per invocation", () => {
    expect(config.observability).toEqual({ enabled: true, logs: { invocation_logs: false } });
    expect(Number(config.vars["LOG_SAMPLE_RATE"])).toBeGreaterThan(0);
  });
});
