import type { ModelSignature, SignatureDType, TensorSignature } from "./model-signature.js";
import { type ProtobufFields, protobufFields } from "./protobuf-fields.js";

/** A node of a TensorFlow graph. @see TensorFlow `NodeDef` */
export interface SavedNode {
  readonly name: string;
  readonly op: string;
  /** Names of the inputs: `name` or `name:output` for a tensor, `^name` for a node that only has to run first. */
  readonly inputs: readonly string[];
  /** Names of the called functions. */
  readonly functions: readonly string[];
  /** Number of elements of the largest tensor or shape in the attributes, to limit the memory that a node can take. */
  readonly numElements: number;
}

/** A function of a graph. @see TensorFlow `FunctionDef` */
export interface SavedFunction {
  /** Names of the parameters, in order. */
  readonly parameters: readonly string[];
  readonly nodes: readonly SavedNode[];
}

/** The parts of `saved_model.pb` that determine what TensorFlow runs. */
export interface SavedModelGraph {
  readonly nodes: ReadonlyMap<string, SavedNode>;
  readonly functions: ReadonlyMap<string, SavedFunction>;
  /** Signatures by name, each with the names of the nodes that compute its outputs. */
  readonly signatures: ReadonlyMap<string, { readonly signature: ModelSignature; readonly nodes: string[] }>;
  /** Names of the nodes that run when the model is loaded. */
  readonly initializers: readonly string[];
  /** Name of the node that is fed the path of the variables. */
  readonly filename: string | undefined;
}

/** Name of the signature whose outputs TensorFlow runs when it loads a model. */
const INIT_SIGNATURE = "__saved_model_init_op";
/** Collections in which TensorFlow 1 lists the nodes that it runs when it loads a model. */
const INIT_COLLECTIONS: readonly string[] = ["saved_model_main_op", "legacy_init_op"];
/** The tag of serving graphs. TensorFlow's `saved_model.save` writes it. */
export const SERVE = "serve";

/** The dtypes that a signature may have, keyed by their number in TensorFlow. @see TensorFlow `DataType` */
const DTYPES: ReadonlyMap<bigint, SignatureDType> = new Map([
  [1n, "float32"],
  [3n, "int32"],
  [7n, "string"],
  [9n, "int64"],
  [10n, "bool"],
]);

/**
 * Matches the tensor names that tfjs-node can pass to TensorFlow. A comma is not allowed, because tfjs-node joins names with
 * commas.
 */
const TENSOR_NAME = /^[A-Za-z0-9_.\\/-]+(?::\d+)?$/u;
/** Limit on the nesting of attributes. Without a limit, nesting could exhaust the stack. */
const MAX_ATTR_DEPTH = 10;

/**
 * Reads `saved_model.pb`. Numbers passed to `all`, `one`, `text` and so on are field numbers of `saved_model.proto` and the files
 * that it imports.
 * @throws {Error} with a description of the problem.
 * @throws {RecordError} `malformed-payload` for bytes that are not protobuf.
 */
export function readSavedModelGraph(bytes: Uint8Array): SavedModelGraph {
  const graphs = protobufFields(bytes).all(2).map(protobufFields);
  const [meta, ...others] = graphs;
  const tags = meta === undefined ? [] : messageIn(meta, 1).texts(4);
  // With several graphs, TensorFlow could run one that was not checked.
  if (meta === undefined || others.length > 0 || tags.join() !== SERVE) {
    const found = graphs.length === 1 ? `the tags ${JSON.stringify(tags)}` : `${graphs.length} graphs`;
    throw new Error(`it must have exactly one graph, whose only tag is "${SERVE}"; found ${found}`);
  }
  const graph = messageIn(meta, 2);
  const functions = new Map<string, SavedFunction>();
  for (const definition of messageIn(graph, 2).all(1).map(protobufFields)) {
    const signature = messageIn(definition, 1);
    const name = signature.text(1);
    if (functions.has(name)) throw new Error(`the function "${name}" occurs twice`);
    functions.set(name, {
      parameters: signature.all(2).map((parameter) => protobufFields(parameter).text(1)),
      nodes: definition.all(3).map(nodeOf),
    });
  }
  const nodes = new Map<string, SavedNode>();
  for (const node of graph.all(1).map(nodeOf)) {
    if (nodes.has(node.name)) throw new Error(`the node "${node.name}" occurs twice`);
    nodes.set(node.name, node);
  }
  const saver = messageIn(meta, 3);
  const signatures = meta.entries(5);
  const initializers = [
    saver.text(3),
    ...[...(signatures.get(INIT_SIGNATURE)?.entries(2).values() ?? [])].map((tensor) => tensor.text(1)),
    ...INIT_COLLECTIONS.flatMap((key) => meta.entries(4).get(key)?.all(1).map(protobufFields) ?? []).flatMap(
      (list) => list.texts(1),
    ),
  ];
  return {
    nodes,
    functions,
    signatures: new Map(
      [...signatures]
        .filter(([name]) => name !== INIT_SIGNATURE)
        .map(([name, fields]) => [name, signatureOf(name, fields)]),
    ),
    initializers: initializers.filter((name) => name !== "").map(nodeNameOf),
    filename: nodeNameOf(saver.text(1)) || undefined,
  };
}

