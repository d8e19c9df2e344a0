import { type HostDense, toTensor } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import {
  aBoolean,
  aName,
  anObject,
  aPositiveInteger,
  assertArgument,
  assertOptions,
  invalidArgument,
  isObject,
  oneOf,
  required,
  rule,
} from "@tfxio/wire/checks";
import { wrongField } from "../expression/errors.js";
import { addField, fieldAtPath } from "../expression/find-field.js";
import { type Field, type GraphNode, leafField } from "../expression/graph-node.js";
import { constantFromJson } from "../functions/constants-from-json.js";
import { constantToJson } from "../functions/constants.js";
import type { Constant } from "../functions/value-function.js";
import type { ModelTensor, QueryModel } from "./query-model.js";
import type { Path } from "../path/path.js";
import { parentsOfSplits } from "../prensor/joins.js";
import { type LeafNode, numElements } from "../prensor/nodes.js";
import { countingUp, emptyNumbers } from "../prensor/positions.js";
import { prensorOf } from "../prensor/prensor.js";
import { denseView } from "../views/dense.js";
import { raggedView } from "../views/ragged.js";
import { sparseView } from "../views/sparse.js";
import {
  assertBindable,
  type InputBinding,
  modelCallOf,
  type ModelDType,
  type OutputBinding,
} from "./model-call.js";
import { leafAt, type Operator, parentAt } from "../operators/operator.js";

/** An input of a model: a leaf of the messages, in the form that the model expects. */
export interface ModelInput {
  /** Name of the leaf, a field of the messages. */
  readonly field: string;
  /**
   * - `"dense"`: `[rows, width]`, the default. An optional field has a width of 1.
   * - `"values"`: `[values]`, without the rows.
   * - `"rowSplits"`: int32 `[rows + 1]`, to pass beside `"values"`.
   */
  readonly part?: InputBinding["part"] | undefined;
  /** Of `"dense"`: values per row. Default 1. */
  readonly width?: number | undefined;
  /** Of `"dense"`: fills rows that have fewer values. Default: such a row is an error. */
  readonly padding?: Constant | undefined;
}

/** An output of a model, which becomes a field of the messages. */
export interface ModelOutput {
  /** Name of the new field. */
  readonly as: string;
  /** Type of the tensor. Checked on every call. */
  readonly dtype: ModelDType;
  /** Default false: `[rows]` or `[rows, 1]`, one value per message. True: `[rows, n]`. */
  readonly isRepeated?: boolean | undefined;
}

/** Arguments of {@link callModel}: bindings by the names of the model's inputs and outputs. */
export interface ModelBindings {
  readonly inputs: Readonly<Record<string, ModelInput>>;
  readonly outputs: Readonly<Record<string, ModelOutput>>;
}

/**
 * New fields of the messages at `parent`, computed by a model from their leaves.
 * @throws {ArgumentError} `invalid-argument` unless the bindings name every input of the model, and only outputs that it has.
 * {@link SchemaError} `schema-mismatch`: `not-a-leaf`, `int64-to-model`, `function-input`. When it runs, {@link ConversionError}
 * `shape-mismatch` (`model-output`, `expression-shape`), `not-convertible` (`model-failed`, `missing-value`).
 */
export function callModel(root: Field, parent: Path, model: QueryModel, bindings: ModelBindings): Field {
  assertArgument("bindings.inputs", bindings.inputs, anObject);
  assertArgument("bindings.outputs", bindings.outputs, anObject);
  const message = fieldAtPath(root, parent);
  if (message.node.type.kind === "leaf")
    throw wrongField("not-a-message", parent, "a message", message.node.type);
  const names = Object.keys(bindings.inputs).sort();
  assertNames(names, model);
  const inputs = names.map((name) => inputBinding(name, bindings.inputs[name]!));
  const fields = names.map((name) => {
    const path = parent.child(bindings.inputs[name]!.field);
    const { node } = fieldAtPath(root, path);
    if (node.type.kind !== "leaf") throw wrongField("not-a-leaf", path, "a leaf", node.type);
    return node;
  });
  const outputs = Object.keys(bindings.outputs)
    .sort()
    .map((name) => outputBinding(name, bindings.outputs[name]!));
  const attrs = { model: model.id, inputs, outputs } as unknown as GraphNode["attrs"];
  modelCallOf(attrs);
  assertOutputs(outputs, model);
  inputs.forEach((input, index) => assertBindable(input, (fields[index]!.type as LeafNode).dtype));
  const node: GraphNode = {
    op: "callModel",
    attrs,
    inputs: [message.node, ...fields],
    type: { kind: "subtree" },
    model,
  };
  let result = root;
  for (const { as, dtype, isRepeated } of outputs) {
    const type = { kind: "leaf", isRepeated, dtype } as const;
    result = addField(
      result,
      parent,
      as,
      leafField({ op: "partOf", attrs: { path: as }, inputs: [node], type }),
    );
  }
  return result;
}

/** Checks that these are the model's inputs. @throws {ArgumentError} `invalid-argument`. */
export function assertNames(names: readonly string[], { inputNames }: QueryModel): void {
  if ([...names].sort().join("\0") === [...inputNames].sort().join("\0")) return;
  throw invalidArgument(
    "bindings.inputs",
    `bindings of ${inputNames.join(", ") || "no inputs"}`,
    names.join(", "),
  );
}

