import { env } from "cloudflare:workers";
import type { Env } from "../../../src/env.ts";
import type { Billed } from "../../../scripts/cost/request-counts.ts";
import type { OperationCounter } from "./operation-counter.ts";

type Methods = Record<PropertyKey, (...args: unknown[]) => unknown>;

/** The R2 methods by what they cost. Deleting, aborting and continuing an upload are free. */
const R2_METHODS: Readonly<Record<string, Billed | null>> = {
  resumeMultipartUpload: null,
  put: "r2_class_a",
  list: "r2_class_a",
  createMultipartUpload: "r2_class_a",
  uploadPart: "r2_class_a",
  complete: "r2_class_a",
  get: "r2_class_b",
  head: "r2_class_b",
};

export interface CountingEnv extends Env {
  readonly DATABASE_URL: string;
  /** The bodies that were sent to each queue. They are not delivered. */
  readonly sent: Record<string, unknown[]>;
}

/** The bindings of the test runtime over one database, with each billed call counted. */
export function countingEnv(databaseUrl: string, counter: OperationCounter): CountingEnv {
  const bindings = env as Env;
  const objects = <Namespace extends object>(namespace: Namespace): Namespace =>
    wrap(namespace, {
      get: (get, args) => wrap(get(...args) as object, {}, () => counter.add("object_requests")),
    });
  const sent: Record<string, unknown[]> = {};
  const queue = (name: string) => {
    const send = async (body: unknown) => {
      counter.add("queue_messages");
      (sent[name] ??= []).push(body);
    };
    return { send, sendBatch: (messages: { body: unknown }[]) => Promise.all(messages.map(({ body }) => send(body))) };
  };
  const uploads = (result: unknown): unknown =>
    result instanceof Promise ? result.then(uploads) : isUpload(result) ? bucket(result) : result;
  const bucket = <Target extends object>(target: Target): Target =>
    wrap(
      target,
      Object.fromEntries(
        Object.entries(R2_METHODS).map(([name, billed]) => [
          name,
          (method: (...args: unknown[]) => unknown, args: unknown[]) => {
            if (billed !== null) counter.add(billed);
            return uploads(method(...args));
          },
        ]),
      ),
    );
  const counting = {
    ...bindings,
    DATABASE_URL: databaseUrl,
    USER_METER: objects(bindings.USER_METER),
    EVENT_STREAM: objects(bindings.EVENT_STREAM),
    STREAM_FANOUT: objects(bindings.STREAM_FANOUT),
    WEBHOOK_DISPATCHER: objects(bindings.WEBHOOK_DISPATCHER),
    WEBHOOK_ENDPOINT: objects(bindings.WEBHOOK_ENDPOINT),
    WEBHOOKS_QUEUE: queue("webhooks"),
    EXPORTS_QUEUE: queue("exports"),
    ARTIFACTS: bucket(bindings.ARTIFACTS),
    METRICS: { writeDataPoint: () => counter.add("metric_points") },
    sent,
  };
  // The queues have only the methods that the product calls.
  return counting as unknown as CountingEnv;
}

const isUpload = (result: unknown): result is R2MultipartUpload =>
  typeof result === "object" && result !== null && "uploadPart" in result;

/**
 * The same object, with some of its methods called through others.
 *
 * @param note called before any method
 */
function wrap<Target extends object>(
  target: Target,
  through: Readonly<Record<string, (method: (...args: unknown[]) => unknown, args: unknown[]) => unknown>>,
  note: () => void = () => undefined,
): Target {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = (object as Methods)[name];
      if (typeof member !== "function" || name === "then") return member;
      // Called on the object itself: the runtime refuses its methods on a proxy.
      const method = (...args: unknown[]): unknown => (object as Methods)[name]?.(...args);
      const other = typeof name === "string" && Object.hasOwn(through, name) ? through[name] : undefined;
      return (...args: unknown[]): unknown => {
        note();
        return other === undefined ? method(...args) : other(method, args);
      };
    },
  });
}
