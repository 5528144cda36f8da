import type { OperationFacts, SiteFacts } from "../site-facts.ts";
import type { SitePage } from "../site-page.ts";
import { tagPath, type ApiDocument } from "./api-document.ts";
import { COMMON_SCHEMAS, listFields } from "./list-fields.ts";
import type { ShownResponses } from "./shown-responses.ts";
import { presentAlias, presentOperation, type NamedOperation } from "./present-operation.ts";

/** The reference: an overview, a page for each tag, and one for the events that webhooks receive. */
export function referencePages(document: ApiDocument, facts: SiteFacts, shown: ShownResponses): SitePage[] {
  const operations = listOperations(document, facts);
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? "");
  const find = (id: string): NamedOperation => {
    const found = operations.find(({ operation }) => operation.operationId === id);
    if (found === undefined) throw new Error(`the document has no operation ${id}`);
    return found;
  };
  const tags = document.tags.filter(({ name }) => byTag.has(name));
  return [
    { path: "/docs/reference", markdown: overview(document, byTag) },
    ...tags.map(({ name, description }) => ({
      path: tagPath(name),
      markdown: [
        `# ${name}`,
        description,
        ...(byTag.get(name) ?? [])
          .filter(({ facts: { alias } }) => alias === null)
          .map((one) => presentOperation(one, document, shown)),
        ...olderNames(byTag.get(name) ?? [], find),
      ].join("\n\n"),
    })),
    { path: "/docs/reference/webhook-events", markdown: webhookEvents(document, facts) },
  ];
}

function olderNames(members: readonly NamedOperation[], find: (id: string) => NamedOperation): string[] {
  const names = members.flatMap((one) =>
    one.facts.alias === null ? [] : [presentAlias(one, find(one.facts.alias.of))],
  );
  const note = "They answer as their successors do, with headers that say so: see [Versions](/docs/versions).";
  return names.length === 0 ? [] : ["## Older names", note, ...names];
}

function listOperations({ paths }: ApiDocument, { operations }: SiteFacts): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      // The MCP endpoint is documented beside the registry.
      const facts = operations[operation.operationId] ?? MCP_FACTS;
      return { method, path, operation, facts };
    }),
  );
}

const MCP_FACTS: OperationFacts = {
  access: "public",
  scope: null,
  plan: null,
  cost: 1,
  mcpTool: null,
  alias: null,
  idempotent: false,
  cacheSeconds: 0,
  isBatch: false,
};

function overview(document: ApiDocument, byTag: ReadonlyMap<string, readonly NamedOperation[]>): string {
  const groups = document.tags.flatMap(({ name, description }) => {
    const members = (byTag.get(name) ?? []).filter(({ facts }) => facts.alias === null);
    const rows = members.map(
      ({ method, path, operation }) =>
        `| [\`${method.toUpperCase()} ${path}\`](${tagPath(name)}#${operation.operationId}) | ${operation.summary} |`,
    );
    return rows.length === 0
      ? []
      : [`## ${name}`, description, `| Operation | What it does |\n|---|---|\n${rows.join("\n")}`];
  });
  const common = COMMON_SCHEMAS.flatMap((name) => {
    const schema = document.components.schemas[name];
    if (schema === undefined) throw new Error(`the document has no schema ${name}`);
    const { description } = schema;
    return [
      `### ${name} {#${name}}`,
      typeof description === "string" ? description : "",
      listFields(schema, document.components.schemas),
    ];
  });
  return [
    "# API reference",
    "Every operation with its parameters, an example that you can run without a key, every field and every error. " +
      "The same as data: [OpenAPI 3.1](/api/v1/openapi.json).",
    document.info.description,
    ...groups,
    "## Common objects",
    "Parts that nearly every response has.",
    ...common,
  ].join("\n\n");
}

function webhookEvents(document: ApiDocument, { events }: SiteFacts): string {
  const sections = Object.entries(document.webhooks).map(([name, { post }]) => {
    const event = events.find(({ spellings }) => spellings.includes(name));
    const body = post.requestBody?.content["application/json"];
    return [
      `## ${name} {#${name}}`,
      event === undefined || event.isLive ? "" : "**Nothing publishes this event at present.**",
      post.description ?? post.summary,
      body?.example === undefined
        ? ""
        : `\`\`\`json no-run="sent to your receiver, not printed by a command"\n${JSON.stringify(body.example, null, 2)}\n\`\`\``,
      body?.schema === undefined
        ? ""
        : `<details>\n<summary>Fields of the body</summary>\n\n${listFields(body.schema, document.components.schemas)}\n\n</details>`,
    ];
  });
  return [
    "# Webhook events",
    "The body of each event that the service posts to your receiver. [Webhooks](/docs/webhooks) explains endpoints, " +
      "verification and signatures.",
    ...sections.flat(),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}
