import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Page, repositoryUrl, root } from "./pages.js";

/** Returns the anchors that GitHub assigns to the headings of a page. The anchor of a repeated heading ends with a number. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of markdown
    .replaceAll(/^```[\s\S]*?^```/gm, "")
    .matchAll(/^#{1,6}\s+(.*)$/gm)) {
    const slug = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, "")
      .replaceAll(" ", "-");
    let anchor = slug;
    for (let copy = 1; anchors.has(anchor); copy++) anchor = `${slug}-${copy}`;
    anchors.add(anchor);
  }
  return anchors;
}

/**
 * Returns a page's broken links to files and headings of this repository, each as the link and the problem. Checks relative
 * links, and links to the main branch on GitHub. In a package's README, a relative link to a file counts as broken, because it
 * does not work where npm shows the README.
 */
export function brokenLinks(page: Page): string[] {
  const prose = page.text.replaceAll(/^\s*```[\s\S]*?^\s*```/gm, "").replaceAll(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)].flatMap(([, target = ""]) => {
    const onWeb = pathOnWeb(target);
    if (onWeb === undefined && /^[a-z][a-z+.-]*:/i.test(target)) return [];
    const [file = "", anchor] = (onWeb ?? target).split("#");
    if (onWeb === undefined && file !== "" && page.name.startsWith("packages/"))
      return [`${target}: a relative link, which is broken on npm`];
    const absolute = path.join(root, onWeb === undefined ? path.dirname(page.name) : "", file);
    if (file !== "" && !existsSync(absolute)) return [`${target}: no such file`];
    if (anchor === undefined || (file !== "" && !file.endsWith(".md"))) return [];
    const markdown = file === "" ? page.text : readFileSync(absolute, "utf8");
    return anchorsOf(markdown).has(anchor) ? [] : [`${target}: no such heading`];
  });
}

/** Returns the path, relative to the root, in a link to the main branch on GitHub; undefined for any other link. */
function pathOnWeb(target: string): string | undefined {
  const [, inRepository] = /^\/(?:blob|tree)\/main\/(.*)$/.exec(target.replace(repositoryUrl, "")) ?? [];
  return target.startsWith(`${repositoryUrl}/`) ? inRepository : undefined;
}
