import { assertConstant } from "../functions/constants.js";
import { constantFromJson } from "../functions/constants-from-json.js";
import { functionFromJson } from "../functions/function-from-json.js";
import { functionType } from "../functions/registry.js";
import type { GraphNode } from "../expression/graph-node.js";
import type { Json } from "../expression/json.js";
import { assertNames, assertOutputs } from "../models/call-model.js";
import { assertBindable, modelCallOf } from "../models/model-call.js";
import type { QueryModel } from "../models/query-model.js";
import type { FieldType, LeafNode, NodeType } from "../prensor/nodes.js";

/** A node of an untrusted graph, with its parent. The node's parent indices refer to the elements of the parent. */
export interface PlacedNode {
  readonly node: GraphNode;
  /** Undefined for roots. */
  readonly parent: PlacedNode | undefined;
}

/** Type and parent of a node, derived from its operator, attributes and inputs. */
export interface NodeTyping {
  readonly type: NodeType;
  readonly parent: PlacedNode | undefined;
  /** The model of a `callModel` node. */
  readonly model?: QueryModel | undefined;
}

/** Derives the type and parent of a node. @throws {Error} with a description of the problem. */
type NodeRule = (inputs: readonly PlacedNode[], attrs: Readonly<Record<string, Json>>) => NodeTyping;

/**
 * Returns the original node with the same elements: for `promote`, the promoted field; for `reroot`, the messages that became the
 * root; for other operators, the node itself.
 */
function elementsOf(node: PlacedNode, inputsOf: InputsOf): PlacedNode {
  const { op } = node.node;
  return op === "promote" || op === "reroot" ? elementsOf(inputsOf(node)[0]!, inputsOf) : node;
}

/** Returns the inputs of a node. */
export type InputsOf = (node: PlacedNode) => readonly PlacedNode[];

/** Checks the nodes of an untrusted graph, so that operators can rely on their inputs. */
export interface NodeRules {
  /** Checks a node and derives its type. @throws {Error} with a description of the problem. */
  typeOf(op: string, inputs: readonly PlacedNode[], attrs: Readonly<Record<string, Json>>): NodeTyping;
  /** Returns true if the node's parent indices refer to the elements of `parent`. */
  isChildOf(node: PlacedNode, parent: PlacedNode): boolean;
}

/**
 * Returns the rules of all operators that can be saved. `root` and `field` have no rule, because they are checked against the
 * source.
 */
