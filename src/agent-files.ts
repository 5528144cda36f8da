import { presentDocument } from "./api/response/present-document.ts";
import type { Config } from "./config.ts";
import { sha256, toHex } from "./lib/crypto/hmac.ts";
import { onceSettled } from "./lib/memo-settled.ts";
import { placeTextInDeployment } from "./sandbox/samples.ts";

/** A text that the build wrote for agents, for the hosts of the examples. */
export interface AgentFile {
  readonly path: string;
  readonly contentType: string;
  /** Loads the stored text. */
  load(): Promise<string>;
}

const MARKDOWN = "text/markdown; charset=utf-8";
const PLAIN = "text/plain; charset=utf-8";
const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Loaded by the first request for it. The bundle resolves these paths from its entry, so this file must be beside the
 * entry: from a subfolder the texts are not found in a deployment, though they are in tests.
 */
const textOf = (read: () => Promise<{ default: string }>) => async () => (await read()).default;

export const AGENT_FILES: readonly AgentFile[] = [
  { path: "/llms.txt", contentType: PLAIN, load: textOf(() => import("./generated/agents/llms.txt")) },
  { path: "/llms-full.txt", contentType: PLAIN, load: textOf(() => import("./generated/agents/llms-full.txt")) },
  { path: "/agents.md", contentType: MARKDOWN, load: textOf(() => import("./generated/agents/agents.txt")) },
  { path: "/auth.md", contentType: MARKDOWN, load: textOf(() => import("./generated/agents/auth.txt")) },
  { path: "/skill.md", contentType: MARKDOWN, load: textOf(() => import("./generated/agents/skill.txt")) },
  {
    path: "/.well-known/mcp/server-card.json",
    contentType: JSON_TYPE,
    load: textOf(() => import("./generated/agents/server-card.txt")),
  },
];

/** The response with a file, in which the addresses and the key prefix are those of this deployment. */
export function openAgentFile(
  { contentType, load }: AgentFile,
  config: Config,
): (request: Request) => Promise<Response> {
  const build = onceSettled(async () => {
    const text = await placeTextInDeployment(await load(), config);
    return { etag: `W/"${toHex((await sha256(text)).subarray(0, 16))}"`, bytes: new TextEncoder().encode(text) };
  });
  return async (request) => {
    const { etag, bytes } = await build();
    return presentDocument(request, etag, async () => bytes, contentType);
  };
}
