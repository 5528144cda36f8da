import { OpenAPIHono } from "@hono/zod-openapi";
import type { Operation } from "../../src/api/operation.ts";
import { Components } from "./components.ts";
import { ErrorEnvelope, ResponseMeta } from "./envelopes.ts";
import { parametersOf } from "./parameters.ts";
import { requestBodyOf, responsesOf } from "./responses.ts";
import { TAG_WORDS } from "./tag-words.ts";
import { webhooksOf, WEBHOOKS_TAG } from "./webhooks.ts";

/** What holds for every operation, read before any. */
const INTRODUCTION = [
  "Large trades, wallets, rankings and markets of one prediction-market provider, from its public activity.",
  "**Money** is in US dollars with two decimals, cut and not rounded. A **price** is dollars a share, 0 to 1, with four decimals. Amounts in `exact` fields and shares in counterparties are decimal texts with every digit.",
  "**Percent or fraction**: each field says which of the two it is; 58.41 percent and the fraction 0.5841 are the same.",
  "**Times** are UTC in ISO 8601 (`2026-11-20T12:00:00.000Z`), **days** are UTC days (`2026-11-20`); where a field is Unix seconds it says so.",
  "**What is not known** is null or left out, as the field says, and never 0.",
  "**Lists** come in pages: send `next_cursor` as `cursor` with the same filters until `has_more` is false.",
  "**Query names**: a name given twice is refused unless it takes several values; a name this operation does not take is ignored and told in `X-Query-Ignored`.",
  "**Failures** all have the shape of `Error`.",
].join("\n\n");

/** The OpenAPI 3.1 document of a set of operations, as it is stored. @throws Error naming what has no example, or a group without words */
export function buildDocument(operations: readonly Operation[]): string {
  const app = new OpenAPIHono();
  const components = new Components();
  Object.assign(components.schemas, { Error: ErrorEnvelope, ResponseMeta });
  for (const operation of operations) {
    app.openAPIRegistry.registerPath({
      method: operation.method,
      path: operation.path,
      operationId: operation.id,
      tags: [operation.tag],
      summary: operation.summary,
      description: describe(operation),
      ...(operation.alias === undefined ? {} : { deprecated: true }),
      security: operation.access === "key" ? [{ bearer: [] }] : [],
      // The registry's types want its own schema objects; it passes plain OpenAPI objects through unchanged.
      parameters: parametersOf(operation) as never,
      ...requestBodyOf(operation, components),
      responses: responsesOf(operation, components) as never,
    });
  }
  const webhooks = webhooksOf(components);
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Prediction-Market Activity API",
      version: "1.0.0",
      description: INTRODUCTION,
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: "https://api.example.com", description: "The API origin of a deployment." }],
    tags: [...new Set([...operations.map((operation) => operation.tag), WEBHOOKS_TAG])].map((name) => ({
      name,
      description: wordsOfTag(name),
    })),
  });
  const withComponents = {
    ...document,
    webhooks,
    components: {
      schemas: Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "An API key, as `Authorization: Bearer <key>`. An account has at most 50 live default keys and 10 integrations.",
        },
      },
    },
  };
  return `${JSON.stringify(withComponents, null, 1)}\n`;
}

/** An operation's own words, behind what its deprecated spelling stands for. */
function describe({ description = "", alias }: Operation): string {
  if (alias === undefined) return description;
  const until = alias.sunset.toISOString().slice(0, 10);
  return [`Deprecated: \`${alias.of}\` under an older path, which answers until ${until} at least.`, description].join(" ").trim();
}

function wordsOfTag(name: string): string {
  const words = TAG_WORDS[name];
  if (words === undefined) throw new Error(`the group ${name} has no words in scripts/openapi/tag-words.ts`);
  return words;
}
