import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonBlock } from "../../../src/lib/markdown.ts";

test("every line is indented by four spaces, which makes it code", () => {
  expect(jsonBlock({ title: "# Rain\n\n[win](http://x)", n: 1 })).toBe(
    ["    {", '      "title": "# Rain\\n\\n[win](http://x)",', '      "n": 1', "    }"].join("\n"),
  );
});

test("line breaks of some renderers and marks that hide or turn text are written out", () => {
  expect(jsonBlock("a\u2028b\u2029c\u0085d\u202ee\u200bf")).toBe('    "a\\u2028b\\u2029c\\u0085d\\u202ee\\u200bf"');
});

test("whatever a text holds, no line of the block leaves it, and the value can be read back", () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: "small" }), fc.string({ unit: "binary", maxLength: 40 }), (value, text) => {
      const whole = { value, text };
      const block = jsonBlock(whole);
      for (const line of block.split(/[\n\r\u0085\u2028\u2029\v\f]/)) expect(line.startsWith("    ")).toBe(true);
      expect(JSON.parse(block)).toEqual(JSON.parse(JSON.stringify(whole)));
    }),
  );
});