export function nodeRules(inputsOf: InputsOf, models: ReadonlyMap<string, QueryModel>): NodeRules {
  const same = (a: PlacedNode | undefined, b: PlacedNode | undefined): boolean =>
    a !== undefined && b !== undefined && elementsOf(a, inputsOf) === elementsOf(b, inputsOf);
  const isChildOf = (node: PlacedNode, parent: PlacedNode): boolean => same(node.parent, parent);
  const assertChild = (node: PlacedNode, parent: PlacedNode): void =>
    expect(isChildOf(node, parent), "an input has the wrong parent");

  const ofSelf: NodeRule = ([self]) => ({ type: fieldType(self!), parent: self!.parent });
  const perParent =
    (dtype: "int64" | "bool"): NodeRule =>
    ([parent, self]) => {
      fieldType(self!);
      assertChild(self!, parent!);
      return { type: { kind: "leaf", isRepeated: false, dtype }, parent };
    };
  const position: NodeRule = ([self]) => ({
    type: { kind: "leaf", isRepeated: fieldType(self!).isRepeated, dtype: "int64" },
    parent: self!.parent,
  });
  const mapTensors: NodeRule = ([parent, ...fields], attrs) => {
    const { depths, isRepeated } = attrs;
    expect(parent!.node.type.kind !== "leaf", "the first input must be messages");
    expect(typeof isRepeated === "boolean", "isRepeated must be a boolean");
    expect(
      Array.isArray(depths) && depths.length > 0 && depths.every(isPositive),
      "depths must be positive integers",
    );
    const counts = depths as readonly number[];
    const total = counts.reduce((sum, depth) => sum + depth, 0);
    expect(total === fields.length, `depths must add up to ${fields.length}, the number of input fields`);
    let at = 0;
    const leaves = counts.map((depth) => {
      const chain = fields.slice(at, at + depth);
      chain.forEach((field, level) => assertChild(field, level === 0 ? parent! : chain[level - 1]!));
      at += depth;
      return leafType(chain.at(-1)!).dtype;
    });
    const dtype = functionType(functionFromJson(attrs["fn"]), leaves);
    return { type: { kind: "leaf", isRepeated, dtype }, parent };
  };

  const rules: Readonly<Record<string, Rule>> = {
    promote: {
      numInputs: 2,
      attrs: [],
      apply: ([self, parent]) => {
        assertChild(self!, parent!);
        const own = fieldType(self!);
        const isRepeated = own.isRepeated || fieldType(parent!).isRepeated;
        return { type: { ...own, isRepeated }, parent: parent!.parent };
      },
    },
    broadcast: {
      numInputs: 2,
      attrs: [],
      apply: ([self, sibling]) => {
        expect(fieldType(sibling!).kind === "child", "the second input must be messages");
        assertChild(self!, sibling!.parent!);
        return { type: fieldType(self!), parent: sibling };
      },
    },
    descend: {
      numInputs: 2,
      attrs: [],
      apply: ([child, taken]) => {
        const original = TAKING.has(taken!.node.op) ? inputsOf(taken!)[0] : undefined;
        expect(
          original !== undefined && taken!.node.type.kind === "child",
          "the second input must be a selection of messages",
        );
        assertChild(child!, original);
        return { type: fieldType(child!), parent: taken };
      },
    },
    slice: {
      numInputs: 1,
      attrs: ["begin", "end"],
      apply: (inputs, attrs) => {
        const bounds = [attrs["begin"], attrs["end"]];
        const areBounds = bounds.every((bound) => bound === null || Number.isSafeInteger(bound));
        expect(
          areBounds && bounds.some((bound) => bound !== null),
          "begin and end must be integers or null, and not both null",
        );
        return ofSelf(inputs, attrs);
      },
    },
    filterByChild: {
      numInputs: 2,
      attrs: [],
      apply: ([self, mask], attrs) => {
        assertChild(mask!, self!);
        expect(isBool(mask!) && !leafType(mask!).isRepeated, "the mask must be an optional bool");
        return ofSelf([self!], attrs);
      },
    },
    filterBySibling: {
      numInputs: 2,
      attrs: [],
      apply: ([self, mask], attrs) => {
        assertChild(mask!, self!.parent!);
        expect(isBool(mask!), "the mask must be a bool");
        return ofSelf([self!], attrs);
      },
    },
    size: { numInputs: 2, attrs: [], apply: perParent("int64") },
    has: { numInputs: 2, attrs: [], apply: perParent("bool") },
    positionalIndex: { numInputs: 1, attrs: [], apply: position },
    indexFromEnd: { numInputs: 1, attrs: [], apply: position },
    mapFieldValues: {
      attrs: ["fn"],
      apply: (inputs, attrs) => {
        const leaves = inputs.map(leafType);
        const { isRepeated } = leaves[0]!;
        const areAlike = leaves.every((leaf) => leaf.isRepeated === isRepeated);
        expect(areAlike, "either all inputs or none must be repeated");
        const dtype = functionType(
          functionFromJson(attrs["fn"]),
          leaves.map((leaf) => leaf.dtype),
        );
        return { type: { kind: "leaf", isRepeated, dtype }, parent: inputs[0]!.parent };
      },
    },
    callModel: {
      attrs: ["inputs", "model", "outputs"],
      apply: ([parent, ...fields], attrs) => {
        const { model: id, inputs, outputs } = modelCallOf(attrs);
        const model = models.get(id);
        expect(model !== undefined, `the model ${id} is missing`);
        expect(parent!.node.type.kind !== "leaf", "the first input must be messages");
        expect(inputs.length === fields.length, "there must be one field for each input of the model");
        assertNames(
          inputs.map(({ name }) => name),
          model,
        );
        assertOutputs(outputs, model);
        for (const [index, field] of fields.entries()) {
          assertChild(field, parent!);
          assertBindable(inputs[index]!, leafType(field).dtype, model);
        }
        return { type: { kind: "subtree" }, parent, model };
      },
    },
    partOf: {
      numInputs: 1,
      attrs: ["path"],
      apply: ([call], { path }) => {
        expect(call!.node.op === "callModel", "the input must be a call to a model");
        const output = modelCallOf(call!.node.attrs).outputs.find(({ as }) => as === path);
        expect(output !== undefined, "path must name an output of the call");
        const { dtype, isRepeated } = output;
        return { type: { kind: "leaf", isRepeated, dtype }, parent: call!.parent };
      },
    },
    mapSparseTensors: { attrs: ["depths", "fn", "isRepeated"], apply: mapTensors },
    mapRaggedTensors: { attrs: ["depths", "fn", "isRepeated"], apply: mapTensors },
    reroot: {
      attrs: [],
      apply: (inputs) => {
        assertChain(inputs, assertChild);
        expect(
          inputs.length > 1 && inputs.at(-1)!.node.type.kind === "root",
          "the last input must be a root",
        );
        expect(inputs[0]!.node.type.kind === "child", "the first input must be messages");
        return { type: { kind: "root" }, parent: undefined };
      },
    },
    protoIndex: {
      attrs: [],
      apply: (inputs) => {
        assertChain(inputs, assertChild);
        expect(inputs.at(-1)!.node.op === "root", "the last input must be the records");
        expect(inputs[0]!.node.type.kind !== "leaf", "the first input must be messages");
        return { type: { kind: "leaf", isRepeated: false, dtype: "int64" }, parent: inputs[0] };
      },
    },
    fill: {
      numInputs: 2,
      attrs: ["value"],
      apply: ([parent, self], { value }) => {
        assertChild(self!, parent!);
        const type = leafType(self!);
        expect(!type.isRepeated, "the second input must be optional");
        assertConstant("value", constantFromJson(value!), type.dtype);
        return { type, parent };
      },
    },
  };
  return {
    isChildOf,
    typeOf(op, inputs, attrs) {
      const rule = Object.hasOwn(rules, op) ? rules[op] : undefined;
      if (rule === undefined) throw new Error(`the operator "${op}" is not allowed in a view`);
      const { numInputs = inputs.length, attrs: names, apply } = rule;
      expect(
        inputs.length === numInputs && numInputs > 0,
        `the number of inputs of "${op}" must be ${numInputs || "at least 1"}`,
      );
      expect(
        Object.keys(attrs).sort().join() === names.join(),
        `the operator "${op}" must have the attributes [${names.join()}]`,
      );
      return apply(inputs, attrs);
    },
  };
}

