import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { errorSites } from "../src/sites.js";
import { readSources } from "../src/sources.js";

const root = path.resolve(import.meta.dirname, "../../..");
const modules = readSources(root);
const messages = errorSites(modules).flatMap((site) => site.messages);
const lines = readFileSync(path.join(root, "docs/errors.md"), "utf8").split("\n");

/** The codes that the paragraph below each heading names. */
const headings = new Map<string, string>();
for (const [index, line] of lines.entries()) {
  const [, name] = /^### `([a-z0-9-]+)`$/.exec(line) ?? [];
  if (name === undefined) continue;
  expect(headings.has(name)).toBe(false);
  headings.set(name, lines[index + 2] ?? "");
}

const known = messages.filter(({ code, reason }) => !/[{}]/.test(code + reason));
const headingOf = ({ code, reason }: { readonly code: string; readonly reason: string }) =>
  reason === "–" ? code : reason;

test("every reason, and every code that stands alone, has a heading in docs/errors.md", () => {
  expect(known.length).toBeGreaterThan(500);
  expect(known.map(headingOf).filter((name) => !headings.has(name))).toEqual([]);
});

test("the paragraph below a heading begins with each code that has the reason", () => {
  const unnamed = known.filter(
    ({ code, reason }) => reason !== "–" && !headings.get(reason)?.includes(`\`${code}\``),
  );
  expect(unnamed).toEqual([]);
});

test("every heading is a reason or a code that the sources use", () => {
  const used = new Set(known.flatMap(({ code, reason }) => [code, reason]));
  // A reason may be put together, as in `{format}-truncated`, or looked up in a table that only running resolves.
  const composed = messages
    .map(({ reason }) => reason)
    .filter((reason) => /[a-z]-\{|\}-[a-z]/.test(reason))
    .map((reason) => new RegExp(`^${reason.replaceAll(/\{[^}]*\}/g, "[a-z0-9]+")}$`));
  const sources = modules.map(({ file }) => readFileSync(path.join(root, file), "utf8")).join("\n");
  const isUsed = (name: string): boolean =>
    used.has(name) || sources.includes(`"${name}"`) || composed.some((pattern) => pattern.test(name));
  expect([...headings.keys()].filter((name) => !isUsed(name))).toEqual([]);
});

test("each heading is followed by what happened and what to try", () => {
  const terse = [...headings.keys()].filter((name) => {
    const start = lines.indexOf(`### \`${name}\``) + 2;
    const text = lines.slice(start, lines.indexOf("", start)).join(" ");
    return text.replace(/^Code [^.]*\. /, "").split(/[.;] /).length < 2;
  });
  expect(terse.length).toBeLessThan(headings.size / 10);
});
