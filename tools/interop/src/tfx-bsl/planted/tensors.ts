import { changedAt, type PlantedFault } from "./planted-fault.js";
import type { Json } from "../question.js";
import { otherValue } from "./other-value.js";

/** Returns a function that changes the first list named `name` with at least `minLength` items. */
function withList(
  name: string,
  minLength: number,
  change: (list: readonly number[]) => readonly number[] | undefined,
): PlantedFault["plant"] {
  return (theirs) =>
    changedAt(theirs, (json, key) =>
      key === name && (json as readonly number[]).length >= minLength
        ? change(json as readonly number[])
        : undefined,
    );
}

/** Returns the answer with a changed tensor `t`, or undefined if it is an error or `change` returns undefined. */
function withTensor(theirs: Json, change: (tensor: Json) => Json | undefined): Json | undefined {
  const tensors = theirs["tensors"] as Json | undefined;
  const changed = tensors && change(tensors["t"] as Json);
  return changed && { ...theirs, tensors: { ...tensors, t: changed } };
}

/** Faults in the tensors of batches. */
export const tensorFaults: readonly PlantedFault[] = [
  { name: "a different value", plant: otherValue },
  {
    name: "a different dtype",
    plant: (theirs) =>
      withTensor(theirs, (tensor) =>
        tensor["dtype"] === "int64" ? { ...tensor, dtype: "int32" } : undefined,
      ),
  },
  {
    name: "a different shape",
    plant: (theirs) =>
      withTensor(theirs, (tensor) => {
        const shape = tensor["shape"] as readonly number[] | undefined;
        return shape && { ...tensor, shape: [...shape, 1] };
      }),
  },
  {
    name: "a row split that is off by one",
    plant: (theirs) =>
      changedAt(theirs, (json, key) => {
        if (key !== "nested_row_splits") return undefined;
        const [outer, ...inner] = json as readonly (readonly number[])[];
        const at = outer?.findIndex((split, index) => index > 0 && split > (outer[index - 1] ?? 0)) ?? -1;
        return outer && at > 0 && at < outer.length - 1
          ? [outer.with(at, (outer[at] ?? 0) - 1), ...inner]
          : undefined;
      }),
  },
  {
    name: "a different dtype of row splits",
    plant: (theirs) =>
      withTensor(theirs, (tensor) =>
        tensor["row_splits_dtype"] === "int64" ? { ...tensor, row_splits_dtype: "int32" } : undefined,
      ),
  },
  {
    name: "a different index",
    plant: (theirs) =>
      changedAt(theirs, (json, key) => {
        const [first, ...rest] = key === "indices" ? (json as readonly (readonly number[])[]) : [];
        return first && [[...first.slice(0, -1), (first.at(-1) ?? 0) + 1], ...rest];
      }),
  },
  {
    name: "a different dense shape",
    plant: withList("dense_shape", 2, (shape) => shape.with(1, (shape[1] ?? 0) + 1)),
  },
  {
    name: "a missing tensor",
    plant: (theirs) => ("tensors" in theirs ? { ...theirs, tensors: {} } : undefined),
  },
  {
    name: "a result for a representation that should be rejected",
    plant: (theirs) =>
      "error" in theirs
        ? { tensors: { t: { kind: "dense", dtype: "int64", shape: [0], values: [] } } }
        : undefined,
  },
  {
    name: "an error for a representation that should be accepted",
    plant: (theirs) => ("error" in theirs ? undefined : { error: "planted" }),
  },
];
