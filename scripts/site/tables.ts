import { tagPath, type ApiDocument } from "./reference/api-document.ts";
import type { ShownResponses } from "./reference/shown-responses.ts";
import { errorSections } from "./errors-page.ts";
import type { SiteFacts } from "./site-facts.ts";

/** The generated parts of guides, by the name in `{{name}}`. */
export function generatedParts(
  document: ApiDocument,
  facts: SiteFacts,
  shown: ShownResponses,
): Readonly<Record<string, string>> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const known = facts.operations[operation.operationId];
      return known === undefined ? [] : [{ name: `${method.toUpperCase()} ${path}`, operation, facts: known }];
    }),
  );
  const link = ({ name, operation }: (typeof operations)[number]) =>
    `[\`${name}\`](${tagPath(operation.tags[0] ?? "")}#${operation.operationId})`;
  const current = operations.filter((one) => one.facts.alias === null);
  const scopes = Map.groupBy(
    current.filter((one) => one.facts.scope !== null),
    (one) => one.facts.scope,
  );
  return {
    ...Object.fromEntries(Object.entries(shown).map(([id, body]) => [`example:${id}`, JSON.stringify(body, null, 2)])),
    ...facts.numbers,
    errors: errorSections(facts.errors),
    public_operations: current
      .filter((one) => one.facts.access === "public")
      .map((one) => `- ${link(one)}`)
      .join("\n"),
    scopes: [...scopes]
      .map(
        ([scope, members]) =>
          `| \`${scope}\` | ${[...new Set(members.map((one) => one.operation.tags[0]))].join(", ")} |`,
      )
      .join("\n"),
    max_plan_operations: current
      .filter((one) => one.facts.plan === "max")
      .map((one) => `- ${link(one)}`)
      .join("\n"),
    costs: current
      .filter((one) => one.facts.cost !== 1 || one.facts.isBatch)
      .map((one) => `| ${link(one)} | ${one.facts.cost} | ${one.facts.isBatch ? "1 an item" : ""} |`)
      .join("\n"),
    aliases: operations
      .flatMap((one) => {
        const { alias } = one.facts;
        const successor = current.find(({ operation }) => operation.operationId === alias?.of);
        return alias === null || successor === undefined
          ? []
          : [`| ${link(one)} | ${link(successor)} | ${alias.sunset} |`];
      })
      .join("\n"),
    events: facts.events
      .map(({ spellings: [name = "", ...older], frame, access, isLive, firesWhen }) => {
        const also = older.length === 0 ? "" : ` (older: ${older.map((one) => `\`${one}\``).join(", ")})`;
        const to = { public: "", paid: " Webhooks: paid plans only.", owner: " Only your own." }[access];
        return `| [\`${name}\`](/docs/reference/webhook-events#${name})${also} | \`${frame}\` | ${firesWhen}${to}${isLive ? "" : " Not published at present."} |`;
      })
      .join("\n"),
    idempotent_operations: current
      .filter((one) => one.facts.idempotent)
      .map((one) => `- ${link(one)}`)
      .join("\n"),
    tools: current
      .filter((one) => one.facts.mcpTool !== null)
      .map((one) => `| \`${one.facts.mcpTool}\` | ${link(one)} |`)
      .join("\n"),
  };
}
