import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { generateSandboxKey } from "../../auth/api-key-format.ts";
import { SYSTEM_OPERATION } from "./system-operation.ts";

const url = (description: string, example: string) => z.url().meta({ description, example });

const AgentRegistration = z
  .object({
    api_key: z
      .string()
      .regex(/^[a-z]+_sk_test_[0-9a-f]{64}$/)
      .meta({
        description:
          "A sandbox key. Its last 8 digits are the first 4 bytes of SHA-256 over the characters before them. It " +
          "does not expire, and is not listed, revoked or stored.",
        example: "svc_sk_test_0123456789abcdef0123456789abcdef0123456789abcdef012345675002cf7d",
      }),
    livemode: z.literal(false).meta({ description: "The key is not a live key.", example: false }),
    environment: z.literal("sandbox").meta({ description: "Where the key is valid.", example: "sandbox" }),
    created_at: z.iso
      .datetime()
      .meta({ description: "When the key was created, UTC.", example: "2026-11-20T12:00:00.000Z" }),
    sandbox: z
      .object({
        api_base_url: url("Base URL of the sandbox's paths.", "https://sandbox.example.com/api/v1"),
        first_request_url: url(
          "A first request to send with the key.",
          "https://sandbox.example.com/api/v1/large-trades?limit=5",
        ),
        openapi_url: url("The sandbox's OpenAPI document.", "https://sandbox.example.com/api/v1/openapi.json"),
      })
      .meta({ id: "AgentRegistrationSandbox", description: "The sandbox: every operation, with invented data." }),
    live_access: z
      .object({
        api_base_url: url("Base URL of the live API's paths.", "https://api.example.com/api/v1"),
        requirement: z.string().meta({
          description: "What live data require, in one sentence.",
          example: "Live data require an API key of an account with an active Pro or Max subscription.",
        }),
        api_keys_url: url("How an account's owner creates a live key.", "https://www.example.com/auth.md#live-keys"),
        oauth_authorization_server_metadata_url: url(
          "URL of the OAuth authorization server metadata (RFC 8414).",
          "https://api.example.com/.well-known/oauth-authorization-server",
        ),
        oauth_registration_endpoint: url(
          "URL of the OAuth client registration (RFC 7591).",
          "https://api.example.com/oauth/register",
        ),
        pricing_url: url("Plans and prices.", "https://www.example.com/billing"),
        auth_guide_url: url("How to authenticate, in Markdown.", "https://www.example.com/auth.md"),
      })
      .meta({ id: "AgentRegistrationLiveAccess", description: "How to get access to live data." }),
  })
  .meta({ id: "AgentRegistration", description: "A sandbox key, and where to use it." });

export const registerAgent = defineOperation({
  ...SYSTEM_OPERATION,
  kind: "single",
  id: "registerAgent",
  method: "post",
  path: "/api/v1/agents/register",
  summary: "Get a sandbox key.",
  description:
    "Returns a key for the sandbox, which has every operation with invented data. Needs no account and no key. A body " +
    "is not read. Nothing is stored: each request returns another key. The live API refuses these keys.",
  object: "agent_registration",
  data: AgentRegistration,
  successStatus: 201,
  async handle(_input, { config, now }) {
    const { apiBaseUrl, webBaseUrl, sandboxBaseUrl, keyPrefix } = config;
    const sandboxApi = `${sandboxBaseUrl}/api/v1`;
    return {
      data: {
        api_key: await generateSandboxKey(keyPrefix, (bytes) => crypto.getRandomValues(bytes)),
        livemode: false as const,
        environment: "sandbox" as const,
        created_at: now.toISOString(),
        sandbox: {
          api_base_url: sandboxApi,
          first_request_url: `${sandboxApi}/large-trades?limit=5`,
          openapi_url: `${sandboxApi}/openapi.json`,
        },
        live_access: {
          api_base_url: `${apiBaseUrl}/api/v1`,
          requirement: "Live data require an API key of an account with an active Pro or Max subscription.",
          api_keys_url: `${webBaseUrl}/auth.md#live-keys`,
          oauth_authorization_server_metadata_url: `${apiBaseUrl}/.well-known/oauth-authorization-server`,
          oauth_registration_endpoint: `${apiBaseUrl}/oauth/register`,
          pricing_url: `${webBaseUrl}/billing`,
          auth_guide_url: `${webBaseUrl}/auth.md`,
        },
      },
    };
  },
});
