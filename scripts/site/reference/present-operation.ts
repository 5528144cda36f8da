import type { OperationFacts } from "../site-facts.ts";
import { tagPath, type ApiDocument, type DocumentedOperation, type Parameter, type Schema } from "./api-document.ts";
import { listFields, typeOf } from "./list-fields.ts";
import type { ShownResponses } from "./shown-responses.ts";
import { sampleRequest } from "./sample-request.ts";

export interface NamedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
  readonly facts: OperationFacts;
}

/** The section of an operation, in Markdown. Its anchor is the operation id. */
export function presentOperation(
  { method, path, operation, facts }: NamedOperation,
  { components }: ApiDocument,
  shown: ShownResponses,
): string {
  const { operationId, summary, description = "", parameters, requestBody, responses } = operation;
  const named = parameters.filter((one) => one.in !== "header");
  const headers = parameters.filter((one) => one.in === "header").map(({ name }) => `\`${name}\``);
  const body = requestBody?.content["application/json"];
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"));
  return [
    `## ${summary.replace(/\.$/, "")} {#${operationId}}`,
    `\`${method.toUpperCase()} ${path}\``,
    description,
    `*${factLine(facts)}*`,
    ...(named.length === 0
      ? []
      : [
          `### Parameters {#${operationId}-parameters}`,
          named.map((one) => parameterLine(one, components.schemas)).join("\n"),
        ]),
    headers.length === 0 ? "" : `Headers: ${headers.join(", ")}, see [Requests](/docs/requests).`,
    ...(body?.schema === undefined
      ? []
      : [`### Body {#${operationId}-body}`, listFields(body.schema, components.schemas)]),
    `### Example {#${operationId}-example}`,
    `\`\`\`sh run\n${sampleRequest(operation, method, path)}\n\`\`\``,
    ...presentSuccess(success?.[1].content, shown[operationId], components.schemas),
    errorLine(responses),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** An older name of an operation: it takes and returns what its successor does. */
export function presentAlias({ method, path, operation, facts }: NamedOperation, successor: NamedOperation): string {
  const target = `${tagPath(successor.operation.tags[0] ?? "")}#${successor.operation.operationId}`;
  const name = `${successor.method.toUpperCase()} ${successor.path}`;
  return [
    `### ${operation.operationId} {#${operation.operationId}}`,
    `\`${method.toUpperCase()} ${path}\``,
    `Use [\`${name}\`](${target}), which takes the same and returns the same \`data\`. This name is answered at least until ${facts.alias?.sunset}.`,
  ].join("\n\n");
}

function factLine({ access, scope, plan, cost, mcpTool, idempotent, cacheSeconds, isBatch }: OperationFacts): string {
  const planName = plan === "max" ? "Max" : "Pro";
  const facts = [
    access === "public" ? "No key needed" : `Key with scope \`${scope}\`${plan === null ? "" : `, plan ${planName}`}`,
    `Cost ${cost}`,
    ...(isBatch ? ["One batch unit an item"] : []),
    ...(cacheSeconds === 0 ? [] : [`Cached for at most ${cacheSeconds} s`]),
    ...(idempotent ? ["Accepts `Idempotency-Key`"] : []),
    ...(mcpTool === null ? [] : [`MCP tool \`${mcpTool}\``]),
  ];
  return facts.join(" · ");
}

function parameterLine(
  { name, in: place, required, description, schema }: Parameter,
  components: Record<string, Schema>,
) {
  return `- \`${name}\` *${typeOf(schema, components)}, ${place}${required ? ", required" : ""}* ${description.replaceAll(/\s+/g, " ")}`;
}

type Content = DocumentedOperation["responses"][string]["content"];

function presentSuccess(content: Content, example: unknown, components: Record<string, Schema>): string[] {
  const { schema } = content?.["application/json"] ?? {};
  if (schema === undefined) return [];
  return [
    `\`\`\`json response\n${JSON.stringify(example, null, 2)}\n\`\`\``,
    `<details>\n<summary>Fields of the response</summary>\n\n${listFields(schema, components)}\n\n</details>`,
  ];
}

/** The statuses of failures and their reasons, each with its explanation on the page of errors. */
function errorLine(responses: DocumentedOperation["responses"]): string {
  const failures = Object.entries(responses).flatMap(([status, { description }]) => {
    const reasons = status < "400" ? [] : [...description.matchAll(/`(\w+)`: /g)].map(([, reason = ""]) => reason);
    return reasons.length === 0
      ? []
      : [`${status} ${reasons.map((reason) => `[\`${reason}\`](/docs/errors#${reason})`).join(", ")}`];
  });
  return failures.length === 0
    ? ""
    : `<details>\n<summary>Errors</summary>\n\n- ${failures.join("\n- ")}\n\n</details>`;
}
