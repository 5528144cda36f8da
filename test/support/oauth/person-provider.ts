import type {
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";

/** What the official MCP client stores between its requests; where it would open a browser, it keeps the URL. */
export class PersonProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  /** The authorization that a person has to decide; null before the client asks for one. */
  requested: URL | null = null;
  #client: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = "";

  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl;
  }

  get clientMetadata() {
    return {
      client_name: "Official MCP client",
      redirect_uris: [this.redirectUrl],
      token_endpoint_auth_method: "none",
    };
  }

  clientInformation = () => this.#client;
  saveClientInformation = (client: StoredOAuthClientInformation) => void (this.#client = client);
  tokens = () => this.#tokens;
  saveTokens = (tokens: StoredOAuthTokens) => void (this.#tokens = tokens);
  redirectToAuthorization = (url: URL) => void (this.requested = url);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
}
