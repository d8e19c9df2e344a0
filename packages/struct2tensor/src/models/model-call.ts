import type { DType } from "@tfxio/tensor-adapter";
import { SchemaError } from "@tfxio/wire";
import {
  aListOf,
  anInteger,
  assertArgument,
  describeValue,
  invalidArgument,
  isObject,
  type Rule,
  rule,
  unusableArgument,
} from "@tfxio/wire/checks";
import type { Attributes } from "../expression/graph-node.js";
import type { Json } from "../expression/json.js";
import { constantFromJson } from "../functions/constants-from-json.js";
import { assertDefault } from "../views/dense.js";
import { describeTensor, fitsShape, type TensorSignature } from "./model-signature.js";
import type { QueryModel } from "./query-model.js";

/** The binding of one model input to a leaf. */
export interface InputBinding {
  /** Name of the model's input. */
  readonly name: string;
  /** `values`: rank 1. `rowSplits`: rank 1, int32 unless a SavedModel declares int64. `dense`: `[rows, width]`. */
  readonly part: "values" | "rowSplits" | "dense";
  /** Values per row of `dense`; null for the other parts. */
  readonly width: number | null;
  /** Pads rows of `dense`. Null: every row must have exactly `width` values. */
  readonly padding: Json;
}

/** The binding of one model output to a new field. */
export interface OutputBinding {
  /** Name of the model's output. */
  readonly name: string;
  /** Name of the field. */
  readonly as: string;
  readonly dtype: ModelDType;
  /** True for a tensor `[rows, n]`, which has `n` values per row. False for one value per row. */
  readonly isRepeated: boolean;
}

/** Output types of models. Only SavedModels have int64 and string outputs. */
export type ModelDType = "float32" | "int32" | "bool" | "int64" | "string";

/** The attributes of a `callModel` node. */
export interface ModelCall {
  /** Id of the model. */
  readonly model: string;
  /** One binding for each leaf input of the node, in order. */
  readonly inputs: readonly InputBinding[];
  readonly outputs: readonly OutputBinding[];
}

const DTYPES: readonly string[] = [
  "float32",
  "int32",
  "bool",
  "int64",
  "string",
] satisfies readonly ModelDType[];
const PARTS: readonly string[] = ["values", "rowSplits", "dense"] satisfies readonly InputBinding["part"][];
const isWidth = anInteger(1).holds;

const INPUTS = aListOf(
  "a list of bindings of the model's inputs",
  rule(
    'a binding with exactly the members name, part, width and padding; for part "dense", width must be a positive integer; ' +
      "for other parts, width and padding must be null",
    isInput,
  ),
);
const BINDINGS = aListOf(
  "a list of one or more bindings of the model's outputs",
  rule(
    'a binding with valid values for exactly the members "name", "as", "dtype" and "isRepeated"',
    isOutput,
  ),
);
const OUTPUTS: Rule = {
  ...BINDINGS,
  holds: (value) => BINDINGS.holds(value) && (value as readonly unknown[]).length > 0,
};

/** Reads a call from untrusted attributes. Does not check it against a model. @throws {ArgumentError} `invalid-argument`. */
export function modelCallOf(attrs: Attributes): ModelCall {
  const { model, inputs, outputs } = attrs;
  if (typeof model !== "string") throw invalidArgument("model", "the id of a model", model);
  assertArgument("inputs", inputs, INPUTS);
  assertArgument("outputs", outputs, OUTPUTS);
  const call = { model, inputs, outputs } as unknown as ModelCall;
  assertDistinct("inputs", "name", call.inputs);
  assertDistinct("outputs", "name", call.outputs);
  assertDistinct("outputs", "as", call.outputs);
  return call;
}

