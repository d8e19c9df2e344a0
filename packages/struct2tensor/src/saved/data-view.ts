import {
  aList,
  anObject,
  assertArgument,
  assertOptions,
  aString,
  membersOf,
  oneOf,
  required,
  type Rule,
  rule,
} from "@tfxio/wire/checks";
import { type AnyExpression, anExpression, Expression } from "../expression/expression.js";
import { project } from "../operators/select.js";
import { planFields, type QueryPlan } from "../plan/query-plan.js";
import type { SourceMessages } from "../sources/query-source.js";
import { notSerializable } from "./errors.js";
import { type CheckedOutput, checkOutputs, type DataViewOutput } from "./outputs.js";
import { assertRecordIndex } from "./record-index.js";
import type { SavedModelView } from "./saved-model-view.js";

/** Options of {@link createDataView}. */
export interface DataViewOptions {
  /** Outputs, keyed by tensor name. */
  readonly outputs: Readonly<Record<string, DataViewOutput>>;
  /**
   * Name of the output that holds each row's record index: ragged or sparse integers, exactly one per row. Required if rows and
   * records do not correspond one to one, as after `reroot`. Default: none.
   */
  readonly recordIndex?: string | undefined;
}

/** A query that turns protobuf messages into named tensors. It can be saved, and can decode records. */
export interface DataView {
  readonly kind: "expression";
  /** The query, reduced to the fields of the outputs. */
  readonly expression: Expression;
  /** The outputs, sorted by name. */
  readonly outputs: readonly CheckedOutput[];
  readonly recordIndex?: string | undefined;
  /** The messages: their type, their encoding, and the rules for decoding them. */
  readonly messages: SourceMessages;
  readonly plan: QueryPlan;
}

/** A view of either kind: a query, or a SavedModel. */
export type AnyDataView = DataView | SavedModelView;

/** Accepts a view of either kind, but not the promise of a view. */
export const aDataView: Rule = rule("a view, such as the result of createDataView", (value) => {
  const { kind, outputs } = membersOf(value);
  return oneOf("expression", "tf-saved-model").holds(kind) && aList.holds(outputs);
});

/**
 * Creates a view from a query over records of one protobuf type. The view does not use data that is bound to the query.
 * @throws {ArgumentError} `invalid-argument`, in some cases with the reason `record-index-missing` or `record-index-type`.
 * @throws {SchemaError} `schema-mismatch`: `unknown-column`, `not-a-leaf`.
 * @throws {UnsupportedError} `unsupported` (`not-serializable`) unless the outputs read exactly one source, and it holds protobuf
 *   messages.
 * @see tfx_bsl `TFGraphRecordDecoder`
 */
export async function createDataView(expression: AnyExpression, options: DataViewOptions): Promise<DataView> {
  assertArgument("expression", expression, anExpression);
  assertOptions("createDataView", options, { outputs: required(anObject), recordIndex: aString });
  const { outputs, recordIndex } = options;
  const checked = checkOutputs(expression.root, outputs);
  if (recordIndex !== undefined) assertRecordIndex(checked, recordIndex);
  const root = project(
    expression.root,
    checked.map(({ path }) => path),
  );
  const plan = await planFields([root], true);
  const sources = plan.nodes.filter(({ node }) => node.op === "root").map(({ node }) => node.source!);
  const [source] = sources;
  if (source?.messages === undefined || sources.length > 1) {
    const found = sources.map(({ kind, name }) => `${kind} "${name}"`).join(", ");
    throw notSerializable(
      `its sources [${found}]`,
      `it must have exactly one source, of protobuf messages; found ${found || "none"}`,
    );
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
