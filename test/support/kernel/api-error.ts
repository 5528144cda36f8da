import { expect } from "vitest";
import type { KernelResponse } from "./open-kernel.ts";

export interface ExpectedError {
  status: number;
  code: string;
  /** Null where the contract publishes no reason for the code. */
  reason: string | null;
  /** Null when no single parameter is at fault. */
  param: string | null;
}

/** Expects this error in the envelope of every error, without internal details. */
export function expectApiError(answer: KernelResponse, { status, code, reason, param }: ExpectedError): void {
  const { error } = answer.body ?? {};
  expect({ status: answer.status, code: error?.code, reason: error?.reason ?? null, param: error?.param }).toEqual({
    status,
    code,
    reason,
    param,
  });
  expect(answer.headers.get("content-type")).toMatch(/^application\/json\b/);
  expect(answer.body.object).toBe("error");
  expect(error.message).toMatch(/\w/);
  expect(error.doc_url).toMatch(/^http:\/\/web\.test\//);
  expectRequestId(answer);
  expect(answer.text).not.toMatch(/<html|\.[tj]s:\d+|\bat \w+ \(|node_modules/i);
}

/** Expects the same request id in body and header. */
export function expectRequestId({ headers, body }: KernelResponse): void {
  expect(body.meta.request_id).toMatch(/^req_\w+$/);
  expect(headers.get("x-request-id")).toBe(body.meta.request_id);
}
