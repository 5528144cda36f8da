import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { buildSamples } from "../../../scripts/sandbox/build-samples.ts";
import { ERRORS } from "../../../src/api/errors.ts";
import { API_OPERATIONS } from "../../../src/operations/index.ts";
import { Samples } from "../../../src/sandbox/samples.ts";
import { storedGzip } from "../../../src/sandbox/stored-gzip.ts";

const generated = (file: string) => readFileSync(new URL(`../../../src/generated/${file}`, import.meta.url), "utf8");
const stored = generated("sandbox-samples.txt");
const samples = Samples.parse(JSON.parse(stored));
const { paths } = JSON.parse(generated("openapi.txt"));

test("the samples are built from the document alone, to the same bytes every time", () => {
  expect(buildSamples(API_OPERATIONS, generated("openapi.txt"))).toBe(stored);
});

test("every operation of the registry has a sample, and no other has one", () => {
  expect(Object.keys(samples.operations).toSorted()).toEqual(API_OPERATIONS.map(({ id }) => id).toSorted());
});

test.each(API_OPERATIONS)(
  "$id has a reason of the catalogue for each documented error status",
  ({ id, path, method }) => {
    const { errors } = samples.operations[id] ?? { errors: {} };
    const documented = Object.keys(paths[path][method].responses).filter((status) => Number(status) >= 400);
    expect(Object.keys(errors).toSorted()).toEqual(documented.toSorted());
    for (const [status, reason] of Object.entries(errors))
      expect(ERRORS[reason as keyof typeof ERRORS].status).toBe(Number(status));
  },
);

test.for([0, 1, 1_000, 65_535])("a stored gzip member of %i bytes decompresses to its content", (length) => {
  const content = new Uint8Array(length).map((_, index) => index % 251);
  expect(new Uint8Array(gunzipSync(storedGzip(content)))).toEqual(content);
});

test("a stored gzip member takes no more than one block", () => {
  expect(() => storedGzip(new Uint8Array(65_536))).toThrow(RangeError);
});
