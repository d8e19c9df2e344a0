import { ArgumentError, assertKnownKeys } from "@tfxio/wire";
import { assertChoice, assertOption } from "./check-arguments.js";
import type { ExampleDecoderOptions } from "./example-decoder.js";

const names = [
  "schema",
  "columns",
  "listType",
  "rawRecordColumn",
  "unlisted",
  "onMalformed",
  "kernels",
] as const satisfies readonly (keyof ExampleDecoderOptions)[];

/**
 * Checks the options that all decoders have. @param others names of those that only this one has.
 * @throws {ArgumentError} `invalid-argument` naming the option: (`unknown-option`), of the wrong type, or without the
 * schema that it needs.
 */
export function assertDecoderOptions(
  options: ExampleDecoderOptions,
  others: readonly string[],
  owner: string,
): void {
  assertKnownKeys(options, [...names, ...others], owner);
  const { schema, listType, unlisted } = options;
  assertOption("schema", schema, "schema");
  assertOption("columns", options.columns, "paths");
  assertChoice("listType", listType, ["list", "large", "fixed"]);
  assertOption("rawRecordColumn", options.rawRecordColumn, "name");
  assertChoice("unlisted", unlisted, ["drop", "error"]);
  assertChoice("onMalformed", options.onMalformed, ["error", "skip"]);
  assertOption("kernels", options.kernels, "kernels");
  if (schema !== undefined) return;
  if (listType === "fixed") throw needsSchema("listType", listType);
  if (unlisted === "error") throw needsSchema("unlisted", unlisted);
}

function needsSchema(argument: string, value: string): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `${argument} "${value}" goes by a schema, and there is none.`,
    {
      argument,
    },
  );
}