/** Returns the node name in a tensor or input name: `a` for `^a`, `a:1` and `a`. */
export function nodeNameOf(tensor: string): string {
  return tensor.replace(/^\^/u, "").replace(/:.*$/u, "");
}

/** Reads the message in a singular field. An absent field is a message without fields. */
function messageIn(fields: ProtobufFields, field: number): ProtobufFields {
  return protobufFields(fields.one(field) ?? new Uint8Array(0));
}

function nodeOf(bytes: Uint8Array): SavedNode {
  const fields = protobufFields(bytes);
  const functions: string[] = [];
  let numElements = 0;
  for (const attr of fields.entries(5).values()) {
    numElements = Math.max(numElements, readAttr(attr, functions, 0));
  }
  return { name: fields.text(1), op: fields.text(2), inputs: fields.texts(3), functions, numElements };
}

/**
 * Adds to `functions` the names of the functions that an attribute calls. Returns the number of elements of the attribute's
 * largest tensor or shape.
 * @see TensorFlow `AttrValue`
 */
function readAttr(attr: ProtobufFields, functions: string[], depth: number): number {
  if (depth > MAX_ATTR_DEPTH)
    throw new Error(`attributes are nested more than ${MAX_ATTR_DEPTH} levels deep`);
  let numElements = 0;
  for (const shape of attr.all(7)) numElements = Math.max(numElements, elementsOf(shape));
  for (const tensor of attr.all(8)) {
    for (const shape of protobufFields(tensor).all(2)) numElements = Math.max(numElements, elementsOf(shape));
  }
  for (const list of attr.all(1)) {
    numElements = Math.max(numElements, readAttr(listAttr(list), functions, depth + 1));
  }
  for (const call of attr.all(10)) {
    const called = protobufFields(call);
    functions.push(called.text(1));
    for (const inner of called.entries(2).values()) {
      numElements = Math.max(numElements, readAttr(inner, functions, depth + 1));
    }
  }
  return numElements;
}

/**
 * Reads an attribute's list as if it were an attribute. Functions are field 9 in a list, and 10 in an attribute. Lists do not
 * nest.
 */
function listAttr(bytes: Uint8Array): ProtobufFields {
  const list = protobufFields(bytes);
  const fieldOf = (field: number): number => (field === 1 ? 0 : field === 10 ? 9 : field);
  return { ...list, all: (field) => list.all(fieldOf(field)) };
}

/** Returns the number of elements of a shape. An unknown or empty dimension counts as 1. @see TensorFlow `TensorShapeProto` */
function elementsOf(shape: Uint8Array): number {
  return protobufFields(shape)
    .all(2)
    .map((dimension) => Number(protobufFields(dimension).integer(1)))
    .reduce((product, size) => product * Math.max(size, 1), 1);
}

/** Reads a signature, and the names of the nodes that compute its outputs. @see TensorFlow `SignatureDef` */
function signatureOf(
  name: string,
  fields: ProtobufFields,
): { readonly signature: ModelSignature; readonly nodes: string[] } {
  const outputs = [...fields.entries(2)];
  return {
    signature: {
      name,
      inputs: [...fields.entries(1)].map(tensorOf).sort(byName),
      outputs: outputs.map(tensorOf).sort(byName),
    },
    nodes: outputs.map(([, tensor]) => nodeNameOf(tensor.text(1))),
  };
}

function byName({ name: a }: TensorSignature, { name: b }: TensorSignature): number {
  return a < b ? -1 : 1;
}

/** Reads an input or output of a signature. @see TensorFlow `TensorInfo` */
function tensorOf([name, fields]: readonly [string, ProtobufFields]): TensorSignature {
  const tensor = fields.text(1);
  if (!TENSOR_NAME.test(tensor)) {
    throw new Error(
      `"${name}" must name one dense tensor, found "${tensor}". Declare the parts of sparse and ragged tensors as separate dense tensors`,
    );
  }
  const dtype = DTYPES.get(fields.integer(2));
  if (dtype === undefined) {
    throw new Error(
      `"${name}" has the TensorFlow type ${fields.integer(2)}; expected float32, int32, int64, bool or string`,
    );
  }
  const shape = messageIn(fields, 3);
  if (shape.integer(3) !== 0n) return { name, dtype, shape: null };
  const sizes = shape.all(2).map((dimension) => Number(protobufFields(dimension).integer(1)));
  return { name, dtype, shape: sizes.map((size) => (size < 0 ? null : size)) };
}
