import { anObject, assertArgument } from "@tfxio/wire/checks";
import { knownFields } from "../expression/known-fields.js";
import type { Field } from "../expression/graph-node.js";
import type { MessageValue } from "../operators/node-value.js";
import { Path, type Step } from "../path/path.js";
import type { PrensorNode } from "../prensor/nodes.js";
import { Prensor } from "../prensor/prensor.js";
import { runNodes, type SourceInputs } from "../execute/run-nodes.js";
import { prepareReaders } from "../execute/prepare-readers.js";
import { canonicalGraph, type PlannedField, type PlanNode } from "./canonical.js";
import { explainPlan } from "./explain.js";
import { sourcePathsOf, withInputs } from "./source-paths.js";

/** Result of a plan for one batch. */
export interface QueryResult {
  /** One for each expression of the plan, in their order. */
  readonly prensors: readonly Prensor[];
  /** For a protobuf source, the position of each row's record in the data. Absent: row `i` is record `i`. */
  readonly recordIndices?: Int32Array | undefined;
  /** Records left out because they are malformed. */
  readonly numSkipped: number;
}

/** A query that is ready to run, on one batch after another. */
export interface QueryPlan {
  /** Every computation once, in order. */
  readonly nodes: readonly PlanNode[];
  /** For each expression, its fields and the nodes that compute them. */
  readonly outputs: readonly (readonly PlannedField[])[];
  /** The deepest paths read from each source, by its name. Sorted. */
  readonly sourcePaths: Readonly<Record<string, readonly Path[]>>;
  /** The paths that one field of an expression needs, by the name of the source. */
  sourcePathsOf(output: PlannedField): Readonly<Record<string, readonly Path[]>>;
  /** The plan as text: the fields that are read, those that are skipped, and the computations. */
  explain(): string;
  /**
   * Runs the query on one batch.
   * @param inputs data for each source without bound data, by its name: `{ records: [...] }`.
   * @throws {ArgumentError} `invalid-argument` for missing or unusable data; {@link RecordError} `malformed-payload`;
   * {@link ConversionError} `shape-mismatch`, `out-of-range`, `not-convertible`; {@link UserFunctionError} `user-function`.
   */
  calculate(inputs?: SourceInputs): QueryResult;
}

/** Plans expressions together, so that common subexpressions are computed once. */
export async function planFields(roots: readonly Field[]): Promise<QueryPlan> {
  const graph = canonicalGraph();
  const outputs = roots.map((root) =>
    knownFields(root, Path.of([])).map(({ path, field }) => ({ path, node: graph.add(field.node) })),
  );
  const { nodes } = graph;
  const readers = await prepareReaders(nodes);
  return {
    nodes,
    outputs,
    sourcePaths: sourcePathsOf(nodes),
    sourcePathsOf: ({ node }) => sourcePathsOf(withInputs([node])),
    explain: () => explainPlan(nodes, outputs),
    calculate(inputs = {}) {
      assertArgument("inputs", inputs, anObject);
      const { values, recordIndices, numSkipped } = runNodes(nodes, readers, inputs);
      const prensors = outputs.map((fields) => assemble(fields, (node) => values[node.id] as PrensorNode));
      return { prensors, recordIndices, numSkipped };
    },
  };
}

function assemble(fields: readonly PlannedField[], valueOf: (node: PlanNode) => PrensorNode): Prensor {
  // Parents come before their children, so the last ones are complete first.
  const below = new Map<string, [Step, Prensor][]>();
  for (const { path, node } of fields.toReversed()) {
    const part = new Prensor(plainNode(valueOf(node)), below.get(path.toString()) ?? []);
    if (path.length === 0) return part;
    const parent = path.parent().toString();
    below.set(parent, [...(below.get(parent) ?? []), [path.last(), part]]);
  }
  throw new Error("an expression without a root");
}

/** The node without the `origin` and `payloads` that operators pass to each other. */
function plainNode(node: PrensorNode): PrensorNode {
  const { origin, payloads } = node as Partial<MessageValue>;
  if (node.kind !== "child" || (origin === undefined && payloads === undefined)) return node;
  const { kind, isRepeated, parentIndex, rowSplits } = node;
  return { kind, isRepeated, parentIndex, rowSplits };
}
