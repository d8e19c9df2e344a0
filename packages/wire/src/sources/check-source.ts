import type { ByteSource } from "./byte-source.js";
import { ArgumentError } from "../errors.js";

/** True if `input` has what a {@link ByteSource} must have. */
export function isByteSource(input: unknown): input is ByteSource {
  if (typeof input !== "object" || input === null) return false;
  const { uri, slice, stream } = input as Partial<ByteSource>;
  return typeof uri === "string" && typeof slice === "function" && typeof stream === "function";
}

/** @throws {ArgumentError} `invalid-argument` (`source-type`) when `input` is no {@link ByteSource}. */
export function assertByteSource(input: unknown): asserts input is ByteSource {
  if (isByteSource(input)) return;
  throw new ArgumentError(
    "invalid-argument",
    `A ByteSource is needed, as openSources makes them of paths, URLs and bytes; found ${describeInput(input)}.`,
    { argument: "source", reason: "source-type" },
  );
}

/** What `input` is, in a word for a message. */
export function describeInput(input: unknown): string {
  return input === null || typeof input !== "object" ? String(input) : Object.prototype.toString.call(input);
}
