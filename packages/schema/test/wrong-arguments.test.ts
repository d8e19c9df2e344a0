import { expect, test } from "@jest/globals";
import * as schema from "../src/index.js";

const functions = Object.entries(schema).filter(
  (entry): entry is [string, (argument: unknown) => unknown] =>
    typeof entry[1] === "function" && /^[a-z]/.test(entry[0]),
);

test.each(functions)("%s throws only TfxioErrors for a first argument of the wrong type", (_, run) => {
  for (const wrong of [null, undefined, 5, "text", {}, [], new Map(), Symbol("a symbol")]) {
    try {
      run(wrong);
    } catch (error) {
      expect(error).toMatchObject({ code: expect.any(String), message: expect.stringMatching(/^\[/) });
    }
  }
});

const empty = schema.parseSchemaText("");

test.each<[string, () => unknown]>([
  ["explain", () => schema.explain(empty, null as never)],
  [
    "inferTensorRepresentationsFromSchema",
    () => schema.inferTensorRepresentationsFromSchema(empty, 5 as never),
  ],
  [
    "inferTensorRepresentationsFromMixedSchema",
    () => schema.inferTensorRepresentationsFromMixedSchema(empty, null as never),
  ],
  [
    "projectTensorRepresentationsInSchema",
    () => schema.projectTensorRepresentationsInSchema(empty, [], null as never),
  ],
  ["formatSchemaText", () => schema.formatSchemaText(empty, null as never)],
])("%s rejects options that are not an object", (_, run) => {
  expect(run).toThrow(/^\[invalid-argument\] .*options must be an object, found (null|5)\.$/);
});

test("explain rejects an unknown profile", () => {
  expect(() => schema.explain(empty, { profile: "old" as never })).toThrow(
    '[invalid-argument] explain: profile must be "current" or "legacy", found "old".',
  );
});

test("an argument error names the argument, the expected value and the value found", () => {
  expect(() => schema.explain(null as never)).toThrow(
    "[invalid-argument] schema must be a Schema message, as returned by parseSchemaText, found null.",
  );
});