/** Returns true for a well-formed input binding, which has no extra members. Only `dense` has a width and may have padding. */
function isInput(json: unknown): boolean {
  if (!isObject(json) || Object.keys(json).sort().join() !== "name,padding,part,width") return false;
  const { name, part, width, padding } = json as unknown as InputBinding;
  if (typeof name !== "string" || !PARTS.includes(part)) return false;
  return part === "dense" ? isWidth(width) : width === null && padding === null;
}

/** Returns true for a well-formed output binding, which has no extra members. */
function isOutput(json: unknown): boolean {
  if (!isObject(json) || Object.keys(json).sort().join() !== "as,dtype,isRepeated,name") return false;
  const { name, as, dtype, isRepeated } = json as unknown as OutputBinding;
  return (
    typeof name === "string" &&
    typeof as === "string" &&
    DTYPES.includes(dtype) &&
    typeof isRepeated === "boolean"
  );
}

/** Asserts that no two bindings have the same value of `member`. @throws {ArgumentError} `invalid-argument`. */
function assertDistinct<Member extends string>(
  argument: string,
  member: Member,
  bindings: readonly Readonly<Record<Member, string>>[],
): void {
  const seen = new Set<string>();
  for (const { [member]: value } of bindings) {
    if (seen.has(value)) {
      const problem = `must each have a different \`${member}\`, found ${describeValue(value)} twice`;
      throw unusableArgument(argument, problem);
    }
    seen.add(value);
  }
}

/**
 * Checks that a model can accept a leaf through this binding.
 * @throws {SchemaError} `schema-mismatch`: `int64-to-model` for 64-bit integers passed to a TensorFlow.js model, `function-input`
 *   for any other unsupported type or shape.
 * @throws {ArgumentError} `invalid-argument` for padding that does not fit the leaf's type.
 */
export function assertBindable(binding: InputBinding, dtype: DType, { signature }: QueryModel): void {
  const { name, part, padding } = binding;
  const declared = signature?.inputs.find((input) => input.name === name);
  if (declared !== undefined) assertDeclared(binding, dtype, declared);
  else if (part !== "rowSplits") assertTensorType(name, dtype);
  if (padding === null) return;
  if (dtype === "string" && typeof padding !== "string") {
    throw unusableArgument("padding", `for a string field must be text, found ${describeValue(padding)}`);
  }
  assertDefault("padding", constantFromJson(padding), dtype);
}

/** Checks a leaf against the declared input of a SavedModel. */
function assertDeclared({ name, part, width }: InputBinding, dtype: DType, declared: TensorSignature): void {
  const isInteger = declared.dtype === "int32" || declared.dtype === "int64";
  const hasType = part === "rowSplits" ? isInteger : dtype === declared.dtype;
  const shape = part === "dense" ? [null, width] : [null];
  if (hasType && fitsShape(shape, declared)) return;
  const sizes = part === "dense" ? `?, ${width}` : "?";
  const actual = `${part === "rowSplits" ? "int32" : dtype} [${sizes}]`;
  const expected = describeTensor(declared);
  throw new SchemaError(
    "schema-mismatch",
    `The model's input "${name}" must be ${expected}, found ${actual}. Change the part or width of its binding, or cast the field.`,
    { reason: "function-input", expected, actual },
  );
}

/** Checks that a TensorFlow.js model can accept a leaf. */
function assertTensorType(name: string, dtype: DType): void {
  if (dtype === "int64" || dtype === "uint64") {
    throw new SchemaError(
      "schema-mismatch",
      `The model's input "${name}" cannot be ${dtype}: TensorFlow.js tensors have no 64-bit integers. Cast the field first.`,
      { reason: "int64-to-model", expected: "int32, float32, bool or string", actual: dtype },
    );
  }
  if (dtype !== "string" && dtype !== "float32" && dtype !== "int32" && dtype !== "bool") {
    throw new SchemaError(
      "schema-mismatch",
      `The model's input "${name}" cannot be ${dtype}. Cast the field to int32 or float32 first.`,
      { reason: "function-input", expected: "int32, float32, bool or string", actual: dtype },
    );
  }
}