interface Rule {
  /** Exact number of inputs. Default: one or more. */
  readonly numInputs?: number;
  /** Names of all attributes, sorted. */
  readonly attrs: readonly string[];
  readonly apply: NodeRule;
}

/** Operators whose result is a selection of elements. Only such a result can be the second input of `descend`. */
const TAKING: ReadonlySet<string> = new Set([
  "broadcast",
  "descend",
  "slice",
  "filterByChild",
  "filterBySibling",
]);

function expect(isMet: boolean, problem: string): asserts isMet {
  if (!isMet) throw new Error(problem);
}

function isPositive(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function fieldType({ node }: PlacedNode): FieldType {
  const { type } = node;
  expect(type.kind === "leaf" || type.kind === "child", "an input must be a field");
  return type;
}

function leafType({ node }: PlacedNode): Pick<LeafNode, "kind" | "isRepeated" | "dtype"> {
  const { type } = node;
  expect(type.kind === "leaf", "an input must be a leaf");
  return type;
}

function isBool(node: PlacedNode): boolean {
  return leafType(node).dtype === "bool";
}

/** Asserts that each input is a child of the next one. */
function assertChain(
  inputs: readonly PlacedNode[],
  assertChild: (node: PlacedNode, parent: PlacedNode) => void,
): void {
  for (const [index, input] of inputs.slice(0, -1).entries()) assertChild(input, inputs[index + 1]!);
}
