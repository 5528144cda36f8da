import { expect, inject, test } from "vitest";
import { createRandom, type Random } from "../../../scripts/provider/simulate/random.ts";
import { hashCredential } from "../../../src/auth/api-key-format.ts";
import { SCOPES, type Scope } from "../../../src/domain/accounts/accounts.ts";
import type { CredentialRecord } from "../../../src/domain/accounts/credential-record.ts";
import { decideAccess } from "../../../src/domain/accounts/decide-access.ts";
import { TOKEN_RESOURCES, type TokenResource } from "../../../src/domain/accounts/oauth.ts";
import { sha256, toBase64Url } from "../../../src/lib/crypto/hmac.ts";
import { endGrant } from "../../../src/oauth/flows/end-grant.ts";
import { exchangeCode } from "../../../src/oauth/flows/exchange-code.ts";
import type { TokenResponse } from "../../../src/oauth/flows/issue-tokens.ts";
import { pollDevice } from "../../../src/oauth/flows/poll-device.ts";
import { revokeToken } from "../../../src/oauth/flows/revoke-token.ts";
import { useRefreshToken } from "../../../src/oauth/flows/use-refresh-token.ts";
import { SILENT_LOG } from "../../support/exports/silent-log.ts";
import { MemoryStore } from "../../support/oauth/memory-store.ts";
import { HOUR_MS } from "../../../src/scoring/utc-calendar.ts";

/*
 * Random steps of several accounts and clients, attackers among them, over the flows and a store in memory. An
 * oracle, which knows only what was sent and answered, says which token should open what. After each step
 * some tokens are presented, and the product must agree with the oracle.
 *   OAUTH_STEPS=1000000 TEST_SEED=7 npx vitest run --config test/vitest.config.ts test/simulations/oauth
 */
const STEPS = Number(process.env["OAUTH_STEPS"] ?? 100_000);
const WORLD_STEPS = 5_000;
const CONFIG = {
  keyPrefix: "svc",
  credentialKeys: { current: "a-secret-of-the-simulation-of-grants", previous: [] },
  apiBaseUrl: "https://api.test",
};
const REDIRECT = "https://app.example.com/cb";
const MONTH = 30 * 24 * HOUR_MS;

/** What the oracle knows of a grant. */
interface Family {
  readonly accountId: number;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly resource: TokenResource;
  isEnded: boolean;
  /** When the first token of each level was used. */
  readonly usedMs: Map<number, number>;
  grantId: number;
}
interface Refresh {
  readonly token: string;
  readonly family: Family;
  readonly level: number;
  readonly issuedMs: number;
}
interface Access {
  readonly token: string;
  readonly family: Family;
  readonly scopes: readonly Scope[];
  readonly resource: TokenResource;
  readonly issuedMs: number;
  isRevoked: boolean;
}
interface Code {
  readonly code: string;
  readonly verifier: string;
  readonly asked: Pick<Family, "accountId" | "clientId" | "scopes" | "resource">;
  readonly issuedMs: number;
  family: Family | null;
}

function must(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`the product and the oracle disagree: ${what}`);
}

