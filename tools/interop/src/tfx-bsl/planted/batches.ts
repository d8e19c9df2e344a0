import { changedAt, type PlantedFault } from "./planted-fault.js";
import type { Json } from "../question.js";

interface Bits {
  readonly valid: string;
  readonly lengths?: readonly (number | null)[];
  readonly [name: string]: unknown;
}

const isBits = (json: unknown): json is Bits => typeof (json as Bits | null)?.valid === "string";

/** Returns the answer with changed columns, or undefined if it is an error or `change` returns undefined. */
function withColumns(
  theirs: Json,
  change: (columns: readonly Bits[]) => readonly Bits[] | undefined,
): Json | undefined {
  const columns = theirs["columns"] as readonly Bits[] | undefined;
  const changed = columns && change(columns);
  return changed && { ...theirs, columns: changed };
}

/** Finds the first list of the old length `from`, and gives it the new length `to`. A length of null means a null list. */
function withList(theirs: Json, from: number | null, to: number | null): Json | undefined {
  return changedAt(theirs, (json) => {
    if (!isBits(json)) return undefined;
    const at = json.lengths?.indexOf(from) ?? -1;
    if (at < 0) return undefined;
    const valid = `${json.valid.slice(0, at)}${to === null ? 0 : 1}${json.valid.slice(at + 1)}`;
    return { ...json, valid, lengths: json.lengths?.with(at, to) };
  });
}

/** Faults in decoded batches. */
export const batchFaults: readonly PlantedFault[] = [
  {
    name: "a different value",
    plant: (theirs) =>
      changedAt(theirs, (json, key) => {
        const [first, ...rest] = key === "values" ? (json as readonly unknown[]) : [];
        return typeof first === "string" ? [`${first}1`, ...rest] : undefined;
      }),
  },
  {
    name: "a different NaN",
    plant: (theirs) =>
      changedAt(theirs, (json) => (json === String(0x7f800001) ? String(0x7fc00000) : undefined)),
  },
  { name: "null instead of an empty list", plant: (theirs) => withList(theirs, 0, null) },
  { name: "an empty list instead of null", plant: (theirs) => withList(theirs, null, 0) },
  {
    name: "a missing row",
    plant: (theirs) =>
      Number(theirs["rows"]) > 0 ? { ...theirs, rows: Number(theirs["rows"]) - 1 } : undefined,
  },
  {
    name: "a different list type",
    plant: (theirs) =>
      changedAt(theirs, (json, key) =>
        key === "type" && String(json).startsWith("large_list") ? String(json).slice(6) : undefined,
      ),
  },
  {
    name: "a missing column",
    plant: (theirs) => withColumns(theirs, (columns) => (columns.length > 0 ? columns.slice(1) : undefined)),
  },
  {
    name: "columns in a different order",
    plant: (theirs) =>
      withColumns(theirs, (columns) => (columns.length > 1 ? columns.toReversed() : undefined)),
  },
  {
    name: "a column that is not nullable",
    plant: (theirs) => changedAt(theirs, (json, key) => (key === "nullable" ? false : undefined)),
  },
  {
    name: "an error for a record that should be accepted",
    plant: (theirs) => ("error" in theirs ? undefined : { error: "planted" }),
  },
  {
    name: "a result for a record that should be rejected",
    plant: (theirs) => ("error" in theirs ? { rows: 0, columns: [] } : undefined),
  },
];

/** Faults in encoded records. */
export const encodedFaults: readonly PlantedFault[] = [
  {
    name: "a different record",
    plant: (theirs) =>
      changedAt(theirs, (json) =>
        typeof json === "string" && json.length > 8 ? json.slice(0, -4) : undefined,
      ),
  },
];

/** Faults in the results of pyarrow's validation of our files. */
export const fileFaults: readonly PlantedFault[] = [
  { name: "an invalid file", plant: (theirs) => ({ ...theirs, fault: "planted" }) },
];
