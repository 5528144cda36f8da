import { EXAMPLE_API, EXAMPLE_SANDBOX } from "../../../src/sandbox/samples.ts";
import type { DocumentedOperation } from "./api-document.ts";

/** Operations whose example needs the live API, with their further options of curl. */
const LIVE: Readonly<Record<string, string>> = {
  getStream: '-N --max-time 2 -H "Authorization: Bearer $KEY" ',
  registerAgent: "",
  createMcpJsonRpcResponse: "",
};

/** A command that sends the operation's documented example. */
export function sampleRequest(operation: DocumentedOperation, method: string, path: string): string {
  const { operationId, parameters, requestBody, responses } = operation;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(exampleOf(operation, name)));
  const query = parameters
    .filter((one) => one.in === "query" && (one.required || one.name === "limit"))
    .map(({ name }) => `${name}=${encodeURIComponent(exampleOf(operation, name))}`)
    .join("&");
  const target = query === "" ? filled : `${filled}?${query}`;
  const live = LIVE[operationId];
  const body = requestBody?.content["application/json"]?.example;
  const verb = method === "get" || (method === "post" && body !== undefined) ? "" : `-X ${method.toUpperCase()} `;
  // A redirect leads to a file, which is stored compressed.
  const follow = Object.keys(responses).some((status) => status.startsWith("3") && status !== "304")
    ? "-L --compressed "
    : "";
  const command = `curl -s ${verb}${follow}${live ?? ""}"${live === undefined ? EXAMPLE_SANDBOX : EXAMPLE_API}${target}"`;
  if (body === undefined) return command;
  // A single quote would end the shell's text.
  const json = JSON.stringify(body).replaceAll("'", "'\\''");
  return `${command} \\\n  -H "Content-Type: application/json" \\\n  -d '${json}'`;
}

function exampleOf({ operationId, parameters }: DocumentedOperation, name: string): string {
  const found = parameters.find((parameter) => parameter.name === name && parameter.in !== "header");
  const example = found?.example ?? found?.schema["example"];
  if (example === undefined) throw new Error(`${operationId} has no example of ${name}`);
  return [example].flat().join(",");
}
