import { BytesColumn } from "@tfxio/arrow-encoding";
import type { Json } from "../expression/json.js";
import type { DType, HostArrays } from "@tfxio/tensor-adapter";
import type { ValueFunctionSpec } from "./value-function.js";

type OnBytes = (values: BytesColumn, args: readonly Json[]) => HostArrays[DType];

/** Creates the implementation of a function that takes one field of byte strings. @param result type of its results. */
function ofBytes(result: DType, apply: OnBytes): ValueFunctionSpec {
  return {
    takes: "bytes",
    numInputs: () => 1,
    resultType: ([dtype]) => (dtype === "string" ? result : undefined),
    apply: ([input], args) => apply(input!.values as BytesColumn, args),
  };
}

/**
 * Changes the case of ASCII letters, as `tf.strings.upper` and `lower` do without an encoding. Copies the bytes.
 * @param first code of "A" or "a", the first of the 26 letters that change.
 * @param change added to the code of each of these letters.
 */
function withLetters({ data, offsets }: BytesColumn, first: number, change: number): BytesColumn {
  const start = offsets[0]!;
  const bytes = data.slice(start, offsets.at(-1));
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    if (byte >= first && byte < first + 26) bytes[index] = byte + change;
  }
  return new BytesColumn(bytes, start === 0 ? offsets : offsets.map((offset) => offset - start));
}

/**
 * Returns up to `length` bytes of each string, from `begin` on. A negative `begin` counts from the end. A `begin` outside the
 * string is moved to the nearest end. A null `length` takes all remaining bytes. Counts bytes, so it may split a UTF-8 character.
 */
function sliced(values: BytesColumn, [begin, length]: readonly Json[]): BytesColumn {
  const { data, offsets } = values;
  const from = begin as number;
  const most = length === null ? Number.POSITIVE_INFINITY : (length as number);
  const starts = new Int32Array(values.length);
  const ends = new Int32Array(values.length + 1);
  for (let index = 0; index < starts.length; index++) {
    const first = offsets[index]!;
    const end = offsets[index + 1]!;
    const start = from < 0 ? Math.max(first, end + from) : Math.min(end, first + from);
    starts[index] = start;
    ends[index + 1] = ends[index]! + Math.min(end - start, most);
  }
  const parts = new Uint8Array(ends.at(-1)!);
  for (let index = 0; index < starts.length; index++) {
    let at = ends[index]!;
    for (let source = starts[index]!; at < ends[index + 1]!; source++) parts[at++] = data[source]!;
  }
  return new BytesColumn(parts, ends);
}

/** The functions of byte strings, keyed by name. */
export const bytes: Readonly<Record<string, ValueFunctionSpec>> = {
  length: ofBytes("int32", ({ offsets, length }) =>
    Int32Array.from({ length }, (_, index) => offsets[index + 1]! - offsets[index]!),
  ),
  upper: ofBytes("string", (values) => withLetters(values, 97, -32)),
  lower: ofBytes("string", (values) => withLetters(values, 65, 32)),
  substring: ofBytes("string", sliced),
};
