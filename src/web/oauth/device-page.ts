import { z } from "zod";
import { findStoredHash } from "../../auth/api-key-format.ts";
import { networkOf } from "../../lib/network-of.ts";
import { DEVICE_PAGE_PATH } from "../../oauth/endpoints/device-authorization.ts";
import { hashesOfUserCode, parseUserCode } from "../../oauth/rules/token-format.ts";
import { readParameters } from "../../oauth/endpoints/read-parameters.ts";
import { decideDevice, findPendingDevice } from "../../queries/oauth/device-codes.ts";
import { presentConsent } from "./consent.ts";
import { issueFormTicket, openFormTicket } from "./form-ticket.ts";
import { html } from "./html.ts";
import { findViewer, readOwnForm, staleForm, type PageRequest, type Viewer } from "./page-request.ts";
import { presentPage } from "./present-page.ts";
import { presentProblem, presentSignIn, presentViewer } from "./sign-in-page.ts";

const TICKET = "device";
const Ticket = z.strictObject({ userCode: z.string() });
const UNKNOWN = "This code is wrong, was used, or has expired. Start again on the device.";

/** The page for the code of a device. A code in the URL is looked up, never approved. */
export async function showDevice(page: PageRequest): Promise<Response> {
  const { url } = page.exchange;
  const typed = readParameters(url.searchParams).find("user_code");
  const viewer = await findViewer(page);
  if (viewer === null) return presentSignIn(`${url.pathname}${url.search}`);
  return typed === null ? presentCodeForm(viewer, null) : presentRequest(page, viewer, typed);
}

/** A typed code, or the decision about the request that was shown for it. */
export async function handleDeviceForm(page: PageRequest): Promise<Response> {
  const { exchange, runtime } = page;
  const form = await readOwnForm(page);
  const viewer = await findViewer(page);
  if (viewer === null) return presentSignIn(DEVICE_PAGE_PATH);
  const decision = form.find("decision");
  if (decision === null) return presentRequest(page, viewer, form.find("user_code") ?? "");
  const ticket = await openFormTicket(TICKET, form.find("request"), Ticket, viewer.session);
  if (ticket === null) throw staleForm();
  const isApproved = decision === "approve";
  const hash = await hashOf(page, ticket.userCode);
  const answer = { accountId: viewer.accountId, isApproved };
  if (!(await decideDevice(runtime.db, hash, answer, exchange.startedAt))) return presentCodeForm(viewer, UNKNOWN, 400);
  return presentPage({
    title: isApproved ? "Access allowed" : "Access denied",
    body: html`<p>
        ${isApproved ? "The device has access now. You can close this page." : "The device gets no access."}
      </p>
      <p><a href="/oauth/grants">Your applications</a></p>`,
  });
}

/** The hash under which a pending request with this code is stored. */
const hashOf = async ({ exchange, runtime }: PageRequest, userCode: string): Promise<string> =>
  findStoredHash(await hashesOfUserCode(runtime.config.credentialKeys, userCode), (hash) =>
    findPendingDevice(runtime.db, hash, exchange.startedAt),
  );

/** Each lookup of a code is a guess: an account and a network have ten a minute. */
async function presentRequest(page: PageRequest, viewer: Viewer, typed: string): Promise<Response> {
  const { exchange, runtime } = page;
  const { requestLimiter, db } = runtime;
  for (const subject of [`user codes of account ${viewer.accountId}`, `user codes from ${networkOf(exchange.ip)}`]) {
    if ((await requestLimiter.spend("guess", subject)) !== null)
      return presentCodeForm(viewer, "Too many attempts. Wait for a minute.", 429);
  }
  const userCode = parseUserCode(typed);
  const hash = userCode === null ? null : await hashOf(page, userCode);
  const request = hash === null ? null : await findPendingDevice(db, hash, exchange.startedAt);
  if (request === null || userCode === null) return presentCodeForm(viewer, UNKNOWN, 400);
  return presentConsent({
    client: { id: request.clientId, name: request.clientName },
    scopes: request.scopes,
    resource: request.resource,
    before: html`<p>It runs on a device that shows this code:</p>
      <p class="code">${userCode}</p>
      <p class="note">
        Allow it only if you started it yourself and the device shows the same code. If you received the code or the
        link from another person, deny it.
      </p>`,
    action: DEVICE_PAGE_PATH,
    ticket: await issueFormTicket(TICKET, { userCode }, viewer.session),
    viewer,
    returnTo: `${DEVICE_PAGE_PATH}?user_code=${userCode}`,
  });
}

function presentCodeForm(viewer: Viewer, problem: string | null, status = 200): Response {
  return presentPage({
    title: "Connect a device",
    status,
    body: html`${presentProblem(problem)}
      <p>Enter the code that your device shows. It has eight letters.</p>
      <form method="post" action="${DEVICE_PAGE_PATH}">
        <label for="user_code">Code</label>
        <input
          id="user_code"
          name="user_code"
          class="code"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          maxlength="20"
          placeholder="XXXX-XXXX"
          required
        />
        <div class="row"><button class="main">Continue</button></div>
      </form>
      ${presentViewer(viewer, DEVICE_PAGE_PATH)}`,
  });
}
