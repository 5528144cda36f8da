import { describeFence, type Fence } from "../../../scripts/site/code-fence.ts";

export interface CodeBlock extends Fence {
  readonly text: string;
}

/** The code blocks of a page, in order. */
export function listCodeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, info = "", text = ""]) => ({
    ...describeFence(info),
    text,
  }));
}
