import { presentDocument } from "../api/response/present-document.ts";
import { sha256, toHex } from "../lib/crypto/hmac.ts";
import { onceSettled } from "../lib/memo-settled.ts";

type Json = Record<string, unknown>;

const METHODS = new Set(["get", "post", "put", "patch", "delete"]);

const SANDBOX_STATUS = {
  name: "sandbox_status",
  in: "query",
  required: false,
  description:
    "Returns the sample of this documented error status instead of a success. A status that the operation does not document is refused with 400.",
  schema: { type: "integer", minimum: 400, maximum: 599 },
  example: 429,
};

/**
 * The API's document for the sandbox: its address, the parameter `sandbox_status`, optional credentials and no webhooks.
 *
 * @param apiDocument the stored document of the API
 */
export function buildSandboxDocument(apiDocument: string, sandboxBaseUrl: string): string {
  // The document is our own build's; only these members are read.
  const { webhooks: _, ...document } = JSON.parse(apiDocument) as {
    info: Json;
    paths: Record<string, Json>;
    components: Json;
    webhooks?: Json;
  };
  const paths = Object.entries(document.paths).map(([path, methods]) => [path, inSandbox(methods)]);
  return JSON.stringify({
    ...document,
    info: { ...document.info, title: `${String(document.info["title"])}: sandbox` },
    servers: [{ url: sandboxBaseUrl, description: "The sandbox: invented data, and no credential needed." }],
    paths: Object.fromEntries(paths),
    components: { ...document.components, parameters: { SandboxStatus: SANDBOX_STATUS } },
  });
}

function inSandbox(methods: Json): Json {
  const parameter = { $ref: "#/components/parameters/SandboxStatus" };
  return Object.fromEntries(
    Object.entries(methods).map(([method, value]) => {
      if (!METHODS.has(method)) return [method, value];
      const operation = value as { parameters?: unknown[]; security?: unknown[] };
      const needsKey = (operation.security ?? []).length > 0;
      return [
        method,
        {
          ...operation,
          // An empty requirement makes the credential optional.
          ...(needsKey ? { security: [...(operation.security ?? []), {}] } : {}),
          parameters: [...(operation.parameters ?? []), parameter],
        },
      ];
    }),
  );
}

/** Built once for an isolate, by the first request for it. */
export function openSandboxDocument(
  load: () => Promise<string>,
  sandboxBaseUrl: string,
): (request: Request) => Promise<Response> {
  const build = onceSettled(async () => {
    const text = buildSandboxDocument(await load(), sandboxBaseUrl);
    return { etag: `W/"${toHex((await sha256(text)).subarray(0, 16))}"`, bytes: new TextEncoder().encode(text) };
  });
  return async (request) => {
    const { etag, bytes } = await build();
    return presentDocument(request, etag, async () => bytes);
  };
}
