import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonBlock } from "../../../src/lib/markdown.ts";

test("every line of a JSON block is indented by four spaces, which makes it code", () => {
  expect(jsonBlock({ title: "# Rain\n\n[win](http://x)", n: 1 })).toBe(
    ["    {", '      "title": "# Rain\\n\\n[win](http://x)",', '      "n": 1', "    }"].join("\n"),
  );
});

test("Unicode line breaks, invisible characters and direction marks are escaped in a JSON block", () => {
  expect(jsonBlock("a\u2028b\u2029c\u0085d\u202ee\u200bf")).toBe('    "a\\u2028b\\u2029c\\u0085d\\u202ee\\u200bf"');
});

test("no text breaks out of its JSON block, and the value can be parsed again", () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: "small" }), fc.string({ unit: "binary", maxLength: 40 }), (value, text) => {
      const whole = { value, text };
      const block = jsonBlock(whole);
      const lines = block.split(/[\n\r\u0085\u2028\u2029\v\f]/);
      expect(lines.filter((line) => !line.startsWith("    "))).toEqual([]);
      expect(JSON.parse(block)).toEqual(JSON.parse(JSON.stringify(whole)));
    }),
  );
});
