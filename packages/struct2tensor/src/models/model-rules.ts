import type { Json } from "../expression/json.js";
import { isObject } from "@tfxio/wire/checks";

/**
 * Names of the layers that a LayersModel may have. They run no embedded code, never loop, and read no files. Their cost depends
 * only on their weights and inputs.
 */
const LAYERS: ReadonlySet<string> = named(`
  Sequential Model Functional InputLayer Dense Embedding BatchNormalization LayerNormalization Activation
  ReLU LeakyReLU ELU PReLU Softmax ThresholdedReLU Add Multiply Average Maximum Minimum Concatenate Dot
  Flatten Reshape Permute Dropout GlobalAveragePooling1D GlobalMaxPooling1D Masking`);

/**
 * Names of the operators that the graph of a GraphModel may have. Like the allowed layers, they run no embedded code, never loop,
 * and read no files. Control flow, tables, random numbers and `Fill` are excluded.
 */
export const GRAPH_OPERATORS: ReadonlySet<string> = named(`
  Placeholder Const Identity IdentityN NoOp StopGradient Cast Shape Rank Size Add AddV2 AddN Sub Mul Div
  RealDiv FloorDiv FloorMod Mod DivNoNan Pow Maximum Minimum SquaredDifference Abs Neg Sign Square Sqrt
  Rsqrt Reciprocal Exp Expm1 Log Log1p Floor Ceil Round Sin Cos Tan Tanh Erf ClipByValue Equal NotEqual
  Less LessEqual Greater GreaterEqual LogicalAnd LogicalOr LogicalNot Select SelectV2 MatMul _FusedMatMul
  BatchMatMul BatchMatMulV2 BiasAdd Softmax LogSoftmax Relu Relu6 Elu Selu LeakyRelu Prelu Sigmoid
  Softplus Sum Mean Max Min Prod All Any ArgMax ArgMin Concat ConcatV2 Pack Unpack Split Gather GatherV2
  GatherNd Reshape ExpandDims Squeeze Transpose Slice StridedSlice`);

/** Matches the names of layer properties that only training needs. */
const OF_TRAINING = /_(?:initializer|regularizer|constraint)$/u;

/**
 * Checks the topology of a LayersModel, and prepares it for loading. Every layer must be in the allowed set. Replaces each weight
 * initializer with zeros, because the saved weights overwrite its result. Replaces each regularizer and constraint with null.
 * @throws {Error} if a layer is not allowed.
 */
export function checkedLayers(json: Json): Json {
  if (Array.isArray(json)) return (json as readonly Json[]).map(checkedLayers);
  if (!isObject(json)) return json;
  const layer = json as { readonly [name: string]: Json };
  const { class_name: name } = layer;
  if (name !== undefined && !(typeof name === "string" && LAYERS.has(name))) {
    throw new Error(`the layer ${JSON.stringify(name)} is not allowed in a view`);
  }
  return Object.fromEntries(
    Object.entries(layer).map(([key, value]) => {
      if (!OF_TRAINING.test(key)) return [key, checkedLayers(value)];
      return [key, key.endsWith("_initializer") ? { class_name: "Zeros", config: {} } : null];
    }),
  );
}

/** Checks that a graph has no functions and uses only allowed operators. @throws {Error} with a description of the problem. */
export function checkGraph(json: Json): void {
  const { node: nodes, library } = (isObject(json) ? json : {}) as {
    readonly node?: Json;
    readonly library?: Json;
  };
  if (!Array.isArray(nodes)) throw new Error("the graph must have a list of nodes");
  const { function: functions } = (isObject(library) ? library : {}) as { readonly function?: Json };
  if (Array.isArray(functions) && functions.length > 0) throw new Error("the graph must not have functions");
  for (const node of nodes as readonly Json[]) {
    const { op } = (isObject(node) ? node : {}) as { readonly op?: Json };
    if (typeof op === "string" && GRAPH_OPERATORS.has(op)) continue;
    throw new Error(`the operator ${JSON.stringify(op)} is not allowed in a view`);
  }
}

/** Splits text at white space into a set of names. */
function named(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/u));
}
