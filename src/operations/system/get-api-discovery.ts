import { z } from "zod";
import { defineOperation, type Operation } from "../../api/operation.ts";

const ApiDiscovery = z
  .object({
    api_base_url: z.url(),
    docs_url: z.url(),
    openapi_url: z.url(),
    health_url: z.url(),
    authentication: z.string().meta({ description: "Which routes are public and which need a key." }),
    protected_resource_metadata_url: z.url(),
    authenticated_routes: z.array(z.string()).meta({ description: "Every key-requiring route as METHOD path." }),
  })
  .meta({ id: "ApiDiscovery" });

/** @param listOperations the registry, which has this operation in it */
export const defineApiDiscovery = (listOperations: () => readonly Operation[]): Operation =>
  defineOperation({
    kind: "single",
    id: "getApiDiscovery",
    method: "get",
    path: "/api/v1",
    tag: "System",
    summary: "List what this API offers and how to authenticate.",
    access: "public",
    scope: null,
    plan: null,
    cost: 1,
    params: {},
    query: {},
    reasons: [],
    conditional: false,
    cacheSeconds: 0,
    mcpTool: null,
    object: "api_discovery",
    data: ApiDiscovery,
    async handle(_input, { config }) {
      const operations = listOperations();
      const open = operations.filter((operation) => operation.access === "public").map((operation) => operation.path);
      return {
        data: {
          api_base_url: `${config.apiBaseUrl}/api/v1`,
          docs_url: `${config.webBaseUrl}/docs`,
          openapi_url: `${config.webBaseUrl}/api/v1/openapi.json`,
          health_url: `${config.apiBaseUrl}/api/v1/health`,
          authentication: `Send Authorization: Bearer <API key> on every route in authenticated_routes. Public without a key: ${open.join(", ")}.`,
          protected_resource_metadata_url: `${config.apiBaseUrl}/.well-known/oauth-protected-resource`,
          authenticated_routes: operations
            .filter((operation) => operation.access === "key")
            .map((operation) => `${operation.method.toUpperCase()} ${operation.path}`),
        },
      };
    },
  });
