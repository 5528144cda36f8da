import { ApiError, ERRORS } from "../../api/errors.ts";
import { OAuthError } from "../../oauth/oauth-error.ts";
import { enterCode } from "../sign-in/enter-code.ts";
import { CodeEntry, CodeRequest } from "../sign-in/auth-schemas.ts";
import { AUTH_PATH } from "../sign-in/open-auth.ts";
import { sendCode } from "../sign-in/send-code.ts";
import { html, type Html } from "./html.ts";
import { readOwnForm, safeReturn, type PageRequest, type Viewer } from "./page-request.ts";
import { presentPage, presentSeeOther } from "./present-page.ts";

const SIGN_IN_PATH = "/oauth/sign-in";

/** The page that asks for an e-mail address, shown in place of a page that needs a sign-in. */
export function presentSignIn(returnTo: string, problem: string | null = null, status = 200): Response {
  return presentPage({
    title: "Sign in",
    status,
    body: html`${presentProblem(problem)}
      <p>We send a code to your e-mail address. The first sign-in creates an account.</p>
      <form method="post" action="${SIGN_IN_PATH}">
        <input type="hidden" name="return" value="${returnTo}" />
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" autocomplete="email" maxlength="254" required />
        <div class="row"><button class="main">Send the code</button></div>
      </form>`,
  });
}

/** Sends a code to an address, or signs in with it. Both steps are those of the sign-in routes. */
export async function handleSignInForm(page: PageRequest): Promise<Response> {
  const form = await readOwnForm(page);
  const returnTo = safeReturn(form.find("return"), page.runtime.config.webBaseUrl);
  const requested = CodeRequest.safeParse({ email: form.find("email") ?? "", type: "sign-in" });
  if (!requested.success) return presentSignIn(returnTo, "This is not an e-mail address.", 400);
  const { email } = requested.data;
  try {
    const otp = form.find("otp");
    if (otp === null) {
      const sent = await sendCode(requested.data, page);
      return presentCodeForm(email, returnTo, { cookies: sent.headers.getSetCookie() });
    }
    const entry = CodeEntry.safeParse({ email, otp: otp.replaceAll(/\s/g, "") });
    const outcome = entry.success ? await enterCode(entry.data, page) : null;
    if (outcome?.ok) return presentSeeOther(returnTo, outcome.headers.getSetCookie());
    const problem =
      outcome === null || outcome.status === 400
        ? "The code is wrong or has expired."
        : "Too many wrong attempts. Request a new code.";
    return presentCodeForm(email, returnTo, { problem, status: outcome?.status ?? 400 });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return presentSignIn(returnTo, error.message, ERRORS[error.reason].status);
  }
}

function presentCodeForm(
  email: string,
  returnTo: string,
  { problem = null, status = 200, cookies = [] }: { problem?: string | null; status?: number; cookies?: string[] },
): Response {
  return presentPage({
    title: "Enter the code",
    status,
    cookies,
    body: html`${presentProblem(problem)}
      <p>The code is on its way to <strong>${email}</strong>. It works in this browser, for ten minutes.</p>
      <form method="post" action="${SIGN_IN_PATH}">
        <input type="hidden" name="return" value="${returnTo}" />
        <input type="hidden" name="email" value="${email}" />
        <label for="otp">Code of 8 digits</label>
        <input id="otp" name="otp" inputmode="numeric" autocomplete="one-time-code" maxlength="12" required />
        <div class="row"><button class="main">Sign in</button></div>
      </form>
      <form method="post" action="${SIGN_IN_PATH}">
        <input type="hidden" name="return" value="${returnTo}" />
        <input type="hidden" name="email" value="${email}" />
        <button class="link">Send another code</button>
      </form>`,
  });
}

export const presentProblem = (problem: string | null): Html | null =>
  problem === null ? null : html`<p class="note" role="alert">${problem}</p>`;

/** Who is signed in, and the way to sign in as another. */
export const presentViewer = ({ email }: Viewer, returnTo: string): Html =>
  html` <form method="post" action="/oauth/sign-out">
    <input type="hidden" name="return" value="${returnTo}" />
    <p class="dim">Signed in as ${email}. <button class="link">Use another account</button></p>
  </form>`;

/** Ends the session of this browser. */
export async function handleSignOut(page: PageRequest): Promise<Response> {
  const form = await readOwnForm(page);
  const { exchange, runtime, auth } = page;
  const { origin } = new URL(runtime.config.webBaseUrl);
  const headers = new Headers({ origin, "content-type": "application/json" });
  const cookie = exchange.request.headers.get("cookie");
  if (cookie !== null) headers.set("cookie", cookie);
  const ended = await auth.handler(
    new Request(`${origin}${AUTH_PATH}/sign-out`, { method: "POST", headers, body: "{}" }),
  );
  if (!ended.ok) throw new OAuthError("server_error", "The session could not be ended.", { status: 500 });
  return presentSeeOther(safeReturn(form.find("return"), runtime.config.webBaseUrl), ended.headers.getSetCookie());
}
