import { changedAt, type PlantedFault } from "../tfx-bsl/planted/planted-fault.js";

/** Creates a fault at the first place for which `change` returns a new value. */
function fault(name: string, change: (value: unknown, key: string) => unknown): PlantedFault {
  return { name, plant: (theirs) => changedAt(theirs, change) };
}

/** Returns a function for {@link fault} that changes the first item of the list named `list`. */
function firstOf(list: string, change: (item: unknown) => unknown): (value: unknown, key: string) => unknown {
  return (value, key) => {
    if (key !== list || !Array.isArray(value) || value.length === 0) return undefined;
    const [first, ...others] = value as readonly unknown[];
    const changed = change(first);
    return changed === undefined ? undefined : [changed, ...others];
  };
}

/** Faults in struct2tensor's answers that the comparison must detect. */
export const plantedFaults: readonly PlantedFault[] = [
  fault(
    "a different parent",
    firstOf("parentIndex", (parent) => Number(parent) + 1),
  ),
  fault("one element fewer", (value, key) =>
    key === "parentIndex" && Array.isArray(value) && value.length > 0 ? value.slice(1) : undefined,
  ),
  fault("a different cardinality", (value, key) => (key === "repeated" ? value !== true : undefined)),
  fault("a different type", (value, key) => (key === "dtype" && value === "int64" ? "int32" : undefined)),
  fault(
    "an int64 that is greater by one",
    firstOf("values", (value) =>
      typeof value === "string" && /^-?\d+$/u.test(value) ? String(BigInt(value) + 1n) : undefined,
    ),
  ),
  fault(
    "a slightly different number",
    firstOf("values", (value) => (typeof value === "number" ? value + 0.001 : undefined)),
  ),
  fault(
    "0 instead of -0",
    firstOf("values", (value) => (value === "-0" ? 0 : undefined)),
  ),
  fault(
    "the opposite bool",
    firstOf("values", (value) => (typeof value === "boolean" ? !value : undefined)),
  ),
  fault("an additional row", (value, key) => (key === "size" ? Number(value) + 1 : undefined)),
  fault("one field fewer", (value, key) => {
    if (key !== "nodes") return undefined;
    return Object.fromEntries(Object.entries(value as object).slice(1));
  }),
  fault("one ragged row fewer", (value, key) => {
    if (key !== "ragged") return undefined;
    const rows = Object.entries(value as Record<string, unknown>);
    const [path, found] = rows.find(([, each]) => Array.isArray(each) && each.length > 0) ?? [];
    if (path === undefined) return undefined;
    return { ...(value as object), [path]: (found as readonly unknown[]).slice(1) };
  }),
  fault(
    "a larger dense shape",
    firstOf("denseShape", (size) => Number(size) + 1),
  ),
  fault("an error instead of an answer", (value, key) =>
    key === "" && value !== null ? { error: "planted" } : undefined,
  ),
];
