import type { Json } from "../question.js";
import { otherValue } from "./other-value.js";
import { changedAt, type PlantedFault } from "./planted-fault.js";

/** Faults in the batches of converted tensors. */
export const conversionFaults: readonly PlantedFault[] = [
  { name: "a different value", plant: otherValue },
  {
    name: "null instead of an empty list",
    plant: (theirs) =>
      changedAt(theirs, (json, key) => {
        const rows = key === "values" ? (json as readonly unknown[]) : [];
        const at = rows.findIndex((row) => Array.isArray(row) && row.length === 0);
        return at < 0 ? undefined : rows.with(at, null);
      }),
  },
  {
    name: "a different list type",
    plant: (theirs) =>
      changedAt(theirs, (json) => {
        const item = (json as Json | null)?.["large_list"];
        return item === undefined ? undefined : { list: item };
      }),
  },
  {
    name: "a different representation",
    plant: (theirs) =>
      "tensor_representations" in theirs
        ? { ...theirs, tensor_representations: { t: { b64: "EgMKAXU=" } } }
        : undefined,
  },
  {
    name: "different tensors after a round trip",
    plant: (theirs) =>
      "round_trip_tensors" in theirs
        ? { ...theirs, round_trip_tensors: otherValue(theirs["round_trip_tensors"] as Json) ?? {} }
        : undefined,
  },
];

/** Faults in the answers to test vectors. */
export const vectorFaults: readonly PlantedFault[] = [
  {
    name: "a different number",
    plant: ({ value, ...theirs }) =>
      typeof value === "number" ? { ...theirs, value: value + 1 } : undefined,
  },
  {
    name: "a result for a test vector that should be rejected",
    plant: (theirs) => ("error" in theirs ? { value: 0 } : undefined),
  },
  {
    name: "an error for a test vector that should be accepted",
    plant: (theirs) => ("error" in theirs ? undefined : { error: "planted" }),
  },
  {
    name: "an Example without its features message",
    plant: (theirs) => changedAt(theirs, (json) => (json === "CgA=" ? "" : undefined)),
  },
];

/** Faults in the representations and projections of schemas. */
export const schemaFaults: readonly PlantedFault[] = [
  {
    name: "an additional tensor",
    plant: ({ tensor_representations: all, ...theirs }) =>
      typeof all === "object" && all !== null
        ? { ...theirs, tensor_representations: { ...all, planted: { b64: "EgMKAXU=" } } }
        : undefined,
  },
  {
    name: "an empty projection",
    plant: (theirs) => ("schema_b64" in theirs ? { schema_b64: "" } : undefined),
  },
  {
    name: "an error for a projection that should be accepted",
    plant: (theirs) => ("schema_b64" in theirs ? { error: "planted" } : undefined),
  },
];
