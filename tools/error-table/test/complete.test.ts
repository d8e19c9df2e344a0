import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { errorSites } from "../src/sites.js";
import { readSources } from "../src/sources.js";

const root = path.resolve(import.meta.dirname, "../../..");
const sites = errorSites(readSources(root));

const THROWN = /new (?:Argument|Source|Record|Schema|Conversion|Unsupported|UserFunction)Error\(/g;

test("every place that creates an error has at least one message in the table", () => {
  expect(sites.filter(({ messages }) => messages.length === 0)).toEqual([]);
});

test("the table has exactly the places that a text search for `new …Error(` finds", () => {
  const found = readdirSync(path.join(root, "packages")).flatMap((name) =>
    readdirSync(path.join(root, "packages", name, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.includes("generated"))
      .flatMap((file) => {
        const text = readFileSync(path.join(root, "packages", name, "src", file), "utf8");
        const code = text.replaceAll(/^\s*(\*|\/\/|\/\*).*$/gm, "");
        return Array.from(code.matchAll(THROWN), () => `packages/${name}/src/${file}`);
      }),
  );
  expect(sites.map(({ file }) => file).sort()).toEqual(found.sort());
});

test("a message that callers pass to a function is listed with the text that each caller passes", () => {
  const messages = sites.flatMap((site) => site.messages);
  expect(messages).toContainEqual(
    expect.objectContaining({ code: "corrupt-record", reason: "length-crc", errorClass: "RecordError" }),
  );
  expect(messages.length).toBeGreaterThan(sites.length * 2);
  const rejection = sites.find(
    ({ file, source }) => file.endsWith("/resolve-examples.ts") && source.includes(", message, {"),
  );
  expect(rejection?.messages.map(({ message }) => message)).toContain(
    "The list of artifacts must not be empty.",
  );
});

test("a message that contains an entry of a lookup table is listed with each entry, if the key is a variable", () => {
  const unlisted = sites
    .flatMap((site) => site.messages)
    .filter(({ file, reason }) => file.endsWith("/kernel-errors.ts") && reason === "unlisted-feature");
  for (const kind of ["bytes_list", "float_list", "int64_list"]) {
    expect(unlisted.some(({ message }) => message.startsWith(`Feature "{featureName}" (${kind})`))).toBe(
      true,
    );
  }
});
