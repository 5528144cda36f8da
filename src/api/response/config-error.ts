import { ZodError } from "zod";
import { consoleLog } from "../../platform/log/console-log.ts";
import { ApiError } from "../errors.ts";
import { newRequestId } from "../request-id.ts";
import { newTrace } from "../request-trace.ts";
import { completeHeaders } from "./complete-headers.ts";
import { presentError } from "./error-response.ts";

/**
 * The response of a Worker whose variables are missing or malformed: `internal_error` in the usual envelope.
 * The log names each variable and its problem, without values.
 */
export function presentConfigError(error: unknown, request: Request): Response {
  const requestId = newRequestId();
  const problems =
    error instanceof ZodError ? error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) : [];
  consoleLog.error("config.invalid", { request_id: requestId, problems });
  const response = presentError(new ApiError("internal_error"), {
    requestId,
    method: request.method,
    // The address of the documentation is itself a variable.
    docsUrl: "/docs",
    now: new Date(),
    random: Math.random,
    log: consoleLog,
    trace: newTrace(),
  });
  response.headers.set("X-Request-Id", requestId);
  completeHeaders(response.headers, {
    isHttps: request.url.startsWith("https:"),
    isWebsite: false,
    requiresKey: false,
  });
  return response;
}
