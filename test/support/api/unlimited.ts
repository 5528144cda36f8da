import { StreamUnavailable, type EventStreamPort } from "../../../src/platform/objects/event-stream-port.ts";
import type { ArtifactStore } from "../../../src/platform/artifacts/artifact-store.ts";
import type { ExportPorts } from "../../../src/platform/artifacts/export-ports.ts";
import type { HolderScanner } from "../../../src/platform/objects/holder-scanner.ts";
import type { IpBudget, SpendingRequest } from "../../../src/platform/rate-limit/ip-budget.ts";
import type { Metrics } from "../../../src/platform/metrics/metrics.ts";
import { decideAccess } from "../../../src/domain/accounts/decide-access.ts";
import type { Principal } from "../../../src/domain/accounts/principal.ts";
import {
  MeterUnavailable,
  type CallerRequest,
  type Meter,
  type MeterVerdict,
} from "../../../src/platform/objects/meter.ts";
import type { RequestLimiter } from "../../../src/platform/rate-limit/request-limiter.ts";
import type { WebhookPorts } from "../../../src/platform/objects/webhook-ports.ts";
import { FaultyArtifactStore } from "../exports/faulty-artifact-store.ts";

/** A request without a key. */
export const KEYLESS: SpendingRequest = { key: null, waitUntil: () => undefined };

/** The website's own rate limits, which admit everything. */
export const NO_REQUEST_LIMITS: RequestLimiter = { spend: async () => null };

/**
 * Defaults for tests of something else: nothing is measured, budgets admit everything, waits end at once, holders are never
 * scanned, the stream cannot be joined, and every webhook receiver is allowed but unreachable.
 */
export const UNLIMITED: {
  ipBudget: IpBudget;
  eventStream: EventStreamPort;
  webhooks: WebhookPorts;
  holderScanner: HolderScanner;
  metrics: Metrics;
  exports: ExportPorts;
  artifacts: ArtifactStore;
  wait: () => Promise<void>;
} = {
  wait: async () => undefined,
  holderScanner: { scan: async () => false },
  metrics: { write: () => undefined },
  exports: {
    enqueue: async () => undefined,
    createLink: async () => {
      throw new Error("files are not stored in this test");
    },
  },
  artifacts: new FaultyArtifactStore(),
  eventStream: {
    join: async () => {
      throw new StreamUnavailable("the stream is not available in this test");
    },
  },
  webhooks: {
    policy: {
      resolver: { resolve: async () => ({ kind: "addresses", addresses: ["1.1.1.1"] }) },
      allowLoopback: false,
    },
    fetch: async () => {
      throw new Error("webhook receivers are not reachable in this test");
    },
    enqueue: async () => undefined,
    hold: async () => undefined,
    resume: async () => undefined,
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
  },
  ipBudget: {
    spend: async () => ({
      refusedBy: null,
      retryAtMs: null,
      limit: 1_200,
      remaining: 1_199,
      resetAtMs: Date.now() + 60_000,
    }),
  },
};

/** The verdict that admits a request. */
export function unlimitedVerdict(
  { batchUnits }: Pick<CallerRequest, "batchUnits">,
  nowMs: number = Date.now(),
): MeterVerdict {
  const window = { limit: 100, remaining: 99, resetAtMs: nowMs + 60_000 };
  return {
    refusedBy: null,
    retryAtMs: null,
    accounting: "persisted",
    window,
    primary: window,
    batch: batchUnits === null ? null : { ...window, remaining: 100 - batchUnits },
    quota: { limit: 250_000, remaining: 249_999, used: 1, resetAtMs: nowMs + 86_400_000 },
    day: { used: 1, resetAtMs: nowMs + 86_400_000 },
  };
}

/**
 * A meter with the credentials of another one and budgets of its own.
 *
 * @param decide the verdict of a request whose credential is granted
 */
export function meterWith(
  credentials: Omit<Meter, "admit">,
  decide: (request: CallerRequest, principal: Principal) => Promise<MeterVerdict> | MeterVerdict = (request) =>
    unlimitedVerdict(request),
): Meter {
  return {
    async admit(request, load) {
      const access = await credentials.authorize(request, load);
      if (access.kind === "refused") return access;
      return { kind: "granted", principal: access.principal, verdict: await decide(request, access.principal) };
    },
    authorize: (...request) => credentials.authorize(...request),
    refuse: (...change) => credentials.refuse(...change),
    forget: (accountId) => credentials.forget(accountId),
  };
}

/** Credentials as Postgres has them at each request, for tests outside workerd. */
export const STORED_CREDENTIALS: Omit<Meter, "admit"> = {
  authorize: async ({ credential, requirement }, load) =>
    decideAccess(await load(credential.hash), requirement, new Date()),
  refuse: async () => undefined,
  forget: async () => undefined,
};

const away = () => Promise.reject(new MeterUnavailable("made unavailable by the test"));

/** The meters during their outage. */
export const METER_AWAY: Meter = { admit: away, authorize: away, refuse: away, forget: away };
