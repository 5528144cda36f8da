import { OpenAPIHono } from "@hono/zod-openapi";
import type { Operation } from "../../src/api/operation.ts";
import { Components, type Json } from "./components.ts";
import { ErrorEnvelope, ResponseMeta } from "./envelopes.ts";
import { MCP_TAG, mcpPathsOf } from "./mcp.ts";
import { parametersOf } from "./parameters.ts";
import { requestBodyOf, responsesOf } from "./responses.ts";
import { TAG_DESCRIPTIONS } from "./tag-descriptions.ts";
import { webhooksOf, WEBHOOKS_TAG } from "./webhooks.ts";

/** The parts of a document that do not derive from its operations. */
interface DocumentFrame {
  readonly title: string;
  /** The rules that hold for every operation, in paragraphs. */
  readonly introduction: readonly string[];
  readonly server: { readonly description: string; readonly defaultHost: string; readonly hostDescription: string };
  readonly securitySchemes: Json;
  readonly hasWebhooks: boolean;
  readonly hasMcp: boolean;
}

const TIMES =
  "**Times** are UTC in ISO 8601 (`2026-11-20T12:00:00.000Z`) and **days** are UTC days (`2026-11-20`). Fields in Unix seconds are described as such.";
const FAILURES = "**Failures** all have the shape of `Error`.";

const API_INTRODUCTION = [
  "Large trades, traders, rankings and markets of one prediction-market provider, from its public activity.",
  "**Money** is in US dollars with two decimals, cut and not rounded. A **price** is dollars a share, from 0 to 1, with four decimals. `exact` fields and counterparty shares are decimal strings with all digits.",
  "**Percent or fraction**: each field states its unit. 58.41 percent equals the fraction 0.5841.",
  TIMES,
  "**Unknown values** are null or absent, as the field states, and never 0.",
  "**Lists** are paged: send `next_cursor` as `cursor` with the same filters until `has_more` is false.",
  "**Query parameters**: a repeated name is refused unless it takes several values. An unknown name is ignored and listed in `X-Query-Ignored`.",
  FAILURES,
];

const API_FRAME: DocumentFrame = {
  title: "Prediction-Market Activity API",
  introduction: API_INTRODUCTION,
  server: {
    description: "The API origin of a deployment.",
    defaultHost: "api.example.com",
    hostDescription: "The host name of the API.",
  },
  securitySchemes: {
    bearer: {
      type: "http",
      scheme: "bearer",
      description:
        "An API key, as `Authorization: Bearer <key>`. An account has at most 50 live default keys and 10 integrations.",
    },
  },
  hasWebhooks: true,
  hasMcp: true,
};

const WEB_FRAME: DocumentFrame = {
  title: "Website API",
  introduction: [
    "The operations behind the website's own pages. They belong to the website and may change with it.",
    "**First party**: a request that changes something names the website as its `Origin`; its body is JSON. Any other `Origin` is refused with 403.",
    "**Limits**: 60 requests a minute for each account, over all its sessions.",
    TIMES,
    FAILURES,
  ],
  server: {
    description: "The web origin of a deployment.",
    defaultHost: "www.example.com",
    hostDescription: "The host name of the website.",
  },
  securitySchemes: {
    session: {
      type: "apiKey",
      in: "cookie",
      name: "__Host-svc.session_token",
      description:
        "The cookie of a signed-in browser. `svc` stands for the key prefix of the deployment; on `http://localhost` the name has no `__Host-`.",
    },
  },
  hasWebhooks: false,
  hasMcp: false,
};

const SECURITY = { public: [], key: [{ bearer: [] }], session: [{ session: [] }] };

/** The document of the public API. */
export const buildApiDocument = (operations: readonly Operation[]): string => buildDocument(operations, API_FRAME);

/** The document of the website's own operations. */
export const buildWebDocument = (operations: readonly Operation[]): string => buildDocument(operations, WEB_FRAME);

/**
 * The OpenAPI 3.1 document of these operations, as stored.
 *
 * @throws Error for a part without an example or a tag without a description
 */
function buildDocument(operations: readonly Operation[], frame: DocumentFrame): string {
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
      security: SECURITY[operation.access],
      // The registry's types want its own schema objects; it passes plain OpenAPI objects through unchanged.
      parameters: parametersOf(operation) as never,
      ...requestBodyOf(operation, components),
      responses: responsesOf(operation, components) as never,
    });
  }
  const webhooks = frame.hasWebhooks ? { webhooks: webhooksOf(components) } : {};
  const tags = [
    ...operations.map((operation) => operation.tag),
    ...(frame.hasWebhooks ? [WEBHOOKS_TAG] : []),
    ...(frame.hasMcp ? [MCP_TAG] : []),
  ];
  const mcpPaths = frame.hasMcp ? mcpPathsOf(components) : {};
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: frame.title,
      version: "1.0.0",
      description: frame.introduction.join("\n\n"),
      contact: { name: "The operator of the deployment", url: "https://www.example.com" },
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [
      {
        url: "https://{host}",
        description: frame.server.description,
        variables: { host: { default: frame.server.defaultHost, description: frame.server.hostDescription } },
      },
    ],
    tags: [...new Set(tags)].map((name) => ({
      name,
      description: descriptionOfTag(name),
    })),
  });
  const withComponents = {
    ...document,
    paths: { ...document.paths, ...mcpPaths },
    ...webhooks,
    components: {
      schemas: Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: frame.securitySchemes,
    },
  };
  return `${JSON.stringify(withComponents, null, 1)}\n`;
}

/** The description of an operation; a deprecated alias is prefixed with its current operation. */
function describe({ description = "", alias }: Operation): string {
  if (alias === undefined) return description;
  const until = alias.sunset.toISOString().slice(0, 10);
  return [`Deprecated: the older path of \`${alias.of}\`. It works until ${until} at least.`, description]
    .join(" ")
    .trim();
}

function descriptionOfTag(name: string): string {
  const words = TAG_DESCRIPTIONS[name];
  if (words === undefined) throw new Error(`the tag ${name} has no description in scripts/openapi/tag-descriptions.ts`);
  return words;
}
