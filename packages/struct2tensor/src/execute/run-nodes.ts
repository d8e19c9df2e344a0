import { unusableArgument } from "@tfxio/wire/checks";
import { UserFunctionError } from "@tfxio/wire";
import { wrongField } from "../expression/errors.js";
import { operators } from "../operators/registry.js";
import type { MessageValue, NodeValue } from "../operators/node-value.js";
import type { PlanNode } from "../plan/canonical.js";
import { describeType, type NodeType } from "../prensor/nodes.js";
import type { SourceBatch } from "../sources/query-source.js";
import type { Readers } from "./prepare-readers.js";

/** Input data, keyed by source name. */
export type SourceInputs = Readonly<Record<string, unknown>>;

/** Results of one run. `values` is indexed by node id. */
export interface NodeValues {
  readonly values: readonly NodeValue[];
  /** For each row, the index of its input record. The first source that provides such indices determines them. */
  readonly recordIndices: Int32Array | undefined;
  /** Number of malformed records that were skipped, in all sources together. */
  readonly numSkipped: number;
}

/**
 * Computes each node of a plan in order, and checks its value against its type.
 * @throws The errors of {@link QueryPlan.calculate}.
 */
export function runNodes(nodes: readonly PlanNode[], readers: Readers, inputs: SourceInputs): NodeValues {
  const values: NodeValue[] = [];
  const batches = new Map<PlanNode, SourceBatch>();
  let recordIndices: Int32Array | undefined;
  let numSkipped = 0;
  for (const planned of nodes) {
    const value = compute(planned, { values, batches, readers, inputs });
    assertType(value, planned);
    values.push(value);
    const batch = planned.node.op === "root" ? batches.get(planned) : undefined;
    recordIndices ??= batch?.recordIndices;
    numSkipped += batch?.numSkipped ?? 0;
  }
  return { values, recordIndices, numSkipped };
}

interface Run {
  readonly values: readonly NodeValue[];
  readonly batches: Map<PlanNode, SourceBatch>;
  readonly readers: Readers;
  readonly inputs: SourceInputs;
}

/** Computes one node: reads a field or its payloads from the source, opens the batch of a root, or runs an operator. */
function compute(planned: PlanNode, run: Run): NodeValue {
  const { node, path } = planned;
  const { values, batches, readers, inputs } = run;
  if (path !== undefined) {
    const batch = batchOf(planned.inputs[0]!, run);
    return node.op === "payload" ? batch.payload(path) : batch.field(path);
  }
  if (node.op === "root") {
    const { name, bound } = node.source!;
    const data = bound ?? (Object.hasOwn(inputs, name) ? inputs[name] : undefined);
    if (data === undefined)
      throw unusableArgument(`inputs.${name}`, "is required, because the plan reads a source of this name");
    const batch = readers.get(planned)!.read(data);
    batches.set(planned, batch);
    return { kind: "root", size: batch.size };
  }
  const operator = operators.get(node.op);
  if (operator === undefined) throw new Error(`no operator ${node.op}`);
  return operator.calculate(
    planned.inputs.map(({ id }) => values[id]!),
    node,
  );
}

/** Returns the batch of a root or transform. The batch of a transform is opened on first use, from the transformed payloads. */
function batchOf(head: PlanNode, { values, batches, readers }: Run): SourceBatch {
  const known = batches.get(head);
  if (known !== undefined) return known;
  const { payloads } = values[head.id] as MessageValue;
  const batch = readers.get(head)!.read(payloads);
  batches.set(head, batch);
  return batch;
}

/**
 * Asserts that a value has the declared type.
 * @throws {UserFunctionError} `user-function` if a field that a `mapPrensor` callback returned does not have its declared type.
 * @throws {SchemaError} `schema-mismatch` (`declared-type`) if a field of the data does not have the type that the source
 *   declares.
 */
function assertType(value: NodeValue, { node, path }: PlanNode): void {
  const found: NodeType = value.kind === "leaf" || value.kind === "child" ? value : { kind: value.kind };
  if (describeType(found) === describeType(node.type)) return;
  const problem = `must return ${describeType(node.type)}, as declared, found ${describeType(found)}`;
  if (node.op === "partOf")
    throw new UserFunctionError(`The function of mapPrensor ${problem}.`, { operator: "mapPrensor" });
  if (node.op === "field") throw wrongField("declared-type", path!, describeType(node.type), found);
  throw new Error(`${node.op} ${problem}`);
}
