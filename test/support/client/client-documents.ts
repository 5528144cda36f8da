import { readFileSync } from "node:fs";

const read = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), "utf8");

/** The code blocks of a document in a language. */
const blocksOf = (name: string, language: string): string[] =>
  [...read(name).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, own, text = ""]) =>
    own === language ? [text] : [],
  );

/** The examples of the typed client, as TypeScript. */
export const listClientExamples = (): string[] => blocksOf("client.md", "ts");

/** Each command `npx .` that the document of the command line shows, as its arguments. */
export const listCliExamples = (): string[][] =>
  blocksOf("cli.md", "sh")
    .flatMap((block) => block.split("\n"))
    .flatMap((line) => {
      const [, command] = /(?:^|\| )npx \. ([^#]*)/.exec(line) ?? [];
      return command === undefined ? [] : [splitWords(command)];
    });

const splitWords = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
