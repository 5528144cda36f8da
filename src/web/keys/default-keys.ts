import { ApiError } from "../../api/errors.ts";
import { parseBody, readJsonBody } from "../../api/read-body.ts";
import { DEFAULT_SCOPES } from "../../auth/keys.ts";
import {
  findDefaultKey,
  insertDefaultKey,
  listDefaultKeys,
  listLiveDefaultKeys,
  replaceDefaultKeys,
  revokeKey,
} from "../../queries/api-keys.ts";
import { answerOnce } from "./answer-once.ts";
import type { KeyAnswer, KeyRequest } from "./key-request.ts";
import { makeKey } from "./make-key.ts";
import { parsePathId } from "./path-id.ts";
import { readKeyUsage } from "./read-key-usage.ts";
import { refuseFirst, refuseLate } from "./refuse-first.ts";
import { NewKey, NoFields } from "./schemas.ts";

/** The list has no pages; beyond this only the newest are in it. */
const LISTED = 500;

export async function listApiKeys({ member, runtime, startedAt }: KeyRequest): Promise<KeyAnswer> {
  const [keys, usage] = await Promise.all([
    listDefaultKeys(runtime.db, member.accountId, LISTED),
    readKeyUsage(runtime, member.accountId, startedAt),
  ]);
  const data = keys.map((key) => ({
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    created_at: key.created_at,
    last_used_at: usage.sum([key.id]).lastUsedAt,
    revoked_at: key.revoked_at,
  }));
  return { status: 200, object: "list", data };
}

/** A further key with every scope; those there are stay valid. */
export async function createApiKey(ask: KeyRequest): Promise<KeyAnswer> {
  const { member, runtime, request } = ask;
  const body = parseBody(NewKey, request.body === null ? {} : await readJsonBody(request));
  return answerOnce(ask, "createApiKey", body, async () => {
    const { key, ...stored } = await makeKey(runtime.config);
    const made = await insertDefaultKey(runtime.db, member.accountId, { ...stored, name: body.name ?? null, scopes: DEFAULT_SCOPES });
    if (made === null) throw new ApiError("default_key_limit_reached");
    const data = { id: made.id, name: body.name ?? null, api_key: key, prefix: stored.prefix, created_at: made.created_at };
    return { status: 201, object: "api_key", data };
  });
}

/** Doing it again changes nothing and says the same. */
export async function revokeApiKey({ member, runtime, params, startedAt }: KeyRequest): Promise<KeyAnswer> {
  const key = await findDefaultKey(runtime.db, member.accountId, parsePathId(params));
  if (key === null) throw new ApiError("not_found");
  await refuseFirst(runtime.cache, [key.key_hash]);
  return { status: 200, object: "api_key", data: await revokeKey(runtime.db, key.id, startedAt) };
}

/** Revokes the default keys there are and makes one. Keys of integrations and tokens stay as they are. */
export async function regenerateApiKey(ask: KeyRequest): Promise<KeyAnswer> {
  const { member, runtime, request, startedAt } = ask;
  const body = parseBody(NoFields, request.body === null ? {} : await readJsonBody(request));
  return answerOnce(ask, "regenerateApiKey", body, async () => {
    const live = await listLiveDefaultKeys(runtime.db, member.accountId);
    await refuseFirst(runtime.cache, live);
    const { key, ...stored } = await makeKey(runtime.config);
    const made = await replaceDefaultKeys(runtime.db, member.accountId, { ...stored, name: null, scopes: DEFAULT_SCOPES }, startedAt);
    await refuseLate(
      runtime.cache,
      made.revoked_hashes.filter((hash) => !live.includes(hash)),
    );
    const data = {
      id: made.id,
      api_key: key,
      prefix: stored.prefix,
      created_at: made.created_at,
      revoked_count: made.revoked_hashes.length,
    };
    return { status: 200, object: "api_key", data };
  });
}
