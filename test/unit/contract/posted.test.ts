import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { facetsOf } from "../../../durable-objects/event-stream/facets-of.ts";
import { eventDataOf, eventTimeOf } from "../../../src/events/event-body.ts";
import { dataSchemaNameOf, EVENT_CATALOGUE, EVENT_SPELLINGS, eventTypeOf } from "../../../src/events/registry.ts";
import { signDelivery } from "../../../src/webhooks/rules/sign-delivery.ts";
import { CONTRACT_EVENT_NAMES, departures } from "../../contract/contract.ts";
import contract from "../../contract/contract.json" with { type: "json" };

/*
 * The documented webhook posts, compared with the contract and with the posted requests.
 */

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

interface Post {
  readonly parameters: readonly { readonly name: string; readonly required: boolean; readonly example: string }[];
  readonly requestBody: {
    readonly content: { readonly "application/json": { readonly schema: Schema; readonly example: any } };
  };
  readonly responses: Readonly<Record<string, unknown>>;
}

const document: {
  readonly paths: Readonly<Record<string, any>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Post }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
} = JSON.parse(readFileSync(new URL("../../../src/generated/openapi.txt", import.meta.url), "utf8"));

// The files are JSON of a known structure; their inferred types consist of thousands of literals.
const contracted = contract.schemas as unknown as Readonly<Record<string, Schema>>;
const posts = Object.entries(document.webhooks).map(([spelling, { post }]) => {
  const type = eventTypeOf(spelling) ?? "trader_synced";
  const body = post.requestBody.content["application/json"];
  return { spelling, ...post, type, payload: dataSchemaNameOf(type), body };
});

test("the document has one webhook entry for each name of the contract and each event type that can be registered", () => {
  const names = posts.map(({ spelling }) => spelling).toSorted();
  expect(names).toEqual(CONTRACT_EVENT_NAMES.toSorted());
  expect(names).toEqual(EVENT_SPELLINGS.toSorted());
});

test.each(posts)(
  "$spelling is documented as in the contract, with an example",
  ({ spelling, body, payload, responses }) => {
    expect(body.schema.properties?.["type"]?.const).toBe(spelling);
    expect(body.schema.required).toEqual(["id", "type", "created_at", "data"]);
    expect(body.schema.properties?.["data"]?.$ref).toBe(`#/components/schemas/${payload}`);
    expect(body.example.type).toBe(spelling);
    expect(departures("WebhookEvent", { ...body.example, data: {} })).toEqual([]);
    expect(departures(payload, body.example.data)).toEqual([]);
    expect(Object.keys(responses)).toContain("2XX");
  },
);

test("the documented number of event types is that of the contract", () => {
  const { example } = document.paths["/api/v1/webhooks/events"].get.responses["200"].content["application/json"];
  expect(example.total).toBe(CONTRACT_EVENT_NAMES.length);
});

test.each(posts)("$spelling is delivered with the documented data and time", ({ type, body: { example } }) => {
  const { event_id: eventId, ...payload } = example.data;
  const identity = "5b0f7c2d-9e31-0a68-01d2-c3e4f5061728";
  const stored = { epoch: 1, id: "90210", identity, type, payload, createdAt: "2026-11-20T12:00:01.250Z" };
  expect(eventDataOf(stored)).toEqual(example.data);
  expect(eventTimeOf(stored)).toBe(example.created_at);
  expect([undefined, example.id]).toContain(eventId);
});

test.each(posts)("the stream finds each facet of $spelling in the documented data", ({ type, body: { example } }) => {
  const { grade, wallet, sizeMicro } = facetsOf(type, example.data, 7) ?? {};
  const { facets = {} } = EVENT_CATALOGUE[type];
  const found = { grade: grade !== null, wallet: wallet !== null, sizeUsd: sizeMicro !== null };
  const declared = { grade: "grade" in facets, wallet: "wallet" in facets, sizeUsd: "sizeUsd" in facets };
  expect(found).toEqual(declared);
});

test.each(posts)("$spelling documents exactly the headers of a delivery", async ({ spelling, parameters, body }) => {
  const secret = `whsec_${"a".repeat(43)}`;
  const delivery = { id: body.example.id, body: "{}", eventType: spelling, deliveryId: "417", attempt: 1 };
  const posted = await signDelivery(delivery, {
    secrets: [secret],
    headerPrefix: "x-service",
    nowMs: 1_795_176_004_000,
  });
  expect(parameters.map(({ name }) => name).toSorted()).toEqual(Object.keys(posted).toSorted());
  for (const { name, required, example } of parameters) {
    expect([name, required]).toEqual([name, true]);
    // A signature is compared by length and form; everything else exactly.
    const isSignature = name.endsWith("-signature");
    const form = (text: string | undefined) =>
      isSignature ? text?.replace(/[0-9a-zA-Z+/]{40,}/, (digits) => String(digits.length)) : text;
    expect([name, form(example)]).toEqual([name, form(posted[name])]);
  }
});

/** The JSON types that a schema allows for a field, with references followed. */
function typesOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): Set<unknown> {
  if (schema.$ref !== undefined) return typesOf(schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}, schemas);
  if (schema.anyOf !== undefined) return new Set(schema.anyOf.flatMap((part) => [...typesOf(part, schemas)]));
  if (schema.const !== undefined) return new Set([typeof schema.const]);
  return new Set([schema.type ?? []].flat());
}

/**
 * Differences between the fields of our schema and the contract's: required fields that may be missing, other
 * types, unknown fields and unknown enum values.
 */
function differences(ours: Schema, theirs: Schema, path: string): string[] {
  const own = ours.properties ?? {};
  const missing = (theirs.required ?? [])
    .filter((name) => ours.required?.includes(name) !== true)
    .map((name) => `${path}.${name} may be missing`);
  const fields = Object.entries(own).flatMap(([name, field]) => {
    const their = theirs.properties?.[name];
    if (their === undefined) return [`${path}.${name} is not in the contract`];
    const allowed = typesOf(their, contracted);
    const given = [...typesOf(field, document.components.schemas)];
    const extraTypes =
      allowed.size === 0
        ? []
        : given.filter((type) => !allowed.has(type) && !(type === "integer" && allowed.has("number")));
    const within =
      field.items !== undefined && their.items !== undefined
        ? differences(field.items, their.items, `${path}.${name}[]`)
        : [];
    const extraValues =
      (their.enum ?? []).length > 0 ? enumsOf(field).filter((value) => !their.enum?.includes(value)) : [];
    return [
      ...extraTypes.map((type) => `${path}.${name} is ${String(type)}`),
      ...extraValues.map((value) => `${path}.${name} is ${String(value)}`),
      ...within,
    ];
  });
  return [...missing, ...fields];
}

const enumsOf = (schema: Schema): unknown[] => [...(schema.enum ?? []), ...(schema.anyOf ?? []).flatMap(enumsOf)];

const NAMED = [...new Set(posts.map(({ payload }) => payload))];

test.each(NAMED.filter((name) => name !== "WebhookExportJobData"))(
  "%s requires the fields that the contract requires, in the same types",
  (name) => {
    const [ours, theirs] = [document.components.schemas[name], contracted[name]];
    expect(ours?.properties).toBeDefined();
    expect(differences(ours ?? {}, theirs ?? {}, name)).toEqual([]);
  },
);

test("the data of export events is an open object without a download address", () => {
  expect(contracted["WebhookExportJobData"]).toEqual({ type: "object", additionalProperties: true });
  const fields = Object.keys(document.components.schemas["WebhookExportJobData"]?.properties ?? {});
  expect(fields.filter((name) => /url|link|location/.test(name))).toEqual([]);
});
