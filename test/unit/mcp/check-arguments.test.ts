import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkArguments, type ArgumentSchema } from "../../../src/mcp/tools/check-arguments.ts";

const SCHEMA: ArgumentSchema = {
  type: "object",
  properties: {
    limit: { type: "integer", minimum: 1, maximum: 100 },
    address: { type: "string", minLength: 1, maxLength: 5 },
    day: { type: "string", pattern: "^\\d{4}-\\d{2}$" },
    side: { type: "string", enum: ["yes", "no"] },
    price: { oneOf: [{ type: "number" }, { type: "string" }] },
    factor: { type: "integer", not: { const: 1 } },
    traders: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 2 },
    filter: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    open: { type: "object", additionalProperties: { type: "number" } },
  },
  required: ["address"],
  additionalProperties: false,
};

test.each([
  ["address", {}, "address is required."],
  ["limit", { limit: 0 }, "limit must be at least 1."],
  ["limit", { limit: 101 }, "limit must be at most 100."],
  ["limit", { limit: 1.5 }, "limit must be of type integer."],
  ["limit", { limit: null }, "limit must be of type integer."],
  ["address", { address: "" }, "address must have 1 to 5 characters."],
  ["day", { day: "2026" }, "day must match ^\\d{4}-\\d{2}$."],
  ["side", { side: "YES" }, "side must be one of yes, no."],
  ["price", { price: true }, "price matches none of its alternatives."],
  ["factor", { factor: 1 }, "factor has an excluded value."],
  ["traders", { traders: [] }, "traders must have 1 to 2 items."],
  ["traders[1]", { traders: ["a", 2] }, "traders[1] must be of type string."],
  ["filter.name", { filter: {} }, "filter.name is required."],
  ["open.x", { open: { x: "1" } }, "open.x must be of type number."],
] as const)("the fault names %s: %j", (param, values, message) => {
  const complete = "address" in values || param === "address" ? values : { address: "a", ...values };
  expect(checkArguments(SCHEMA, complete)).toEqual({ param, message });
});

test("an unknown argument is named together with the known ones", () => {
  expect(checkArguments(SCHEMA, { address: "a", colour: 1 })).toEqual({
    param: "colour",
    message: `colour is not known. Known: ${Object.keys(SCHEMA.properties ?? {}).join(", ")}.`,
  });
});

test("a long invented name is not echoed", () => {
  expect(checkArguments(SCHEMA, { address: "a", ["x".repeat(500)]: 1 })?.param).toBe("arguments");
});

test("names that every object inherits are unknown arguments", () => {
  for (const name of ["constructor", "toString", "hasOwnProperty"])
    expect(checkArguments(SCHEMA, { address: "a", [name]: 1 })?.param).toBe(name);
});

test("the check of arguments accepts exactly what a JSON Schema validator accepts", () => {
  const validate = new Ajv2020({ strict: false, unicodeRegExp: true }).compile(SCHEMA);
  const value = fc.oneof(
    fc.integer({ min: -2, max: 103 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom("yes", "no", "2026-11", "", "abcdef", "é", null, true),
    fc.array(fc.constantFrom("a", 1), { maxLength: 3 }),
    fc.record({ name: fc.constantFrom("a", 1) }, { requiredKeys: [] }),
  );
  const names = fc.constantFrom(...Object.keys(SCHEMA.properties ?? {}), "colour");
  fc.assert(
    fc.property(fc.dictionary(names, value, { maxKeys: 4, noNullPrototype: true }), (values) => {
      const unsafe = Object.values(values).some((one) => Number.isInteger(one) && !Number.isSafeInteger(one));
      fc.pre(!unsafe);
      expect(checkArguments(SCHEMA, values) === null).toBe(validate(values));
    }),
    { numRuns: 2_000 },
  );
});
