import { readFileSync } from "node:fs";
import { Samples } from "../../../src/sandbox/samples.ts";
import type { ApiDocument, DocumentedOperation } from "./api-document.ts";

/** The responses that pages show, by operation id. */
export type ShownResponses = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * What the sandbox answers to each operation, so that a reader who runs an example sees what the page shows. Of operations that
 * the sandbox does not have, the documented example.
 */
export function readShownResponses(document: ApiDocument): ShownResponses {
  const stored = readFileSync(new URL("../../../src/generated/sandbox-samples.txt", import.meta.url), "utf8");
  const { operations } = Samples.parse(JSON.parse(stored));
  const documented = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return Object.fromEntries(
    documented.flatMap((operation) => {
      const example = exampleOf(operation);
      if (example === null) return [];
      const sample = operations[operation.operationId];
      const body = sample?.views?.[defaultView(operation)] ?? sample?.body;
      if (body === null || body === undefined) return [[operation.operationId, example]];
      // The sandbox computes every answer, so none has the age of a cached one.
      const { cache_age_s: _, ...meta }: Record<string, unknown> = {
        ...recordOf(example["meta"]),
        ...recordOf(body["meta"]),
      };
      return [[operation.operationId, { ...body, meta: { ...meta, cached: false } }]];
    }),
  );
}

function exampleOf({ responses }: DocumentedOperation): Record<string, unknown> | null {
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
  const example = success?.content?.["application/json"]?.example;
  return example === undefined ? null : recordOf(example);
}

const defaultView = ({ parameters }: DocumentedOperation): string =>
  String(parameters.find(({ name }) => name === "view")?.schema["default"]);

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};
