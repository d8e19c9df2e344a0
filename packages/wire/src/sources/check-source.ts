import type { ByteSource } from "./byte-source.js";
import { invalidArgument } from "../checks/index.js";

/** Returns true if `input` has the required members of a {@link ByteSource}. */
export function isByteSource(input: unknown): input is ByteSource {
  if (typeof input !== "object" || input === null) return false;
  const { uri, slice, stream } = input as Partial<ByteSource>;
  return typeof uri === "string" && typeof slice === "function" && typeof stream === "function";
}

/** Asserts that `input` is a {@link ByteSource}. @throws {ArgumentError} `invalid-argument` (`source-type`). */
export function assertByteSource(input: unknown): asserts input is ByteSource {
  if (isByteSource(input)) return;
  throw invalidArgument("source", "a ByteSource, for example one from openSources", input, {
    reason: "source-type",
  });
}
