import {
  aBoolean,
  aName,
  anObject,
  aPositiveInteger,
  assertArgument,
  assertOptions,
  describeValue,
  invalidArgument,
  oneOf,
  required,
  rule,
  unusableArgument,
} from "@tfxio/wire/checks";
import { wrongField } from "../expression/errors.js";
import { addField, fieldAtPath } from "../expression/find-field.js";
import { type Field, type GraphNode, leafField } from "../expression/graph-node.js";
import { constantToJson } from "../functions/constants.js";
import type { Constant } from "../functions/value-function.js";
import type { Path } from "../path/path.js";
import { type LeafNode, numElements } from "../prensor/nodes.js";
import { prensorOf } from "../prensor/prensor.js";
import {
  assertBindable,
  type InputBinding,
  modelCallOf,
  type ModelDType,
  type OutputBinding,
} from "./model-call.js";
import { leafAt, type Operator, parentAt } from "../operators/operator.js";
import { emptyLeaves, inputTensor, outputLeaf } from "./model-tensors.js";
import type { QueryModel } from "./query-model.js";

/** An input of a model, in the form that the model expects: a leaf of the messages to which {@link callModel} adds fields. */
export interface ModelInput {
  /** Name of the leaf, a field of the messages. */
  readonly field: string;
  /**
   * - `"dense"`, the default: `[rows, width]`. An optional field has at most one value per row, and requires `padding` if
   *   a row has no value.
   * - `"values"`: `[values]`, without row boundaries.
   * - `"rowSplits"`: `[rows + 1]`, int32 unless a SavedModel declares int64. Use it with `"values"`.
   */
  readonly part?: InputBinding["part"] | undefined;
  /** Only for `"dense"`: values per row. Default 1. */
  readonly width?: number | undefined;
  /**
   * Only for `"dense"`: the value that fills up each row that has fewer than `width` values. By default, such a row is an error.
   * Must be text for a string field.
   */
  readonly padding?: Constant | undefined;
}

/** An output of a model, which becomes a field of the messages. */
export interface ModelOutput {
  /** Name of the new field. */
  readonly as: string;
  /** Type of the tensor. Checked on every call. */
  readonly dtype: ModelDType;
  /**
   * If false (default), the output has shape `[rows]` or `[rows, 1]`: one value per message. If true, it has shape `[rows, n]`.
   */
  readonly isRepeated?: boolean | undefined;
}

/** Bindings for `Expression.callModel`, keyed by the names of the model's inputs and outputs. */
export interface ModelBindings {
  readonly inputs: Readonly<Record<string, ModelInput>>;
  readonly outputs: Readonly<Record<string, ModelOutput>>;
}

/**
 * Adds fields to the messages at `parent`. A model computes them from the leaves of these messages.
 * @throws {ArgumentError} `invalid-argument` if the bindings omit an input of the model, or name an input or output that it
 *   lacks.
 * @throws {SchemaError} `schema-mismatch`: `not-a-leaf`, `not-a-message`, `int64-to-model`, `function-input`.
 * @throws {ConversionError} when the query runs: `shape-mismatch` (`model-output`, `expression-shape`) or `not-convertible`
 *   (`model-failed`, `missing-value`).
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
  inputs.forEach((input, index) => assertBindable(input, (fields[index]!.type as LeafNode).dtype, model));
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

/** Checks that `names` lists every input of the model once, and nothing else. @throws {ArgumentError} `invalid-argument`. */
export function assertNames(names: readonly string[], { inputNames }: QueryModel): void {
  if ([...names].sort().join("\0") === [...inputNames].sort().join("\0")) return;
  throw invalidArgument(
    "bindings.inputs",
    inputNames.length === 0 ? "empty" : `bindings of exactly the model's inputs (${inputNames.join(", ")})`,
    names.join(", "),
  );
}

/**
 * Checks that the model has these outputs, with these dtypes. For a TensorFlow.js model, whose dtypes are unknown until it runs,
 * accepts any dtype except int64 and string.
 * @throws {ArgumentError} `invalid-argument`.
 */
export function assertOutputs(
  outputs: readonly OutputBinding[],
  { outputNames, signature }: QueryModel,
): void {
  const unknown = outputs.find(({ name }) => !outputNames.includes(name));
  if (unknown !== undefined) {
    throw unusableArgument(
      "bindings.outputs",
      `must name only outputs of the model (${outputNames.join(", ")}), found ${describeValue(unknown.name)}`,
    );
  }
  for (const { name, dtype } of outputs) {
    const declared = signature?.outputs.find((output) => output.name === name)?.dtype;
    if (declared === undefined ? dtype !== "int64" && dtype !== "string" : dtype === declared) continue;
    throw invalidArgument(`bindings.outputs.${name}.dtype`, declared ?? "float32, int32 or bool", dtype);
  }
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
  const unused = (["width", "padding"] as const).find((option) => input[option] !== undefined);
  if (!isDense && unused !== undefined) {
    const problem = `has no effect with part "${part}", only with "dense"`;
    throw unusableArgument(unused, problem, { owner: `bindings.inputs.${name}` });
  }
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
    dtype: required(oneOf("float32", "int32", "bool", "int64", "string")),
    isRepeated: aBoolean,
  });
  const { as, dtype, isRepeated = false } = output;
  return { name, as, dtype, isRepeated };
}

/** Calls a model to compute fields from leaves. One call computes all outputs. */
export const callModelOperator: Operator = {
  op: "callModel",
  calculate(inputs, node) {
    const { inputs: bound, outputs } = modelCallOf(node.attrs);
    const model = node.model!;
    const size = numElements(parentAt(inputs, 0));
    // A LayersModel throws for a batch without rows.
    if (size === 0)
      return { kind: "subtree", prensor: prensorOf({ "": { kind: "root", size }, ...emptyLeaves(outputs) }) };
    const leaves: [string, LeafNode][] = [];
    model.tf.tidy(() => {
      const given = bound.map(
        (input, index) => [input.name, inputTensor(leafAt(inputs, index + 1), size, input, model)] as const,
      );
      const results = model.run(new Map(given));
      for (const output of outputs)
        leaves.push([output.as, outputLeaf(results.get(output.name), size, output, model)]);
    });
    return {
      kind: "subtree",
      prensor: prensorOf({ "": { kind: "root", size }, ...Object.fromEntries(leaves) }),
    };
  },
};
