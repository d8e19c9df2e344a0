import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { errorSites } from "../src/sites.js";
import { readSources } from "../src/sources.js";

const root = path.resolve(import.meta.dirname, "../../..");
const modules = readSources(root);
const messages = errorSites(modules).flatMap((site) => site.messages);
const lines = readFileSync(path.join(root, "docs/errors.md"), "utf8").split("\n");

/** The first line of the paragraph below each heading, by heading. If the heading is a reason, the line starts with its codes. */
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

test("every reason, and every code without a reason, has a heading in docs/errors.md", () => {
  expect(known.length).toBeGreaterThan(500);
  expect(known.map(headingOf).filter((name) => !headings.has(name))).toEqual([]);
});

test("the first line below a reason's heading names each code that has the reason", () => {
  const unnamed = known.filter(
    ({ code, reason }) => reason !== "–" && !headings.get(reason)?.includes(`\`${code}\``),
  );
  expect(unnamed).toEqual([]);
});

/** Files with lists of reasons for errors that other code creates, and patterns that find each reason. */
const LOOKUPS: readonly { readonly file: string; readonly pattern: RegExp; readonly suffix?: string }[] = [
  { file: "formats-arrow/src/metadata/damage.ts", pattern: /"([a-z0-9-]+)"(?= \||;)/g },
  { file: "formats-arrow/src/client/timed-bytes.ts", pattern: /ms`, "([a-z-]+)"/g },
  { file: "formats-csv/src/encode/quoting.ts", pattern: /^ {2}"([a-z-]+)": "/gm },
  { file: "formats-parquet/src/pruning/page-index.ts", pattern: /(?:readonly reason:|\|) "([a-z-]+)"/g },
  {
    file: "formats-protobuf/src/session/decode-errors.ts",
    pattern: /^ {2}\[DecodeStatus\.\w+\]: \["([a-z-]+)"/gm,
  },
  // The reason for a damaged stream is the name of its format; for a truncated stream, the name followed by `suffix`.
  { file: "wire/src/compression/zlib-browser.ts", pattern: /[{,] (\w+): "/g },
  { file: "wire/src/compression/zlib-browser.ts", pattern: /[{,] (\w+): "/g, suffix: "-truncated" },
];

/** Files with errors whose reason is known only at run time: it comes from a table or another error, or is composed. */
const LATE_REASONS = [
  "arrow-encoding/src/decode/kernel-errors.ts",
  "dataset/src/failure.ts",
  "format/src/records/error-at.ts",
  "formats-arrow/src/client/timed-bytes.ts",
  "formats-arrow/src/metadata/damage.ts",
  "formats-csv/src/encode/cell-error.ts",
  "formats-parquet/src/pruning/rows-to-read.ts",
  "formats-protobuf/src/session/decode-errors.ts",
  "io/src/decoder/decoder-format.ts",
  "io/src/reading/error-in-file.ts",
  "io/src/workers/carried-error.ts",
  "struct2tensor/src/sources/record-converter.ts",
  "tensor-adapter/src/named-errors.ts",
  "tfxio/src/cli/options/open-for-writing.ts",
  "tfxio/src/cli/options/schema-file.ts",
  "wire/src/compression/compression.ts",
];

test.each(LOOKUPS)("each reason listed in $file has a heading", ({ file, pattern, suffix = "" }) => {
  const text = readFileSync(path.join(root, "packages", file), "utf8");
  const reasons = Array.from(text.matchAll(pattern), ([, reason]) => `${reason}${suffix}`);
  expect(reasons.length).toBeGreaterThan(1);
  expect(reasons.filter((reason) => !headings.has(reason))).toEqual([]);
});

test("only the listed files have reasons that are known only at run time", () => {
  const files = messages
    .filter(({ reason }) => /[{}]/.test(reason))
    .map(({ file }) => file.replace("packages/", ""));
  expect([...new Set(files)].sort()).toEqual(LATE_REASONS);
});

test("every heading is a reason or a code that the sources use", () => {
  const used = new Set(known.flatMap(({ code, reason }) => [code, reason]));
  // A reason may be composed, as in `{format}-truncated`, or come from a table at run time.
  const composed = messages
    .map(({ reason }) => reason)
    .filter((reason) => /[a-z]-\{|\}-[a-z]/.test(reason))
    .map((reason) => new RegExp(`^${reason.replaceAll(/\{[^}]*\}/g, "[a-z0-9]+")}$`));
  const sources = modules.map(({ file }) => readFileSync(path.join(root, file), "utf8")).join("\n");
  const isUsed = (name: string): boolean =>
    used.has(name) || sources.includes(`"${name}"`) || composed.some((pattern) => pattern.test(name));
  expect([...headings.keys()].filter((name) => !isUsed(name))).toEqual([]);
});

test("more than nine in ten headings are followed by at least two sentences or clauses", () => {
  const terse = [...headings.keys()].filter((name) => {
    const start = lines.indexOf(`### \`${name}\``) + 2;
    const text = lines.slice(start, lines.indexOf("", start)).join(" ");
    return text.replace(/^Code [^.]*\. /, "").split(/[.;] /).length < 2;
  });
  expect(terse.length).toBeLessThan(headings.size / 10);
});
