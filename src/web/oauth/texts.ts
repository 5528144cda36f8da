import type { Scope } from "../../domain/accounts/accounts.ts";
import { REFRESH_TOKEN_SECONDS, type TokenResource } from "../../domain/accounts/oauth.ts";
import { html, type Html } from "./html.ts";

const SCOPE_TEXTS: Readonly<Record<Scope, string>> = {
  read: "Read markets, traders, large trades, positions, reports and the event stream, and use the read tools",
  webhooks: "List, create, change and delete your webhook endpoints, and see their secrets when they are new",
  export: "Start and download exports of data",
  usage: "Read how much of your request budgets you have used",
};

export const describeScopes = (scopes: readonly Scope[]): Html =>
  html`<ul>
    ${scopes.map((scope) => html`<li>${SCOPE_TEXTS[scope]} <span class="dim">(${scope})</span></li>`)}
  </ul>`;

export const describeResource = (resource: TokenResource): string =>
  resource === "api" ? "The whole API, with its MCP endpoint." : "The MCP endpoint only.";

const DAYS = REFRESH_TOKEN_SECONDS / 86_400;

export const UNTIL = `Until you revoke it, or until the application has not used it for ${DAYS} days.`;

/** The name that a client gave itself, and the id that shows who it is. */
export function describeClient(id: string, name: string | null): { title: string; identity: Html } {
  const host = URL.canParse(id) && /^https?:/.test(id) ? new URL(id).host : null;
  if (host !== null) {
    return {
      title: name ?? host,
      identity: html`<p>The application is published by <strong>${host}</strong>.</p>
        <p class="dim">${id}</p>`,
    };
  }
  return {
    title: name ?? "An application without a name",
    identity: html`<p>The application chose this name itself. <strong>We have not checked who is behind it.</strong></p>
      <p class="dim">${id}</p>`,
  };
}
