import type { Data } from "apache-arrow";
import { assertWithin } from "../metadata/damage.js";
import { gathered } from "./gathered.js";
import { type ArrayContext, contradiction } from "./typed-arrays.js";

/**
 * Returns the values of a run-end encoded array, each repeated for its run.
 * @throws {RecordError} `corrupt-record` (`array`) for run ends that are null, do not increase, do not reach the end of the
 * array, or outnumber the values; `limit-exceeded` (`page-length`).
 * @throws {UnsupportedError} `unsupported` for runs of unions.
 * @see https://arrow.apache.org/docs/format/Columnar.html#run-end-encoded-layout
 */
export function expandRunEnds(
  ends: Data,
  values: Data,
  context: ArrayContext & { readonly length: number; readonly maxBytes: number },
): Data {
  const { length, maxBytes, path, place } = context;
  if (ends.nullCount > 0) throw contradiction("has run ends that are null", context);
  const what = `column "${path}", expanded to ${length} rows,`;
  assertWithin(4 * length, maxBytes, { place, what, reason: "page-length" });
  const start = new Uint32Array(length);
  let row = 0;
  const given = ends.values as Int16Array | Int32Array | BigInt64Array;
  let last = 0;
  for (let run = 0; run < ends.length; run++) {
    const end = Number(given[run]);
    if (end <= last)
      throw contradiction(`has a run that ends at ${end}, expected an end above ${last}`, context);
    if (run >= values.length)
      throw contradiction(`has ${ends.length} runs, but only ${values.length} values`, context);
    start.fill(run, row, Math.min(end, length));
    row = Math.min(end, length);
    last = end;
  }
  if (row < length) throw contradiction(`has ${length} rows, but its runs end at ${last}`, context);
  return gathered(values, { count: length, start, end: start.map((run) => run + 1) }, context);
}
