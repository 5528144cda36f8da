import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EVENT_CATALOGUE, EVENT_SPELLINGS, eventTypeOf } from "../../../src/domain/event-catalogue.ts";
import { signDelivery } from "../../../src/domain/webhooks/sign-delivery.ts";
import { departures } from "../../contract/contract.ts";
import contract from "../../contract/contract.json" with { type: "json" };

/*
 * What the document says is posted to webhooks, against the contract and against what is posted.
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
  readonly requestBody: { readonly content: { readonly "application/json": { readonly schema: Schema; readonly example: any } } };
  readonly responses: Readonly<Record<string, unknown>>;
}

const document: {
  readonly webhooks: Readonly<Record<string, { readonly post: Post }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
} = JSON.parse(readFileSync(new URL("../../../src/generated/openapi.txt", import.meta.url), "utf8"));

// The files are JSON of known making; their inferred types are ones of thousands of literals.
const contracted = contract.schemas as unknown as Readonly<Record<string, Schema>>;
const posts = Object.entries(document.webhooks).map(([spelling, { post }]) => ({
  spelling,
  ...post,
  payload: EVENT_CATALOGUE[eventTypeOf(spelling) ?? "trader_synced"].payload,
  body: post.requestBody.content["application/json"],
}));

test("there is an entry for each name of the contract, and one for each that can be registered", () => {
  const names = posts.map(({ spelling }) => spelling).toSorted();
  expect(names).toEqual([...(contracted["WebhookEventType"]?.enum ?? [])].toSorted());
  expect(names).toEqual(EVENT_SPELLINGS.toSorted());
  expect(names).toHaveLength(16);
});

test.each(posts)("$spelling is posted as the contract has it, with an example of it", ({ spelling, body, payload, responses }) => {
  expect(body.schema.properties?.["type"]?.const).toBe(spelling);
  expect(body.schema.required).toEqual(["id", "type", "created_at", "data"]);
  expect(body.schema.properties?.["data"]?.$ref).toBe(`#/components/schemas/${payload}`);
  expect(body.example.type).toBe(spelling);
  expect(departures("WebhookEvent", { ...body.example, data: {} })).toEqual([]);
  expect(departures(payload, body.example.data)).toEqual([]);
  expect(Object.keys(responses)).toContain("2XX");
});

test.each(posts)("$spelling tells of the headers that a delivery has, and of no others", async ({ spelling, parameters, body }) => {
  const secret = `whsec_${"a".repeat(43)}`;
  const delivery = { id: body.example.id, body: "{}", eventType: spelling, deliveryId: "417", attempt: 1 };
  const posted = await signDelivery(delivery, { secrets: [secret], headerPrefix: "x-service", nowMs: 1_795_176_004_000 });
  expect(parameters.map(({ name }) => name).toSorted()).toEqual(Object.keys(posted).toSorted());
  for (const { name, required, example } of parameters) {
    expect([name, required]).toEqual([name, true]);
    // A signature of its own length and form; everything else to the letter.
    const isSignature = name.endsWith("-signature");
    const form = (text: string | undefined) =>
      isSignature ? text?.replace(/[0-9a-zA-Z+/]{40,}/, (digits) => String(digits.length)) : text;
    expect([name, form(example)]).toEqual([name, form(posted[name])]);
  }
});

/** What a schema allows of a field: its JSON types, references followed. */
function typesOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): Set<unknown> {
  if (schema.$ref !== undefined) return typesOf(schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}, schemas);
  if (schema.anyOf !== undefined) return new Set(schema.anyOf.flatMap((part) => [...typesOf(part, schemas)]));
  if (schema.const !== undefined) return new Set([typeof schema.const]);
  return new Set([schema.type ?? []].flat());
}

/** Departures of our schema's fields from the contract's: what may be left out there, what is of another type, what nobody knows. */
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
    const others = allowed.size === 0 ? [] : given.filter((type) => !allowed.has(type) && !(type === "integer" && allowed.has("number")));
    const within = field.items !== undefined && their.items !== undefined ? differences(field.items, their.items, `${path}.${name}[]`) : [];
    const letters = (their.enum ?? []).length > 0 ? enumsOf(field).filter((value) => !their.enum?.includes(value)) : [];
    return [
      ...others.map((type) => `${path}.${name} is ${String(type)}`),
      ...letters.map((value) => `${path}.${name} is ${String(value)}`),
      ...within,
    ];
  });
  return [...missing, ...fields];
}

const enumsOf = (schema: Schema): unknown[] => [...(schema.enum ?? []), ...(schema.anyOf ?? []).flatMap(enumsOf)];

const NAMED = [...new Set(posts.map(({ payload }) => payload))];

test.each(NAMED.filter((name) => name !== "WebhookExportJobData"))("%s requires what the contract requires, in its types", (name) => {
  const [ours, theirs] = [document.components.schemas[name], contracted[name]];
  expect(ours?.properties).toBeDefined();
  expect(differences(ours ?? {}, theirs ?? {}, name)).toEqual([]);
});

test("the data of an export's events is open, and has no address to download from", () => {
  expect(contracted["WebhookExportJobData"]).toEqual({ type: "object", additionalProperties: true });
  const fields = Object.keys(document.components.schemas["WebhookExportJobData"]?.properties ?? {});
  expect(fields.filter((name) => /url|link|location/.test(name))).toEqual([]);
});