/** Checks that the model has these outputs. @throws {ArgumentError} `invalid-argument`. */
export function assertOutputs(outputs: readonly OutputBinding[], { outputNames }: QueryModel): void {
  const unknown = outputs.find(({ name }) => !outputNames.includes(name));
  if (unknown === undefined) return;
  throw invalidArgument("bindings.outputs", `outputs among ${outputNames.join(", ")}`, unknown.name);
}

function inputBinding(name: string, input: ModelInput): InputBinding {
  assertOptions<ModelInput>(`bindings.inputs.${name}`, input, {
    field: required(aName),
    part: oneOf("dense", "values", "rowSplits"),
    width: aPositiveInteger,
    padding: rule("a constant", () => true),
  });
  const { part = "dense", width, padding } = input;
  const isDense = part === "dense";
  return {
    name,
    part,
    width: width ?? (isDense ? 1 : null),
    padding: padding === undefined ? null : constantToJson(padding),
  };
}

function outputBinding(name: string, output: ModelOutput): OutputBinding {
  assertOptions<ModelOutput>(`bindings.outputs.${name}`, output, {
    as: required(aName),
    dtype: required(oneOf("float32", "int32", "bool")),
    isRepeated: aBoolean,
  });
  const { as, dtype, isRepeated = false } = output;
  return { name, as, dtype, isRepeated };
}

/** Computes fields from leaves, by a model. One call computes all of its outputs. */
export const callModelOperator: Operator = {
  op: "callModel",
  calculate(inputs, node) {
    const { inputs: bound, outputs } = modelCallOf(node.attrs);
    const model = node.model!;
    const size = numElements(parentAt(inputs, 0));
    // LayersModels refuse batches without rows.
    if (size === 0)
      return { kind: "subtree", prensor: prensorOf({ "": { kind: "root", size }, ...emptyLeaves(outputs) }) };
    const leaves: [string, LeafNode][] = [];
    model.tf.tidy(() => {
      const given = bound.map(
        (input, index) =>
          [
            input.name,
            toTensor(inputTensor(leafAt(inputs, index + 1), size, input), {
              tf: model.tf,
            }) as unknown as ModelTensor,
          ] as const,
      );
      const results = model.run(new Map(given));
      for (const output of outputs)
        leaves.push([output.as, outputLeaf(results.get(output.name), size, output)]);
    });
    return {
      kind: "subtree",
      prensor: prensorOf({ "": { kind: "root", size }, ...Object.fromEntries(leaves) }),
    };
  },
};

function emptyLeaves(outputs: readonly OutputBinding[]): Readonly<Record<string, LeafNode>> {
  const leaves = outputs.map(({ as, dtype, isRepeated }) => {
    const values = emptyNumbers(dtype, 0);
    return [as, { kind: "leaf", isRepeated, parentIndex: new Int32Array(0), dtype, values }] as const;
  });
  return Object.fromEntries(leaves);
}

function inputTensor(leaf: LeafNode, size: number, { name, part, width, padding }: InputBinding): HostDense {
  if (part === "dense") {
    // An optional leaf is a row of at most one value.
    const sparse = sparseView(size, [{ ...leaf, isRepeated: true }]);
    const defaultValue = padding === null ? undefined : constantFromJson(padding);
    return denseView(sparse, { shape: [width!], defaultValue }, name);
  }
  const { values, nestedRowSplits } = raggedView(size, [leaf]);
  const vector = { kind: "dense", borrowed: true } as const;
  if (part === "rowSplits") {
    const [splits] = nestedRowSplits as readonly [Int32Array];
    return { ...vector, dtype: "int32", shape: [splits.length], values: splits };
  }
  return { ...vector, dtype: leaf.dtype, shape: [values.length], values };
}

function outputLeaf(
  tensor: ModelTensor | undefined,
  size: number,
  { name, dtype, isRepeated }: OutputBinding,
): LeafNode {
  const shape = tensor?.shape ?? [];
  const [rows, width = 1] = shape;
  const hasRank = isRepeated ? shape.length === 2 : shape.length === 1 || (shape.length === 2 && width === 1);
  if (tensor === undefined || tensor.dtype !== dtype || rows !== size || !hasRank) {
    const expected = `${dtype} [${isRepeated ? `${size}, n` : size}]`;
    throw new ConversionError(
      "shape-mismatch",
      `The model's output "${name}" must be ${expected}, found ${tensor?.dtype ?? "nothing"} [${shape.join()}].`,
      { reason: "model-output" },
    );
  }
  const values = emptyNumbers(dtype, size * width);
  values.set(dataOf(tensor, name));
  const rowSplits = Int32Array.from({ length: size + 1 }, (_, row) => row * width);
  const parentIndex = isRepeated ? parentsOfSplits(rowSplits) : countingUp(size);
  return { kind: "leaf", isRepeated, parentIndex, rowSplits, dtype, values };
}

function dataOf(tensor: ModelTensor, name: string): ArrayLike<number> {
  try {
    return tensor.dataSync();
  } catch (cause) {
    const problem = isObject(cause) && "message" in cause ? String(cause.message) : String(cause);
    throw new ConversionError("not-convertible", `The model's output "${name}" cannot be read: ${problem}`, {
      reason: "model-failed",
      cause,
    });
  }
}
