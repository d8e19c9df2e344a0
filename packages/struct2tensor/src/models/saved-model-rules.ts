import { GRAPH_OPERATORS } from "./model-rules.js";
import { nodeNameOf, type SavedModelGraph, type SavedNode } from "./saved-model-graph.js";

/**
 * Names of the operators that a SavedModel may run, in addition to {@link RESTORE}. They are those of GraphModels, and operators
 * for calls, variables, tables, text, records and arrays. None of them opens a file.
 */
const OPERATORS: ReadonlySet<string> = new Set([
  ...GRAPH_OPERATORS,
  ..."PartitionedCall StatefulPartitionedCall VarHandleOp ReadVariableOp AssignVariableOp ResourceGather".split(
    " ",
  ),
  ..."HashTableV2 LookupTableFindV2 LookupTableImportV2 LookupTableSizeV2".split(" "),
  ..."StringJoin StringLower StringUpper StringStrip StringLength StringToNumber AsString Substr".split(" "),
  ..."StringToHashBucketFast StringSplitV2 StaticRegexReplace StaticRegexFullMatch".split(" "),
  ..."DecodeRaw DecodeBase64 ParseExampleV2 ParseSequenceExampleV2 DecodeCSV".split(" "),
  ..."Where Unique Cumsum ReverseV2 TopKV2 ZerosLike OnesLike ScatterNd SplitV PreventGradient EnsureShape".split(
    " ",
  ),
]);

/** The operator that reads the variables. Its first input must be the node that is fed the path of the variables. */
const RESTORE = "RestoreV2";

/**
 * Limit on the elements of a tensor. A tensor can be large although its file is small, because one stored value may stand for all
 * elements. This many float32 values fill a file of 256 MiB, the largest that a view may have.
 */
const MAX_ELEMENTS: number = 64 * 1024 * 1024;

/**
 * Limit on the number of nodes that run. Each call of a function counts the function's nodes again, because they run again.
 */
const MAX_NODES = 1_000_000;

/**
 * Checks everything that TensorFlow runs to load the model and to compute the outputs of the signature. Only allowed operators
 * may run, and functions must not recurse. Allowed operators do not loop, and they open no files except those of the variables.
 * The nodes that save the model never run, so they are not checked.
 * @param outputs names of the nodes that compute the outputs of the signature.
 * @throws {Error} with a description of the problem.
 */
export function checkSavedModelGraph(graph: SavedModelGraph, outputs: readonly string[]): void {
  const { nodes, filename, initializers } = graph;
  const functions = functionRules(graph);
  const waiting = [...initializers, ...outputs];
  const seen = new Set<string>();
  let numNodes = 0;
  while (waiting.length > 0) {
    const name = waiting.pop()!;
    if (seen.has(name)) continue;
    seen.add(name);
    const node = nodes.get(name);
    if (node === undefined) throw new Error(`the node "${name}" is missing`);
    checkNode(node, filename);
    numNodes += 1 + functions.numNodesOf(node, filename);
    if (numNodes > MAX_NODES) throw tooMany();
    // TensorFlow feeds the filename instead of computing it.
    waiting.push(...node.inputs.map(nodeNameOf).filter((input) => input !== filename));
  }
}

/**
 * Checks the operator and the tensor sizes of one node.
 * @param filename name of the input that holds the path of the variables.
 */
function checkNode({ op, inputs, numElements }: SavedNode, filename: string | undefined): void {
  if (op === RESTORE) {
    if (filename === undefined || inputs[0] === undefined || nodeNameOf(inputs[0]) !== filename) {
      throw new Error(`${RESTORE} must read the model's own variables`);
    }
  } else if (!OPERATORS.has(op)) {
    throw new Error(`the operator ${JSON.stringify(op)} is not allowed in a view`);
  }
  if (numElements > MAX_ELEMENTS) {
    throw new Error(
      `a node must not declare a tensor of more than ${MAX_ELEMENTS} elements, found ${numElements}`,
    );
  }
}

/**
 * Creates `numNodesOf`, which checks the functions that a node calls, and counts the nodes that they run. Each function is
 * checked at most twice: with and without the filename as its first argument.
 */
function functionRules({ functions }: SavedModelGraph): {
  numNodesOf(node: SavedNode, filename: string | undefined): number;
} {
  const known = new Map<string, number>();
  const open = new Set<string>();
  const numNodesOf = ({ functions: called, inputs }: SavedNode, filename: string | undefined): number =>
    called.reduce((sum, name) => {
      const [first] = inputs;
      const takesFilename = filename !== undefined && first !== undefined && nodeNameOf(first) === filename;
      return sum + numNodesIn(name, takesFilename);
    }, 0);
  const numNodesIn = (name: string, takesFilename: boolean): number => {
    const key = `${takesFilename}:${name}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const called = functions.get(name);
    if (called === undefined) throw new Error(`the function "${name}" is missing`);
    if (open.has(name) || open.size > MAX_CALLS) {
      throw new Error(
        `the function "${name}" must not call itself, or be called through more than ${MAX_CALLS} functions`,
      );
    }
    open.add(name);
    const filename = takesFilename ? called.parameters[0] : undefined;
    let numNodes = 0;
    for (const node of called.nodes) {
      checkNode(node, filename);
      numNodes += 1 + numNodesOf(node, filename);
      if (numNodes > MAX_NODES) throw tooMany();
    }
    open.delete(name);
    known.set(key, numNodes);
    return numNodes;
  };
  return { numNodesOf };
}

/** Limit on the depth of nested function calls. */
const MAX_CALLS = 100;

function tooMany(): Error {
  return new Error(`at most ${MAX_NODES} nodes may run`);
}
