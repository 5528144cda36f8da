import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { parseBody, readJsonBody } from "../../api/read-body.ts";
import {
  findIntegrationKeys,
  insertIntegration,
  isLiveIntegration,
  listIntegrations,
  revokeIntegration,
  rotateIntegration,
} from "../../queries/integrations.ts";
import { answerOnce } from "./answer-once.ts";
import { isNameTaken } from "./is-name-taken.ts";
import type { KeyAnswer, KeyRequest } from "./key-request.ts";
import { makeKey } from "./make-key.ts";
import { parsePathId } from "./path-id.ts";
import { readKeyUsage } from "./read-key-usage.ts";
import { refuseFirst, refuseLate } from "./refuse-first.ts";
import { NewIntegration, NoFields } from "./schemas.ts";

const MAX_INTEGRATIONS = 10;
/**
 * Longer than a credential record is kept in Redis (`RECORD_TTL_SECONDS`), so that every record has learnt of the older key's end before it
 * comes.
 */
const OVERLAP_MINUTES = 15;
const PAGE_ROWS = 100;
const MAX_PAGE_ROWS = 200;

const integer = z
  .string()
  .regex(/^-?\d{1,15}$/)
  .transform(Number);
const Query = z.object({
  limit: integer.transform((limit) => Math.min(Math.max(limit, 1), MAX_PAGE_ROWS)).default(PAGE_ROWS),
  before_id: integer.pipe(z.int().min(1)).nullable().default(null),
});

export async function listIntegrationKeys({ member, runtime, url, startedAt }: KeyRequest): Promise<KeyAnswer> {
  const { limit, before_id } = parseQuery(url.searchParams);
  const [rows, usage] = await Promise.all([
    listIntegrations(runtime.db, member.accountId, { beforeId: before_id, limit: limit + 1 }, startedAt),
    readKeyUsage(runtime, member.accountId, startedAt),
  ]);
  const page = rows.slice(0, limit);
  const data = page.map(({ key_ids, ...row }) => {
    const { monthRequests, lastUsedAt } = usage.sum(key_ids);
    return { ...row, last_used_at: lastUsedAt, month_requests: monthRequests, usage_refreshed_at: usage.refreshedAt };
  });
  const nextBeforeId = rows.length > limit ? (page.at(-1)?.id ?? null) : null;
  return { status: 200, object: "list", data, topLevel: { has_more: nextBeforeId !== null, next_before_id: nextBeforeId } };
}

export async function createIntegrationKey(ask: KeyRequest): Promise<KeyAnswer> {
  const { member, runtime, request, startedAt } = ask;
  const body = parseBody(NewIntegration, await readJsonBody(request));
  const { name, scopes, expires_in_days: lifetimeDays } = body;
  return answerOnce(ask, "createIntegrationKey", body, async () => {
    const { key, ...stored } = await makeKey(runtime.config);
    const integration = { accountId: member.accountId, name, scopes, lifetimeDays };
    const made = await insertIntegration(runtime.db, integration, stored, MAX_INTEGRATIONS, startedAt).catch((error: unknown) => {
      throw isNameTaken(error) ? new ApiError("integration_name_taken", { param: "name" }) : error;
    });
    if (made === null) throw new ApiError("integration_limit_reached");
    const data = { id: made.id, name, api_key: key, prefix: stored.prefix, scopes, expires_at: made.expires_at };
    return { status: 201, object: "integration_key", data };
  });
}

/** A new key for an integration, whose other one works for a quarter of an hour more. One that has expired comes back to life so. */
export async function rotateIntegrationKey(ask: KeyRequest): Promise<KeyAnswer> {
  const { member, runtime, request, params, startedAt } = ask;
  const id = parsePathId(params);
  const body = parseBody(NoFields, request.body === null ? {} : await readJsonBody(request));
  return answerOnce(ask, "rotateIntegrationKey", body, async () => {
    const { key, ...stored } = await makeKey(runtime.config);
    const rotated = await rotateIntegration(runtime.db, { accountId: member.accountId, id }, stored, OVERLAP_MINUTES, startedAt);
    if (rotated === null) {
      throw new ApiError((await isLiveIntegration(runtime.db, member.accountId, id)) ? "rotation_overlap_active" : "not_found");
    }
    return { status: 200, object: "integration_key", data: { ...rotated, api_key: key, prefix: stored.prefix } };
  });
}

/** Stops every key of an integration at once. Doing it again changes nothing and says the same. */
export async function revokeIntegrationKey({ member, runtime, params, startedAt }: KeyRequest): Promise<KeyAnswer> {
  const id = parsePathId(params);
  const hashes = await findIntegrationKeys(runtime.db, member.accountId, id, startedAt);
  if (hashes === null) throw new ApiError("not_found");
  await refuseFirst(runtime.cache, hashes);
  const { key_hashes, ...revoked } = await revokeIntegration(runtime.db, id, startedAt);
  // A rotation that came in between has made a key that was not refused yet.
  await refuseLate(
    runtime.cache,
    key_hashes.filter((hash) => !hashes.includes(hash)),
  );
  return { status: 200, object: "integration_key", data: revoked };
}

/** @throws ApiError invalid_query naming the parameter */
function parseQuery(search: URLSearchParams): z.output<typeof Query> {
  const parsed = Query.safeParse(Object.fromEntries(search));
  if (parsed.success) return parsed.data;
  const param = String(parsed.error.issues[0]?.path[0]);
  throw new ApiError("invalid_query", { param, message: `${param} must be an integer${param === "before_id" ? " of at least 1" : ""}.` });
}
