import { z } from "zod";
import { defineOperation, type Operation } from "../../api/operation.ts";
import { SYSTEM_OPERATION } from "./system-operation.ts";

const address = (description: string, example: string) => z.url().meta({ description, example });

const ApiDiscovery = z
  .object({
    api_base_url: address("What every path is behind.", "https://api.example.com/api/v1"),
    docs_url: address("Where this API is explained.", "https://www.example.com/docs"),
    openapi_url: address("Where this document is.", "https://www.example.com/api/v1/openapi.json"),
    health_url: address("What says whether the service works.", "https://api.example.com/api/v1/health"),
    authentication: z.string().meta({
      description: "How to send a key, and which paths need none, in a sentence.",
      example: "Send Authorization: Bearer <API key> on every route in authenticated_routes. Public without a key: /api/v1/health.",
    }),
    protected_resource_metadata_url: address(
      "What an OAuth client reads first (RFC 9728).",
      "https://api.example.com/.well-known/oauth-protected-resource",
    ),
    authenticated_routes: z
      .array(z.string())
      .meta({ description: "Every operation that needs a key, as method and path.", example: ["GET /api/v1/leaderboard"] }),
  })
  .meta({ id: "ApiDiscovery", description: "Where everything is." });

/** @param listOperations the registry, which has this operation in it */
export const defineApiDiscovery = (listOperations: () => readonly Operation[]): Operation =>
  defineOperation({
    ...SYSTEM_OPERATION,
    kind: "single",
    id: "getApiDiscovery",
    method: "get",
    path: "/api/v1",
    summary: "List what this API offers and how to authenticate.",
    description: "A first look without a key: addresses, how to send a key, and every operation that needs one.",
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
