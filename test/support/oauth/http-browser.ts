import { hiddenFields } from "./read-page.ts";

export interface PageResponse {
  readonly status: number;
  readonly text: string;
  /** The redirect target; null without one. */
  readonly location: URL | null;
}

/** A browser without JavaScript on the pages of a started product: it stores cookies and sends forms. */
export class HttpBrowser {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();

  constructor(webUrl: string) {
    this.#origin = new URL(webUrl).origin;
  }

  async open(path: string, form: Readonly<Record<string, string>> | null = null): Promise<PageResponse> {
    const response = await fetch(new URL(path, this.#origin), {
      method: form === null ? "GET" : "POST",
      redirect: "manual",
      headers: {
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(form === null ? {} : { origin: this.#origin, "content-type": "application/x-www-form-urlencoded" }),
      },
      body: form === null ? null : new URLSearchParams(form).toString(),
      signal: AbortSignal.timeout(60_000),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "" || /max-age=0\b/i.test(cookie)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    const location = response.headers.get("location");
    return {
      status: response.status,
      text: await response.text(),
      location: location === null ? null : new URL(location, this.#origin),
    };
  }

  /** Signs in on the page that a path shows, and returns the page that it then shows. */
  async signIn(path: string, email: string, readCode: () => Promise<string>): Promise<PageResponse> {
    const page = await this.open(path);
    if (!page.text.includes("Sign in</h1>")) throw new Error(`no sign-in: ${page.status} ${page.text}`);
    const returnTo = path;
    await this.open("/oauth/sign-in", { return: returnTo, email });
    const back = await this.open("/oauth/sign-in", { return: returnTo, email, otp: await readCode() });
    if (back.location === null) throw new Error(`not signed in: ${back.status} ${back.text}`);
    return this.open(`${back.location.pathname}${back.location.search}`);
  }

  /** Sends the decision of a page that asks for consent. */
  async decide(page: PageResponse, action: string, decision: "approve" | "deny"): Promise<PageResponse> {
    return this.open(action, { ...hiddenFields(page.text, "request"), decision });
  }
}
