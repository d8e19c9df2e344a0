import type { Page } from "./pages.js";

/** A module that consists of code from a page. */
export interface Program {
  /** File name within the page's folder. */
  readonly fileName: string;
  readonly code: string;
}

interface Block {
  readonly info: string;
  readonly lines: readonly string[];
}

/** Returns the fenced code blocks in order. If a fence is indented, as in a list, its indentation is removed from the lines. */
function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open:
    | { readonly fence: string; readonly indent: number; readonly info: string; readonly lines: string[] }
    | undefined;
  for (const line of markdown.split("\n")) {
    const [, space = "", fence = "", info = ""] = /^(\s*)(`{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (fence !== "") open = { fence, indent: space.length, info: info.trim(), lines: [] };
    } else if (fence.length >= open.fence.length && info.trim() === "") {
      blocks.push(open);
      open = undefined;
    } else {
      open.lines.push(line.slice(open.indent));
    }
  }
  return blocks;
}

/**
 * Returns the programs of a page. A TypeScript example is one program. The `ts` blocks of Markdown are joined, in order, into one
 * module, `page.ts`. A block whose first line names a file, such as `// write.ts`, is added to that file instead. Blocks marked
 * `ts ignore` are skipped.
 */
export function programsOf(page: Page): Program[] {
  if (page.name.endsWith(".ts")) return [{ fileName: "page.ts", code: page.text }];
  const files = new Map<string, string[]>();
  for (const { info, lines } of blocksOf(page.text)) {
    if (info !== "ts") continue;
    const fileName = /^\/\/ ([\w-]+\.ts)$/.exec(lines[0] ?? "")?.[1] ?? "page.ts";
    files.set(fileName, [...(files.get(fileName) ?? []), ...lines]);
  }
  return [...files].map(([fileName, lines]) => ({ fileName, code: `${lines.join("\n")}\nexport {};\n` }));
}
