import { z } from "zod";
import { endGrant } from "../../oauth/flows/end-grant.ts";
import { openPostgresStore } from "../../oauth/flows/postgres-store.ts";
import { OAuthError } from "../../oauth/oauth-error.ts";
import { hasGrant, listGrants } from "../../queries/oauth/grants.ts";
import { issueFormTicket, openFormTicket, type FormSession } from "./form-ticket.ts";
import { html, type Html } from "./html.ts";
import { findViewer, readOwnForm, staleForm, type PageRequest } from "./page-request.ts";
import { presentPage, presentSeeOther } from "./present-page.ts";
import { presentSignIn, presentViewer } from "./sign-in-page.ts";
import { describeClient, describeResource, describeScopes } from "./texts.ts";

const GRANTS_PATH = "/oauth/grants";
const TICKET = "revoke";
const Ticket = z.strictObject({ id: z.int() });
const MAX_LISTED = 500;

/** The applications that have access to the account. */
export async function showGrants(page: PageRequest): Promise<Response> {
  const viewer = await findViewer(page);
  if (viewer === null) return presentSignIn(GRANTS_PATH);
  const grants = await listGrants(page.runtime.db, viewer.accountId, MAX_LISTED, page.exchange.startedAt);
  const rows = await Promise.all(grants.map((grant) => presentGrant(grant, viewer.session)));
  return presentPage({
    title: "Applications with access to your account",
    body: html`${
      rows.length === 0
        ? html`<p>No application has access.</p>`
        : html`<ul class="grants">
            ${rows}
          </ul>`
    }
    ${presentViewer(viewer, GRANTS_PATH)}`,
  });
}

/** Revokes one of them. */
export async function handleRevocation(page: PageRequest): Promise<Response> {
  const { exchange, runtime } = page;
  const form = await readOwnForm(page);
  const viewer = await findViewer(page);
  if (viewer === null) return presentSignIn(GRANTS_PATH);
  const ticket = await openFormTicket(TICKET, form.find("grant"), Ticket, viewer.session);
  if (ticket === null || !(await hasGrant(runtime.db, viewer.accountId, ticket.id))) throw staleForm();
  const context = { store: openPostgresStore(runtime.db), meter: runtime.meter, now: exchange.startedAt };
  await endGrant(ticket.id, "owner", context).catch((error: unknown) => {
    // By name: the runtime's classes are of another bundle.
    if (!(error instanceof Error) || error.name !== "MeterUnavailable") throw error;
    throw new OAuthError("temporarily_unavailable", "Access cannot be revoked now. Nothing was changed.", {
      status: 503,
    });
  });
  return presentSeeOther(GRANTS_PATH);
}

async function presentGrant(
  grant: Awaited<ReturnType<typeof listGrants>>[number],
  session: FormSession,
): Promise<Html> {
  const { title } = describeClient(grant.client_id, grant.client_name);
  const ticket = await issueFormTicket(TICKET, { id: grant.id }, session);
  const day = (instant: string) => instant.slice(0, 10);
  return html`<li class="grant">
    <strong>${title}</strong><br /><span class="dim">${grant.client_id}</span>
    ${describeScopes(grant.scopes)}
    <p>
      ${describeResource(grant.resource)} Since ${day(grant.created_at)}. Without use it ends on
      ${day(grant.expires_at)}.
    </p>
    <form method="post" action="${GRANTS_PATH}">
      <input type="hidden" name="grant" value="${ticket}" /> <button>Revoke</button>
    </form>
  </li>`;
}
