import { ArgumentError, assertKnownKeys } from "@tfxio/wire";

/** The error for an argument that cannot be used. */
export function invalidArgument(argument: string, expected: string, found: unknown): ArgumentError {
  const message = `${argument} is ${shown(found)}, expected ${expected}.`;
  return new ArgumentError("invalid-argument", message, { argument });
}

/** A value in a few words: of objects what they are, and which fields they have. */
export function shown(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  const name = tag === "Object" ? (value.constructor?.name ?? tag) : tag;
  if (name !== "Object") return `a ${name}`;
  const fields = Object.keys(value);
  if (fields.length === 0) return "an object without fields";
  return `an object of ${fields.slice(0, 4).join(", ")}${fields.length > 4 ? ", …" : ""}`;
}

/** @throws {ArgumentError} `invalid-argument`, as all of these. */
export function assertMap(argument: string, value: unknown): void {
  // By tag, as maps of other realms are maps too.
  if (Object.prototype.toString.call(value) !== "[object Map]")
    throw invalidArgument(argument, "a Map", value);
}

/** Undefined passes: it means all. */
export function assertNames(argument: string, names: unknown): void {
  if (names === undefined) return;
  if (!Array.isArray(names) || names.some((name) => typeof name !== "string")) {
    throw invalidArgument(argument, "a list of names", names);
  }
}

export function assertObject(argument: string, value: unknown): void {
  if (typeof value !== "object" || value === null) throw invalidArgument(argument, "an object", value);
}

export function assertList(argument: string, value: unknown): void {
  if (!Array.isArray(value)) throw invalidArgument(argument, "a list", value);
}

export function assertFunction(argument: string, value: unknown): void {
  if (typeof value !== "function") throw invalidArgument(argument, "a function", value);
}

export function assertOneOf(argument: string, value: unknown, words: readonly string[]): void {
  if (!words.includes(value as string)) throw invalidArgument(argument, words.join(" or "), value);
}

/** @param functions that are called of it. */
export function assertTensorFlow(tf: unknown, functions: readonly string[] = ["tensor"]): void {
  const missing = functions.find(
    (name) => typeof (tf as Record<string, unknown> | undefined)?.[name] !== "function",
  );
  if (tf !== null && missing === undefined) return;
  throw invalidArgument("tf", `TensorFlow.js, with a function ${missing}`, tf);
}

/** A tensor of TensorFlow.js, of whichever install. */
export function assertTensor(argument: string, tensor: unknown): void {
  if (!isTensor(tensor)) throw invalidArgument(argument, "a tensor", tensor);
}

/** A dense, sparse or ragged tensor. */
export function assertAnyTensor(argument: string, tensor: unknown): void {
  if (
    isTensor(tensor) ||
    (typeof tensor === "object" && tensor !== null && "values" in tensor && isTensor(tensor.values))
  ) {
    return;
  }
  throw invalidArgument(argument, "a tensor", tensor);
}

/** True for what has the parts of a tensor of TensorFlow.js. */
function isTensor(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && "dataId" in value && "dtype" in value && "shape" in value
  );
}

/** Options whose `tf` makes tensors. @param known the other ones. */
export function assertTensorOptions(
  options: object,
  known: readonly string[],
  owner: string,
  functions?: readonly string[],
): void {
  assertKnownKeys(options, ["tf", ...known], owner);
  assertTensorFlow((options as { readonly tf?: unknown }).tf, functions);
}
