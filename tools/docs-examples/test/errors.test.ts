import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";

const root = path.resolve(import.meta.dirname, "../../..");
const page = readFileSync(path.join(root, "docs/errors.md"), "utf8");

/** Sources of every package, generated code left out. */
function sources(): string[] {
  return readdirSync(path.join(root, "packages")).flatMap((name) => {
    const folder = path.join(root, "packages", name, "src");
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.includes("generated"))
      .map((file) => readFileSync(path.join(folder, file), "utf8"));
  });
}

const named = (pattern: RegExp): string[] => [
  ...new Set(sources().flatMap((text) => Array.from(text.matchAll(pattern), ([, name = ""]) => name))),
];

test("docs/errors.md lists every reason that a package gives", () => {
  const reasons = named(/\breason: "([a-z0-9-]+)"/g);
  expect(reasons.length).toBeGreaterThan(30);
  expect(reasons.filter((reason) => !page.includes(`\`${reason}\``))).toEqual([]);
});

test("docs/errors.md lists every code that a package throws", () => {
  const codes = named(/new \w+Error\(\s*"([a-z-]+)"/g);
  expect(codes.length).toBeGreaterThan(10);
  expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});
