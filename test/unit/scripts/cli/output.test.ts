import { expect, test } from "vitest";
import { openOutput } from "../../../../scripts/cli/output/output.ts";
import { renderTable } from "../../../../scripts/cli/output/table.ts";

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

function opened(stdout: Terminal, env: Record<string, string> = {}, isJson = false) {
  const [out, err]: [string[], string[]] = [[], []];
  const output = openOutput(
    { ...stdout, write: (text) => out.push(text) },
    { ...stdout, write: (text) => err.push(text) },
    env,
    isJson,
  );
  return { output, out: () => out.join(""), err: () => err.join("") };
}

const ROWS = [
  { id: "wt_1", size_usd: 5, trader: { grade: "A", username: null }, tags: [] },
  { id: "wt_22", size_usd: 12_345.5, trader: { grade: "B", username: "ann" }, tags: ["x"] },
];

test("a table aligns columns, names inner fields and shows null as null", () => {
  expect(renderTable(ROWS, 80)).toEqual([
    "id     size_usd  trader.grade  trader.username  tags",
    "wt_1   5         A             null             []",
    'wt_22  12345.5   B             ann              ["x"]',
  ]);
});

test("a table is never wider than the terminal", () => {
  for (const width of [10, 20, 33, 60]) {
    const lines = renderTable([{ id: "wt_1", title: "a long title ".repeat(9), grade: "A" }], width);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(width);
  }
});

test("people get a table with a bold header; programs get one JSON object a line", () => {
  const people = opened({ isTTY: true, columns: 80 });
  people.output.rows(ROWS);
  const [header = ""] = people.out().split("\n");
  expect([header.startsWith("\u001b[1mid "), header.endsWith("\u001b[0m")]).toEqual([true, true]);
  const pipe = opened({});
  pipe.output.rows(ROWS);
  expect(pipe.out()).toBe(ROWS.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const json = opened({ isTTY: true }, {}, true);
  json.output.rows(ROWS);
  expect(json.out()).toBe(pipe.out());
});

test.each([{ NO_COLOR: "1" }, { TERM: "dumb" }])("the output has no colours with %j", (env) => {
  const { output, out, err } = opened({ isTTY: true }, env);
  output.rows(ROWS);
  output.error("no");
  expect(`${out()}${err()}`).not.toContain("\u001b");
});

test("progress is shown on a terminal only, and makes way for other lines", () => {
  const pipe = opened({});
  pipe.output.progress("1 of 2");
  expect(pipe.err()).toBe("");
  const people = opened({ isTTY: true });
  people.output.progress("1 of 2");
  people.output.note("done");
  expect(
    people
      .err()
      .split("\r\u001b[K")
      .map((part) => part.includes("1 of 2")),
  ).toEqual([false, true, false]);
});

test("control characters of strangers do not reach a terminal", () => {
  const title = "a\u001b[2Jb\u009bc\u202ed\re";
  for (const isJson of [false, true]) {
    const { output, out } = opened({ isTTY: true }, { NO_COLOR: "1" }, isJson);
    output.rows([{ title }]);
    output.answer({ data: { title } });
    output.event(title, { title });
    for (const char of ["\u001b", "\u009b", "\u202e", "\r"]) expect(out()).not.toContain(char);
  }
});
