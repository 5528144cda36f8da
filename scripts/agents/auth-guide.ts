import { ERRORS, type Reason } from "../../src/api/errors.ts";
import type { Operation } from "../../src/api/operation.ts";
import { EXAMPLE_API as API, EXAMPLE_SANDBOX as SANDBOX, EXAMPLE_WEB as WEB } from "../../src/sandbox/samples.ts";

/** The refusals of a credential, in the order of their checks. */
const REFUSALS: readonly Reason[] = [
  "invalid_api_key",
  "api_key_in_query",
  "sandbox_api_key",
  "forbidden",
  "account_locked",
  "subscription_inactive",
  "max_plan_required",
  "insufficient_scope",
];

/** How to authenticate, in Markdown. */
export function authGuide(operations: readonly Operation[]): string {
  const open = operations.filter(({ access }) => access === "public");
  const scopes = Map.groupBy(
    operations.filter(({ scope }) => scope !== null),
    ({ scope }) => scope,
  );
  return `${[
    "# Authentication",
    "Send a key as `Authorization: Bearer <key>`. A key in the URL is refused and never checked. A key cannot trade.",
    `## Without a key\n\n${open.map(({ method, path }) => `- \`${method.toUpperCase()} ${path}\``).join("\n")}`,
    "## Sandbox keys\n\n" +
      `\`POST ${API}/api/v1/agents/register\` returns a key that begins with \`svc_sk_test_\`. It is for ` +
      `${SANDBOX}/api/v1 alone, does not expire and is not stored. There it is optional: a valid one is confirmed with ` +
      "`X-Oxi-Sandbox-Key: valid`, a malformed one is refused with 401. The live API refuses sandbox keys. Its last 8 " +
      "digits are the first 4 bytes of SHA-256 over the characters before them.",
    "## Live keys\n\n" +
      "Live data need a key that begins with `svc_sk_live_`, of an account with an active Pro or Max subscription. A " +
      `person creates it after signing in at ${WEB}: an agent cannot, and asks its user for one. A key is shown once. ` +
      "Keep it out of prompts, logs and URLs.",
    `## Scopes\n\nA default key has all scopes, an integration key the selected ones.\n\n${[...scopes]
      .map(([scope, members]) => `- \`${scope}\`: ${[...new Set(members.map(({ tag }) => tag))].join(", ")}`)
      .join("\n")}`,
    `## Refusals\n\n| Status | \`code\` | \`reason\` | Meaning |\n|---|---|---|---|\n${REFUSALS.map(refusalRow).join("\n")}` +
      "\n\nEvery 401 names the resource metadata in `WWW-Authenticate`. Do not retry any of these.",
  ].join("\n\n")}\n`;
}

function refusalRow(reason: Reason): string {
  const { status, code, message, published } = ERRORS[reason];
  return `| ${status} | ${code} | ${published ? reason : ""} | ${message} |`;
}
