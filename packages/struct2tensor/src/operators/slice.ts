import { assertMembers, describeValue } from "@tfxio/wire/checks";
import { unusable } from "../expression/errors.js";
import { addField, fieldAtPath } from "../expression/find-field.js";
import type { Field } from "../expression/graph-node.js";
import type { Path, Step } from "../path/path.js";
import { fieldAt, type Operator } from "./operator.js";
import { keepElements, takenField } from "./take.js";

/** Bounds of a slice, as in `Array.prototype.slice`: negative positions count from the end of each list. */
export interface SliceBounds {
  /** First position, inclusive. Default 0. */
  readonly begin?: number | undefined;
  /** End position, exclusive. Default: the end of the list. */
  readonly end?: number | undefined;
}

/**
 * Adds a copy of the field with only the elements between two positions in each parent.
 * @throws {ArgumentError} `invalid-argument`: `slice-bound` if both bounds are missing or one is not an integer, `root-slice` for
 *   the root.
 */
export function slice(root: Field, path: Path, as: Step, given: SliceBounds): Field {
  assertMembers<SliceBounds>("bounds", given, { begin: null, end: null });
  const { begin, end } = given;
  if (path.length === 0) throw unusable("root-slice", "The root cannot be sliced.");
  const field = fieldAtPath(root, path);
  const bounds = [begin, end];
  const isUsable = (bound: number | undefined): boolean => bound === undefined || Number.isSafeInteger(bound);
  if (bounds.every((bound) => bound === undefined) || !bounds.every(isUsable)) {
    throw unusable(
      "slice-bound",
      `The bounds of "${path}" must have a begin, an end or both, each an integer; found begin ` +
        `${describeValue(begin)} and end ${describeValue(end)}.`,
      "begin",
    );
  }
  const attrs = { begin: begin ?? null, end: end ?? null };
  const { node } = field;
  return addField(
    root,
    path.parent(),
    as,
    takenField({ op: "slice", attrs, inputs: [node], type: node.type }, field),
  );
}

/** Computes the elements between two positions in each parent. */
export const sliceOperator: Operator = {
  op: "slice",
  calculate(inputs, { attrs }) {
    const field = fieldAt(inputs, 0);
    const { begin, end } = attrs as { readonly begin: number | null; readonly end: number | null };
    return keepElements(
      field,
      slicedPositions(field.parentIndex, begin ?? 0, end ?? Number.POSITIVE_INFINITY),
    );
  },
};

/** Returns the positions of the elements to keep. Elements of one parent are adjacent. */
function slicedPositions(parentIndex: Int32Array, begin: number, end: number): Int32Array {
  const kept = new Int32Array(parentIndex.length);
  let numKept = 0;
  for (let first = 0; first < parentIndex.length; ) {
    let last = first + 1;
    while (last < parentIndex.length && parentIndex[last] === parentIndex[first]) last++;
    const length = last - first;
    const from = begin < 0 ? Math.max(0, length + begin) : begin;
    const to = end < 0 ? length + end : Math.min(length, end);
    for (let position = from; position < to; position++) kept[numKept++] = first + position;
    first = last;
  }
  return kept.slice(0, numKept);
}
