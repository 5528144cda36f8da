import { readFileSync } from "node:fs";
import { z } from "zod";

const Schema = z.record(z.string(), z.unknown());
const Content = z.record(z.string(), z.looseObject({ schema: Schema.optional(), example: z.unknown().optional() }));

const Parameter = z.looseObject({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.boolean(),
  description: z.string(),
  schema: Schema,
  example: z.unknown().optional(),
});

const DocumentedOperation = z.looseObject({
  operationId: z.string(),
  tags: z.array(z.string()).min(1),
  summary: z.string(),
  description: z.string().optional(),
  deprecated: z.boolean().optional(),
  parameters: z.array(Parameter),
  requestBody: z.looseObject({ required: z.boolean().optional(), content: Content }).optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string(), content: Content.optional() })),
});

const ApiDocument = z.looseObject({
  info: z.looseObject({ title: z.string(), description: z.string(), version: z.string() }),
  tags: z.array(z.looseObject({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), DocumentedOperation)),
  webhooks: z.record(z.string(), z.looseObject({ post: DocumentedOperation })),
  components: z.looseObject({ schemas: z.record(z.string(), Schema) }),
});

export type ApiDocument = z.output<typeof ApiDocument>;
export type DocumentedOperation = z.output<typeof DocumentedOperation>;
export type Parameter = z.output<typeof Parameter>;
export type Schema = z.output<typeof Schema>;

/** The stored document of the API, which the service also serves. */
export const readApiDocument = (): ApiDocument =>
  ApiDocument.parse(JSON.parse(readFileSync(new URL("../../../src/generated/openapi.txt", import.meta.url), "utf8")));

/** The path of the page of a tag. */
export const tagPath = (tag: string): string => `/docs/reference/${tag.toLowerCase().replaceAll(" ", "-")}`;
