import type { ByteSource } from "./byte-source.js";
import { invalidArgument } from "../checks/index.js";

/** True if `input` has what a {@link ByteSource} must have. */
export function isByteSource(input: unknown): input is ByteSource {
  if (typeof input !== "object" || input === null) return false;
  const { uri, slice, stream } = input as Partial<ByteSource>;
  return typeof uri === "string" && typeof slice === "function" && typeof stream === "function";
}

/** @throws {ArgumentError} `invalid-argument` (`source-type`) when `input` is no {@link ByteSource}. */
export function assertByteSource(input: unknown): asserts input is ByteSource {
  if (isByteSource(input)) return;
  throw invalidArgument("source", "a ByteSource, as openSources makes them of paths, URLs and bytes", input, {
    reason: "source-type",
  });
}
