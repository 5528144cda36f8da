import { z } from "zod";
import { defineOperation, type Operation } from "../../api/operation.ts";
import { SYSTEM_OPERATION } from "./system-operation.ts";

const urlField = (description: string, example: string) => z.url().meta({ description, example });

const ApiDiscovery = z
  .object({
    api_base_url: urlField("Base URL of all API paths.", "https://api.example.com/api/v1"),
    docs_url: urlField("URL of the documentation.", "https://www.example.com/docs"),
    openapi_url: urlField("URL of the OpenAPI document.", "https://www.example.com/api/v1/openapi.json"),
    health_url: urlField("URL of the health check.", "https://api.example.com/api/v1/health"),
    authentication: z.string().meta({
      description: "How to send an API key, and which paths need none, in sentences.",
      example:
        "Send Authorization: Bearer <API key> on every route in authenticated_routes. Public without a " +
        "key: /api/v1/health.",
    }),
    protected_resource_metadata_url: urlField(
      "URL of the OAuth protected resource metadata (RFC 9728).",
      "https://api.example.com/.well-known/oauth-protected-resource",
    ),
    sandbox_base_url: urlField(
      "An addition to the contract. The sandbox: the same paths with invented data, no key needed.",
      "https://sandbox.example.com/api/v1",
    ),
    agent_registration_url: urlField(
      "An addition to the contract. POST without a body returns a sandbox key.",
      "https://api.example.com/api/v1/agents/register",
    ),
    agent_guide_url: urlField(
      "An addition to the contract. A guide for agents in Markdown; it names the other files.",
      "https://www.example.com/agents.md",
    ),
    llms_txt_url: urlField(
      "An addition to the contract. A short index of the documentation for language models.",
      "https://www.example.com/llms.txt",
    ),
    authenticated_routes: z.array(z.string()).meta({
      description: "Every operation that requires an API key, as method and path.",
      example: ["GET /api/v1/leaderboard"],
    }),
  })
  .meta({ id: "ApiDiscovery", description: "URLs of the API, authentication, and the routes that require a key." });

/** @param listOperations returns the registry; a function, because the registry contains this operation */
export const defineApiDiscovery = (listOperations: () => readonly Operation[]): Operation =>
  defineOperation({
    ...SYSTEM_OPERATION,
    kind: "single",
    id: "getApiDiscovery",
    method: "get",
    path: "/api/v1",
    summary: "List the entry points of the API and how to authenticate.",
    description: "Returns URLs, how to send an API key, and every operation that requires one. Needs no key.",
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
          authentication:
            "Send Authorization: Bearer <API key> on every route in authenticated_routes. Public without a " +
            `key: ${open.join(", ")}.`,
          protected_resource_metadata_url: `${config.apiBaseUrl}/.well-known/oauth-protected-resource`,
          sandbox_base_url: `${config.sandboxBaseUrl}/api/v1`,
          agent_registration_url: `${config.apiBaseUrl}/api/v1/agents/register`,
          agent_guide_url: `${config.webBaseUrl}/agents.md`,
          llms_txt_url: `${config.webBaseUrl}/llms.txt`,
          authenticated_routes: operations
            .filter((operation) => operation.access === "key")
            .map((operation) => `${operation.method.toUpperCase()} ${operation.path}`),
        },
      };
    },
  });