class World {
  readonly #random: Random;
  readonly #store: MemoryStore;
  /** The meter: refusals with their ends, and records that it has read. */
  readonly #refusals = new Map<string, number>();
  readonly #records = new Map<string, CredentialRecord>();
  readonly #codes: Code[] = [];
  readonly #refresh: Refresh[] = [];
  readonly #access: Access[] = [];
  #nowMs = Date.UTC(2026, 10, 1);
  granted = 0;
  refused = 0;
  ended = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#store = new MemoryStore(async () => {
      for (let turns = random.integer(0, 3); turns > 0; turns -= 1) await Promise.resolve();
    });
  }

  #context() {
    return {
      config: CONFIG,
      store: this.#store,
      meter: { refuse: async (_account: number, hashes: readonly string[]) => this.#refuse(hashes) },
      random: (bytes: Uint8Array<ArrayBuffer>) => bytes.map(() => this.#random.integer(0, 255)),
      log: SILENT_LOG,
      now: new Date(this.#nowMs),
    };
  }

  #refuse(hashes: readonly string[]): void {
    for (const hash of hashes) {
      this.#refusals.set(hash, this.#nowMs + 300_000);
      this.#records.delete(hash);
    }
  }

  async step(): Promise<void> {
    const random = this.#random;
    this.#nowMs += random.chance(0.02)
      ? random.pick([HOUR_MS, HOUR_MS, MONTH])
      : random.pick([0, 0, 1, 1_000, 5_000, 20_000, 40_000]);
    const steps = [
      () => this.#approve(),
      () => this.#exchange(),
      () => this.#exchange(),
      () => this.#useRefresh(),
      () => this.#useRefresh(),
      () => this.#useRefresh(),
      () => this.#device(),
      () => this.#revoke(),
    ];
    await random.pick(steps)();
    for (let check = 0; check < 3; check += 1) await this.#present();
  }

  /** A person allows a client something: a code exists. */
  async #approve(): Promise<void> {
    const random = this.#random;
    const verifier = String(random.next()).padEnd(43, "v");
    const code = `svc_ac_${Array.from({ length: 64 }, () => random.integer(0, 15).toString(16)).join("")}`;
    const asked = this.#ask();
    this.#store.codes.set(await hashCredential(CONFIG.credentialKeys.current, code), {
      ...asked,
      clientGrantTypes: ["authorization_code", "refresh_token"],
      redirectUri: REDIRECT,
      codeChallenge: toBase64Url(await sha256(verifier)),
      expiresMs: this.#nowMs + 60_000,
      grantId: null,
    });
    this.#codes.push({ code, verifier, asked, issuedMs: this.#nowMs, family: null });
  }

  #ask() {
    const random = this.#random;
    const scopes = SCOPES.filter(() => random.chance(0.5));
    return {
      accountId: random.integer(1, 3),
      clientId: `client-${random.integer(1, 3)}`,
      scopes: scopes.length === 0 ? (["read"] as const) : scopes,
      resource: random.pick(TOKEN_RESOURCES),
    };
  }

  /** Sends a code: right or wrong, once or several times at the same moment. */
  async #exchange(): Promise<void> {
    const random = this.#random;
    const code = this.#codes.at(-random.integer(1, Math.min(this.#codes.length, 6)));
    if (code === undefined) return;
    const clientId = random.chance(0.8) ? code.asked.clientId : `client-${random.integer(1, 3)}`;
    const isVerified = random.chance(0.8);
    const redirectUri = random.chance(0.9) ? REDIRECT : `${REDIRECT}/x`;
    const resource = random.chance(0.6) ? null : random.pick(TOKEN_RESOURCES);
    const verifier = isVerified ? code.verifier : "w".repeat(43);
    const copies = random.chance(0.1) ? random.integer(2, 4) : 1;
    const sent = { code: code.code, clientId, redirectUri, verifier, resource };
    const answers = await Promise.all(
      Array.from({ length: copies }, () => exchangeCode(sent, this.#context()).catch(() => null)),
    );
    const tokens = answers.filter((answer) => answer !== null);
    const isRight = clientId === code.asked.clientId;
    if (isRight && code.family !== null) this.#end(code.family);
    const covers = resource === null || code.asked.resource === "api" || code.asked.resource === resource;
    const isDue =
      isRight &&
      code.family === null &&
      isVerified &&
      redirectUri === REDIRECT &&
      covers &&
      this.#nowMs < code.issuedMs + 60_000;
    must(tokens.length === (isDue ? 1 : 0), "number of tokens");
    if (tokens[0] === undefined) return;
    code.family = this.#found(code.asked, tokens[0], resource ?? code.asked.resource);
    if (copies > 1) this.#end(code.family);
  }

  #found(asked: Code["asked"], tokens: TokenResponse, resource: TokenResource): Family {
    const family = { ...asked, isEnded: false, usedMs: new Map<number, number>(), grantId: this.#store.grants.size };
    this.#receive(family, tokens, 0, resource);
    return family;
  }

  #receive(family: Family, tokens: TokenResponse, level: number, resource: TokenResource): void {
    const { access_token, refresh_token, scope } = tokens;
    const scopes = SCOPES.filter((name) => scope.split(" ").includes(name));
    this.#access.push({ token: access_token, family, scopes, resource, issuedMs: this.#nowMs, isRevoked: false });
    if (refresh_token !== undefined) this.#refresh.push({ token: refresh_token, family, level, issuedMs: this.#nowMs });
  }

  #end(family: Family): void {
    if (!family.isEnded) this.ended += 1;
    family.isEnded = true;
  }

  async #useRefresh(): Promise<void> {
    const random = this.#random;
    const held = this.#refresh.at(-random.integer(1, Math.min(this.#refresh.length, 12)));
    if (held === undefined) return;
    const { family, level } = held;
    const clientId = random.chance(0.9) ? family.clientId : `client-${random.integer(1, 3)}`;
    const asked = random.chance(0.6) ? null : SCOPES.filter(() => random.chance(0.4));
    const resource = random.chance(0.6) ? null : random.pick(TOKEN_RESOURCES);
    const copies = random.chance(0.1) ? random.integer(2, 3) : 1;
    const request = { clientId, scope: asked === null ? null : asked.join(" "), resource };
    const answers = await Promise.all(
      Array.from({ length: copies }, () => useRefreshToken(held.token, request, this.#context()).catch(() => null)),
    );
    const tokens = answers.filter((answer) => answer !== null);
    const isKnown = clientId === family.clientId && !family.isEnded && this.#nowMs < held.issuedMs + MONTH;
    const usedMs = family.usedMs.get(level);
    const isReuse = family.usedMs.has(level + 1) || (usedMs !== undefined && this.#nowMs - usedMs > 30_000);
    if (isKnown && isReuse) this.#end(family);
    const scopes = asked === null || asked.length === 0 ? family.scopes : asked;
    const covers = resource === null || family.resource === "api" || family.resource === resource;
    const isDue = isKnown && !isReuse && covers && scopes.every((scope) => family.scopes.includes(scope));
    must(tokens.length === (isDue ? copies : 0), "number of tokens");
    if (!isDue) return;
    if (usedMs === undefined) family.usedMs.set(level, this.#nowMs);
    for (const answer of tokens) {
      must(answer.scope === SCOPES.filter((scope) => scopes.includes(scope)).join(" "), "scope of the answer");
      this.#receive(family, answer, level + 1, resource ?? family.resource);
    }
  }

  /** A device asks, a person decides, the device polls, also too early and twice. */
  async #device(): Promise<void> {
    const random = this.#random;
    const asked = this.#ask();
    const code = `svc_dc_${Array.from({ length: 64 }, () => random.integer(0, 15).toString(16)).join("")}`;
    const hash = await hashCredential(CONFIG.credentialKeys.current, code);
    const decision = random.pick(["pending", "approved", "denied"] as const);
    this.#store.devices.set(hash, {
      ...asked,
      accountId: decision === "pending" ? null : asked.accountId,
      clientGrantTypes: ["refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
      expiresMs: this.#nowMs + 600_000,
      decision,
      intervalSeconds: 5,
      polledMs: random.chance(0.3) ? this.#nowMs - random.pick([0, 4_999, 5_000]) : null,
      version: 0,
    });
    const { polledMs = null } = this.#store.devices.get(hash) ?? {};
    const isEarly = polledMs !== null && this.#nowMs - polledMs < 5_000;
    const isOwn = random.chance(0.8);
    const isLate = random.chance(0.1);
    if (isLate) this.#nowMs += 600_000;
    const poll = { clientId: isOwn ? asked.clientId : "client-9", resource: null };
    const answers = await Promise.all(
      Array.from({ length: random.integer(1, 3) }, () => pollDevice(code, poll, this.#context()).catch(() => null)),
    );
    const tokens = answers.filter((answer) => answer !== null);
    must(tokens.length === (isOwn && !isLate && !isEarly && decision === "approved" ? 1 : 0), "number of tokens");
    if (tokens[0] !== undefined) this.#found(asked, tokens[0], asked.resource);
  }

  async #revoke(): Promise<void> {
    const random = this.#random;
    const context = this.#context();
    const access = this.#access.at(-random.integer(1, Math.min(this.#access.length, 12)));
    const refresh = this.#refresh.at(-random.integer(1, Math.min(this.#refresh.length, 12)));
    if (access === undefined || refresh === undefined) return;
    const clientId = random.pick([null, "client-1", "client-2", "client-3"]);
    const isOf = ({ family }: { family: Family }) => clientId === null || family.clientId === clientId;
    switch (random.integer(0, 2)) {
      case 0:
        await revokeToken(access.token, clientId, context).catch(() => undefined);
        if (isOf(access)) access.isRevoked = true;
        return;
      case 1:
        await revokeToken(refresh.token, clientId, context).catch(() => undefined);
        if (isOf(refresh)) this.#end(refresh.family);
        return;
      default: {
        // The owner revokes while the client refreshes: what the refresh returns must not work.
        const { family } = refresh;
        const request = { clientId: family.clientId, scope: null, resource: null };
        const [, answer] = await Promise.all([
          endGrant(family.grantId, "owner", context),
          useRefreshToken(refresh.token, request, context).catch(() => null),
        ]);
        this.#end(family);
        if (answer !== null) this.#receive(family, answer, refresh.level + 1, family.resource);
      }
    }
  }

  /** Presents a token somewhere, as the kernel does: the record of the meter, else the stored one, which the meter then keeps. */
  async #present(): Promise<void> {
    const random = this.#random;
    const held = this.#access.at(-random.integer(1, Math.min(this.#access.length, 12)));
    if (held === undefined) return;
    const { token, family } = held;
    const hash = await hashCredential(CONFIG.credentialKeys.current, token);
    const isRefused = (this.#refusals.get(hash) ?? 0) > this.#nowMs;
    const record: CredentialRecord = isRefused
      ? { kind: "unknown" }
      : (this.#records.get(hash) ?? this.#recordOf(hash));
    if (!isRefused) this.#records.set(hash, record);
    const requirement = { scope: random.pick(SCOPES), plan: null, resource: random.pick(TOKEN_RESOURCES) };
    const access = decideAccess(record, requirement, new Date(this.#nowMs));
    const isValid =
      !held.isRevoked &&
      !family.isEnded &&
      this.#nowMs < held.issuedMs + HOUR_MS &&
      held.scopes.includes(requirement.scope) &&
      (held.resource === "api" || held.resource === requirement.resource);
    must((access.kind === "granted") === isValid, `validity: ${isValid}`);
    if (access.kind !== "granted") {
      this.refused += 1;
      return;
    }
    this.granted += 1;
    const { accountId, credentialKind, keyId } = access.principal;
    must(accountId === family.accountId && keyId === family.grantId, "account and grant");
    must(credentialKind === "oauth_grant", "kind of the credential");
    must(
      held.scopes.every((scope) => family.scopes.includes(scope)),
      "scopes of the grant",
    );
    must(family.resource === "api" || held.resource === "mcp", "resource of the grant");
  }

  #recordOf(hash: string): CredentialRecord {
    const stored = this.#store.access.get(hash);
    if (stored === undefined) return { kind: "unknown" };
    return {
      kind: "key",
      credential_kind: "oauth_grant",
      key_id: stored.grant.id,
      account_id: stored.grant.accountId,
      scopes: [...stored.scopes],
      resource: stored.resource,
      expires_ms: stored.expiresMs,
      revoked: stored.revokedMs !== null || stored.grant.revokedMs !== null,
      plan: "pro",
      state: "active",
      pay_as_you_go: false,
    };
  }
}

test(`in ${STEPS} steps no token is valid outside its account, client, scope, resource and time`, async () => {
  const seed = inject("seed");
  let granted = 0;
  let refused = 0;
  let ended = 0;
  for (let done = 0; done < STEPS; done += WORLD_STEPS) {
    const world = new World(createRandom("oauth grants", seed, done));
    for (let step = 0; step < Math.min(WORLD_STEPS, STEPS - done); step += 1) {
      await world.step().catch((error: unknown) => {
        throw new Error(`seed ${seed}, world ${done}, step ${step}`, { cause: error });
      });
    }
    granted += world.granted;
    refused += world.refused;
    ended += world.ended;
  }
  console.info(
    `oauth grants: seed ${seed}, ${STEPS} steps, ${granted} granted, ${refused} refused, ${ended} grants ended`,
  );
  // The steps reach both answers often, so that neither is asserted over nothing.
  expect(granted).toBeGreaterThan(STEPS / 100);
  expect(refused).toBeGreaterThan(STEPS / 100);
  expect(ended).toBeGreaterThan(STEPS / 200);
}, 600_000);
