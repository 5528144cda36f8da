import { z } from "zod";

const Content = z.looseObject({ schema: z.unknown() });
const Entry = z.looseObject({
  responses: z.record(z.string(), z.looseObject({ content: z.record(z.string(), Content).optional() })),
});
const ApiDocument = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), Entry)),
  webhooks: z.record(z.string(), z.record(z.string(), z.looseObject({}))),
});

/**
 * The part of the API document that the client's types derive from: requests, successful responses and the bodies of
 * webhooks. Errors are classes, and examples are no types.
 */
export function clientDocumentOf(document: string): object {
  const api = ApiDocument.parse(JSON.parse(document));
  const paths = mapEntries(api.paths, (methods) =>
    mapEntries(methods, (entry) => ({
      ...entry,
      responses: Object.fromEntries(
        Object.entries(entry.responses)
          .filter(([status]) => Number(status) < 300)
          .map(([status, { content }]) => [status, { description: status, ...(content && { content }) }]),
      ),
    })),
  );
  const webhooks = mapEntries(api.webhooks, (methods) =>
    mapEntries(methods, ({ requestBody, operationId }) => ({ operationId, requestBody, responses: {} })),
  );
  return withoutExamples({ ...api, paths, webhooks });
}

const mapEntries = <T, R>(record: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));

/** A property that is named `example` has a schema; an example beside a schema has a value. */
const isExample = (key: string, value: unknown): boolean =>
  (key === "example" || key === "examples") &&
  !z.looseObject({ type: z.string(), description: z.string() }).safeParse(value).success;

function withoutExamples<T>(value: T): T;
function withoutExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutExamples(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => !isExample(key, member))
      .map(([key, member]) => [key, withoutExamples(member)]),
  );
}
