import {
  aList,
  anObject,
  assertOptions,
  aString,
  membersOf,
  oneOf,
  required,
  type Rule,
  rule,
} from "@tfxio/wire/checks";
import { type AnyExpression, assertExpression, Expression } from "../expression/expression.js";
import { project } from "../operators/select.js";
import { planFields, type QueryPlan } from "../plan/query-plan.js";
import type { SourceMessages } from "../sources/query-source.js";
import { notSerializable } from "./errors.js";
import { type CheckedOutput, checkOutputs, type DataViewOutput } from "./outputs.js";
import { assertRecordIndex } from "./record-index.js";
import type { SavedModelView } from "./saved-model-view.js";

/** Outputs of a view. */
export interface DataViewOptions {
  /** Outputs by the names of their tensors. */
  readonly outputs: Readonly<Record<string, DataViewOutput>>;
  /** Name of the output that holds the position of each row's record. Required when rows are not records. Default: no output. */
  readonly recordIndex?: string | undefined;
}

/** A query over protobuf messages with named output tensors. It can be saved, and it decodes records. */
export interface DataView {
  readonly kind: "expression";
  /** The query, projected to the fields of the outputs. */
  readonly expression: Expression;
  /** Outputs in the order of their names. */
  readonly outputs: readonly CheckedOutput[];
  readonly recordIndex?: string | undefined;
  /** Type, encoding and decoding rules of the messages. */
  readonly messages: SourceMessages;
  readonly plan: QueryPlan;
}

/** A view of either kind: a query, or a SavedModel. */
export type AnyDataView = DataView | SavedModelView;

/** A view of either kind, and not a promise of one. */
export const aDataView: Rule = rule("a view, such as createDataView resolves to", (value) => {
  const { kind, outputs } = membersOf(value);
  return oneOf("expression", "tf-saved-model").holds(kind) && aList.holds(outputs);
});

/**
 * The view of a query over records of one protobuf type. Data that is bound to the query is left out.
 * @throws {ArgumentError} `invalid-argument`, also `record-index-missing`, `record-index-type`. {@link SchemaError}
 * `schema-mismatch`: `unknown-column`, `not-a-leaf`. {@link UnsupportedError} `unsupported` (`not-serializable`) for a query
 * over anything but one source of messages.
 * @see struct2tensor and TFX, `TfGraphRecordDecoder`
 */
export async function createDataView(expression: AnyExpression, options: DataViewOptions): Promise<DataView> {
  assertExpression("expression", expression);
  assertOptions("createDataView", options, { outputs: required(anObject), recordIndex: aString });
  const { outputs, recordIndex } = options;
  const checked = checkOutputs(expression.root, outputs);
  if (recordIndex !== undefined) assertRecordIndex(checked, recordIndex);
  const root = project(
    expression.root,
    checked.map(({ path }) => path),
  );
  const plan = await planFields([root]);
  const sources = plan.nodes.filter(({ node }) => node.op === "root").map(({ node }) => node.source!);
  const [source] = sources;
  if (source?.messages === undefined || sources.length > 1) {
    const found = sources.map(({ kind, name }) => `${kind} "${name}"`).join(", ");
    throw notSerializable(`the source ${found}`, "must be one source of protobuf messages");
  }
  return {
    kind: "expression",
    expression: new Expression(root),
    outputs: checked,
    recordIndex,
    messages: source.messages,
    plan,
  };
}
