import type { ProviderWorld } from "../provider-world.ts";
import type { FaultPlan, Fault } from "./faults.ts";
import { Query, Refusal, type ProviderResponse, type Service } from "./request.ts";
import { ROUTES } from "./routes.ts";

export interface ProviderCall {
  readonly method: string;
  /** Prefixed: `/data/v2/trades`. */
  readonly path: string;
  readonly search: URLSearchParams;
  readonly body: unknown;
}

const SERVICES: readonly Service[] = ["data", "gamma", "clob"];

/** The response to one HTTP call, altered by the fault. */
export function handleCall(
  world: ProviderWorld,
  faults: FaultPlan,
  call: ProviderCall,
  fault: Fault | null,
): ProviderResponse {
  const service = SERVICES.find((name) => call.path.startsWith(`/${name}/`));
  if (service === undefined) return { status: 404, body: { error: "no such service" } };
  if (fault?.kind === "status") return failure(service, fault);
  const path = call.path.slice(service.length + 1);
  try {
    const answer = dispatch(world, service, path, call, fault?.kind === "short_page");
    return { ...answer, body: faults.alterBody(call.path, answer.body, fault) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, body: errorBody(service, error.status, error.message, error.parameter) };
  }
}

function dispatch(
  world: ProviderWorld,
  service: Service,
  path: string,
  call: ProviderCall,
  shortPage: boolean,
): ProviderResponse {
  const matching = ROUTES.filter((route) => route.service === service && route.pattern.test(path));
  if (matching.length === 0) throw new Refusal(404, "not found");
  const route = matching.find((candidate) => candidate.method === call.method);
  if (route === undefined) throw new Refusal(405, "method not allowed");
  world.refresh();
  const captured = (route.pattern.exec(path) ?? []).slice(1).map(decodeURIComponent);
  const query = new Query(call.search, service === "data");
  return route.handle({ service, path, captured, query, body: call.body, world, shortPage });
}

const DATA_CODES: Record<number, string> = {
  400: "invalid_request",
  404: "not_found",
  405: "method_not_allowed",
  429: "rate_limited",
  503: "dependency_unavailable",
};

function errorBody(
  service: Service,
  status: number,
  message: string,
  parameter: string | null,
): Record<string, unknown> {
  if (service !== "data")
    return service === "gamma" ? { type: "validation error", error: message } : { error: message };
  return {
    error: message,
    code: DATA_CODES[status] ?? "internal",
    retryable: status === 429 || status === 503,
    trace_id: "generated",
    ...(parameter === null ? {} : { parameter }),
  };
}

function failure(service: Service, fault: Fault): ProviderResponse {
  const status = fault.status ?? 503;
  const retryAfter = fault.retryAfterSeconds ?? 1;
  const headers: Record<string, string> = status === 429 || status === 503 ? { "retry-after": String(retryAfter) } : {};
  return { status, headers, body: errorBody(service, status, "injected fault", null) };
}
