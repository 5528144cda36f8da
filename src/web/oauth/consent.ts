import type { Scope } from "../../domain/accounts/accounts.ts";
import type { TokenResource } from "../../domain/accounts/oauth.ts";
import { html, type Html } from "./html.ts";
import type { Viewer } from "./page-request.ts";
import { presentPage } from "./present-page.ts";
import { presentViewer } from "./sign-in-page.ts";
import { describeClient, describeResource, describeScopes, UNTIL } from "./texts.ts";

export interface Consent {
  readonly client: { readonly id: string; readonly name: string | null };
  readonly scopes: readonly Scope[];
  readonly resource: TokenResource;
  /** What is particular to this way of asking, before the scopes and after the duration. */
  readonly before?: Html;
  readonly after?: Html;
  /** Where the decision is sent, with the ticket that opens the request again. */
  readonly action: string;
  readonly ticket: string;
  readonly viewer: Viewer;
  /** The page itself, for a sign-in as another person. */
  readonly returnTo: string;
  /** A source of `form-action` for the redirect after the form. */
  readonly formTarget?: string;
}

/** The page that asks a person whether an application may have access: who asks, for what, where and until when. */
export function presentConsent(consent: Consent): Response {
  const { client, scopes, resource, before, after, action, ticket, viewer, returnTo, formTarget } = consent;
  const { title, identity } = describeClient(client.id, client.name);
  return presentPage({
    title: `${title} asks for access to your account`,
    ...(formTarget === undefined ? {} : { formTarget }),
    body: html`${identity} ${before ?? ""}
      <h2>It will be able to</h2>
      ${describeScopes(scopes)}
      <h2>Where</h2>
      <p>${describeResource(resource)} Its requests count against your plan and your limits.</p>
      <h2>How long</h2>
      <p>${UNTIL} You see and revoke it at <a href="/oauth/grants">your applications</a>.</p>
      ${after ?? ""}
      <form method="post" action="${action}">
        <input type="hidden" name="request" value="${ticket}" />
        <div class="row">
          <button class="main" name="decision" value="approve">Allow</button>
          <button name="decision" value="deny">Deny</button>
        </div>
      </form>
      ${presentViewer(viewer, returnTo)}`,
  });
}
