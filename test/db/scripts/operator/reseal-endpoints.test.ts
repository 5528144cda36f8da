import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { parseOperatorArguments } from "../../../../scripts/operator/arguments.ts";
import { openStore, type Store } from "../../../../scripts/operator/open-store.ts";
import { resealEndpoints } from "../../../../scripts/operator/reseal-endpoints.ts";
import { runOperatorCommand } from "../../../../scripts/operator/run-command.ts";
import { webhookEndpoints } from "../../../../src/db/schema.ts";
import {
  openEndpointSecret,
  sealEndpointSecret,
  type EndpointSecret,
} from "../../../../src/lib/crypto/endpoint-secrets.ts";
import { keyIdOf } from "../../../../src/lib/crypto/key-ring.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { anAccount, anEndpoint } from "../../../support/seed/webhooks.ts";
import { randomBytes } from "../../../support/random-bytes.ts";

const OLD = "the old credential secret of 32 characters";
const NEW = "the new credential secret of 32 characters";
const ownerUnder = (accountId: number, current: string) => ({ accountId, credentialKeys: { current, previous: [] } });
const sealOld = (kind: EndpointSecret, text: string, accountId: number) =>
  sealEndpointSecret(kind, text, ownerUnder(accountId, OLD), randomBytes);

let databaseUrl: string;
let store: Store;

beforeAll(async () => {
  ({ databaseUrl } = await createTestDatabase());
  store = await openStore(
    { DATABASE_URL: databaseUrl, CREDENTIAL_SECRET: NEW, CREDENTIAL_SECRET_PREVIOUS: OLD },
    "/nowhere",
  );
  return () => store.close();
});

const run = (...argv: string[]) => runOperatorCommand(parseOperatorArguments(argv).command, store, new Date());

/** An endpoint in the middle of a rotation: all four texts are sealed with the old secret. */
async function anOldEndpoint(): Promise<number> {
  const accountId = await anAccount(store.db);
  const { id } = await anEndpoint(store.db, {
    accountId,
    verificationTokenSealed: await sealOld("verification token", "token", accountId),
    secretSealed: await sealOld("signing secret", "active", accountId),
    stagedSecretSealed: await sealOld("signing secret", "staged", accountId),
    previousSecretSealed: await sealOld("signing secret", "previous", accountId),
  });
  return Number(id);
}

async function readEndpoint(id: number) {
  const [row] = await store.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
  if (row === undefined) throw new Error("no endpoint was found");
  return row;
}

/** The four secrets of an endpoint, opened with one secret alone. */
async function openAll(id: number, secret: string): Promise<string[]> {
  const row = await readEndpoint(id);
  const open = (kind: EndpointSecret, sealed: string | null) =>
    openEndpointSecret(kind, sealed ?? "", ownerUnder(row.accountId, secret));
  return [
    await open("verification token", row.verificationTokenSealed),
    await open("signing secret", row.secretSealed),
    await open("signing secret", row.stagedSecretSealed),
    await open("signing secret", row.previousSecretSealed),
  ];
}

test("reseal seals every secret with the current key, changes nothing else, and nothing when it is repeated", async () => {
  const id = await anOldEndpoint();
  const before = await readEndpoint(id);
  expect(await run("key-status")).toContain(`key ${await keyIdOf(OLD)}  earlier  endpoints: 1,`);
  expect(await run("reseal")).toBe(
    `Sealed with the key ${await keyIdOf(NEW)} now: the secrets of 1 webhook endpoints.`,
  );
  expect(await openAll(id, NEW)).toEqual(["token", "active", "staged", "previous"]);
  await expect(openAll(id, OLD)).rejects.toThrow(
    `it is sealed with the key ${await keyIdOf(NEW)}, which is neither CREDENTIAL_SECRET nor in CREDENTIAL_SECRET_PREVIOUS`,
  );
  const after = await readEndpoint(id);
  const { verificationTokenSealed, secretSealed, stagedSecretSealed, previousSecretSealed } = before;
  expect({ ...after, verificationTokenSealed, secretSealed, stagedSecretSealed, previousSecretSealed }).toEqual(before);
  expect(await run("reseal")).toContain("the secrets of 0 webhook endpoints");
  expect(await readEndpoint(id)).toEqual(after);
  expect(await run("key-status")).toContain(`key ${await keyIdOf(OLD)}  earlier  endpoints: 0,`);
});

test("a secret that its owner rotates during reseal keeps the owner's change", async () => {
  const id = await anOldEndpoint();
  const { accountId } = await readEndpoint(id);
  const rotated = await sealOld("signing secret", "rotated", accountId);
  let isRotated = false;
  const text = await resealEndpoints(
    {
      ...store,
      db: new Proxy(store.db, {
        get(target, name, receiver) {
          const member: unknown = Reflect.get(target, name, receiver);
          if (name !== "execute" || typeof member !== "function") return member;
          return async (statement: unknown) => {
            const result = await Reflect.apply(member, target, [statement]);
            // The first statement has read the rows; the owner changes one before it is written.
            if (!isRotated) {
              isRotated = true;
              await target.update(webhookEndpoints).set({ secretSealed: rotated }).where(eq(webhookEndpoints.id, id));
            }
            return result;
          };
        },
      }),
    },
    randomBytes,
  );
  expect(text).toContain("the secrets of 1 webhook endpoints");
  expect(await openAll(id, NEW)).toEqual(["token", "rotated", "staged", "previous"]);
});

test("reseal names the endpoints whose key is not configured, and seals the others", async () => {
  const good = await anOldEndpoint();
  const lost = await anOldEndpoint();
  const { accountId } = await readEndpoint(lost);
  const sealed = await sealEndpointSecret(
    "signing secret",
    "lost",
    ownerUnder(accountId, `${OLD} (lost)`),
    randomBytes,
  );
  await store.db.update(webhookEndpoints).set({ secretSealed: sealed }).where(eq(webhookEndpoints.id, lost));
  const id = await keyIdOf(`${OLD} (lost)`);
  await expect(run("reseal")).rejects.toThrow(
    `1 cannot be opened:\n  endpoint ${lost}: cannot open a signing secret of account ${accountId}: it is sealed with the key ${id}`,
  );
  expect(await openAll(good, NEW)).toEqual(["token", "active", "staged", "previous"]);
  expect(await run("key-status")).toContain(`key ${id}  NOT CONFIGURED  endpoints: 1,`);
});

test("key-status counts the credentials from before a rotation, and never prints a secret", async () => {
  await run("create-account", "ann@example.test", "--plan", "pro");
  await run("issue-key", "ann@example.test");
  const status = await run("key-status", "--before", "2999-01-01T00:00:00Z");
  expect(status).toContain("from before 2999-01-01T00:00:00Z: live API keys: 1, refresh tokens: 0");
  expect(await run("key-status", "--before", "2020-01-01T00:00:00Z")).toContain("live API keys: 0");
  expect(status).not.toMatch(/credential secret/);
  expect(() => parseOperatorArguments(["key-status", "--before", "yesterday"])).toThrow("--before must be a time");
});
