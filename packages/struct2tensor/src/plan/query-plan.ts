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
  /** One prensor for each expression of the plan, in the order of the expressions. */
  readonly prensors: readonly Prensor[];
  /**
   * The index of each row's record in the input. The rows are those of a protobuf source, before any `reroot`. If absent, row `i`
   * is record `i`. If several sources have such indices, only the indices of the first such source are returned.
   */
  readonly recordIndices?: Int32Array | undefined;
  /** Number of malformed records that were skipped, in all sources together. */
  readonly numSkipped: number;
}

/** A query that is ready to run on any number of batches. */
export interface QueryPlan {
  /** The nodes of the plan, each after its inputs. Equal computations share one node. */
  readonly nodes: readonly PlanNode[];
  /** For each expression, its known fields and the nodes that compute them, parents first. */
  readonly outputs: readonly (readonly PlannedField[])[];
  /** The deepest paths read from each source, sorted, keyed by source name. */
  readonly sourcePaths: Readonly<Record<string, readonly Path[]>>;
  /** Returns the deepest source paths that one output needs, sorted, keyed by source name. */
  sourcePathsOf(output: PlannedField): Readonly<Record<string, readonly Path[]>>;
  /** Describes the plan as text: the fields to read, the fields to skip, and the computations. */
  explain(): string;
  /**
   * Runs the query on one batch.
   * @param inputs data for each source that has no bound data, keyed by source name, such as `{ records: [...] }`.
   * @throws {ArgumentError} `invalid-argument` for missing or unusable data; {@link SchemaError} `schema-mismatch`:
   *   `declared-type`, `unknown-column` for a column that a batch lacks, or `no-such-field` for a field that the structs of a
   *   batch lack; {@link RecordError} `malformed-payload`; {@link ConversionError} `shape-mismatch`, `out-of-range`,
   *   `not-convertible`; {@link UserFunctionError} `user-function`.
   */
  calculate(inputs?: SourceInputs): QueryResult;
}

/**
 * Plans expressions together, so that common subexpressions are computed once.
 * @param roots the root field of each expression.
 * @param isUnbound True to leave out the data that is bound to sources, so that each run needs the data of every source.
 */
export async function planFields(roots: readonly Field[], isUnbound = false): Promise<QueryPlan> {
  const graph = canonicalGraph(isUnbound);
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

/** Builds the prensor of one expression from the values of its nodes. */
function assemble(fields: readonly PlannedField[], valueOf: (node: PlanNode) => PrensorNode): Prensor {
  // In `fields`, parents precede their children. The loop runs in reverse, so it builds each prensor after its children.
  const below = new Map<string, [Step, Prensor][]>();
  for (const { path, node } of fields.toReversed()) {
    const part = new Prensor(plainNode(valueOf(node)), below.get(path.toString()) ?? []);
    if (path.length === 0) return part;
    const parent = path.parent().toString();
    below.set(parent, [...(below.get(parent) ?? []), [path.last(), part]]);
  }
  throw new Error("the expression has no root");
}

/** Returns the node without `origin` and `payloads`, which only operators need. */
function plainNode(node: PrensorNode): PrensorNode {
  const { origin, payloads } = node as Partial<MessageValue>;
  if (node.kind !== "child" || (origin === undefined && payloads === undefined)) return node;
  const { kind, isRepeated, parentIndex, rowSplits } = node;
  return { kind, isRepeated, parentIndex, rowSplits };
}
