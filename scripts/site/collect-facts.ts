import { ERRORS, type Reason, type Retry } from "../../src/api/errors.ts";
import type { Operation } from "../../src/api/operation.ts";
import { EVENT_CATALOGUE, EVENT_TYPES } from "../../src/events/registry.ts";
import { CONTENT_ITEMS } from "../../src/operations/content/content-items.ts";
import { collectNumbers } from "./collect-numbers.ts";
import { SiteFacts, type OperationFacts } from "./site-facts.ts";

/** The facts of the pages, from the code that enforces them. */
export function collectFacts(operations: readonly Operation[]): SiteFacts {
  return SiteFacts.parse({
    operations: Object.fromEntries(operations.map((operation) => [operation.id, factsOf(operation)])),
    errors: (Object.keys(ERRORS) as Reason[]).map((reason) => {
      const { status, code, message, published } = ERRORS[reason];
      const retry: Retry = ERRORS[reason].retry;
      const retryAfterSeconds = retry === "never" ? null : retry.afterSeconds;
      const retrySpreadSeconds = retry === "never" ? 0 : (retry.spreadSeconds ?? 0);
      return { reason, status, code, message, retryAfterSeconds, retrySpreadSeconds, isPublished: published };
    }),
    events: EVENT_TYPES.map((type) => {
      const { spellings, frame, access, isLive, firesWhen } = EVENT_CATALOGUE[type];
      return { spellings, frame, access, isLive, firesWhen };
    }),
    content: CONTENT_ITEMS,
    numbers: collectNumbers(),
  });
}

function factsOf(operation: Operation): OperationFacts {
  const { access, scope, plan, cost, mcpTool, cacheSeconds, alias } = operation;
  if (access === "session") throw new Error(`${operation.id} belongs to the website and has no public page`);
  return {
    ...{ access, scope, plan, cost, mcpTool, cacheSeconds },
    idempotent: operation.kind === "single" && operation.idempotent === true,
    isBatch: operation.kind === "single" && operation.batchUnits !== undefined,
    alias: alias === undefined ? null : { of: alias.of, since: dayOf(alias.since), sunset: dayOf(alias.sunset) },
  };
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
