import type { Expression } from "@tfxio/struct2tensor";
import { dtypeOf } from "./node-json.js";
import {
  type NamedFunction,
  payloadFunctionOf,
  raggedFunctionOf,
  sparseFunctionOf,
  valueFunctionOf,
} from "./named-functions.js";

/** One operator of a query in the notation of the test vectors. Each operator uses only some of the members. */
export interface QueryStep {
  readonly op: string;
  readonly path?: string;
  readonly paths?: readonly string[];
  readonly as?: string;
  readonly sibling?: string;
  readonly child?: string;
  readonly parent?: string;
  readonly fields?: readonly string[] | Readonly<Record<string, string>>;
  readonly dest?: string;
  readonly fn?: NamedFunction;
  readonly dtype?: string;
  readonly repeated?: boolean;
  readonly begin?: number;
  readonly end?: number;
  readonly limit?: number;
  readonly depth?: number;
  readonly copies?: Readonly<Record<string, string>>;
}

type Apply = (expression: Expression, step: Required<QueryStep>) => Expression;

const steps: Readonly<Record<string, Apply>> = {
  project: (e, { paths }) => e.project(paths),
  promote: (e, { path, as }) => e.promote(path, as),
  broadcast: (e, { path, sibling, as }) => e.broadcast(path, sibling, as),
  promoteAndBroadcast: (e, { fields, dest }) =>
    e.promoteAndBroadcast(fields as Readonly<Record<string, string>>, dest),
  slice: (e, { path, as, begin, end }) => e.slice(path, as, { begin, end }),
  truncate: (e, { path, limit, as }) => e.truncate(path, limit, as),
  size: (e, { path, as }) => e.size(path, as),
  has: (e, { path, as }) => e.hasAny(path, as),
  positionalIndex: (e, { path, as }) => e.positionalIndex(path, as),
  indexFromEnd: (e, { path, as }) => e.indexFromEnd(path, as),
  filterByChild: (e, { path, child, as }) => e.filterByChild(path, child, as),
  filterBySibling: (e, { path, sibling, as }) => e.filterBySibling(path, sibling, as),
  reroot: (e, { path }) => e.reroot(path),
  protoIndex: (e, { as }) => e.protoIndex(as),
  limitDepth: (e, { depth }) => e.limitDepth(depth),
  addPaths: (e, { copies }) => e.addPaths(copies),
  mapFieldValues: (e, { path, fn, dtype, as }) =>
    e.mapFieldValues(path, valueFunctionOf(fn), { as, dtype: dtypeOf(dtype) }),
  mapManyValues: (e, { parent, fields, fn, dtype, as }) =>
    e.mapManyValues(parent, fields as readonly string[], valueFunctionOf(fn), { as, dtype: dtypeOf(dtype) }),
  mapSparse: (e, { parent, fields, fn, repeated, dtype, as }) =>
    e.mapSparseTensors(parent, fields as readonly string[], sparseFunctionOf(fn, repeated), {
      as,
      dtype: dtypeOf(dtype),
      isRepeated: repeated,
    }),
  mapRagged: (e, { parent, fields, fn, repeated, dtype, as }) =>
    e.mapRaggedTensors(parent, fields as readonly string[], raggedFunctionOf(fn), {
      as,
      dtype: dtypeOf(dtype),
      isRepeated: repeated,
    }),
  transformField: (e, { path, as, fn }) => e.transformField(path, as, payloadFunctionOf(fn)),
};

/** Applies one operator to an expression. @throws {Error} for an unknown operator. */
export function applyStep(expression: Expression, step: QueryStep): Expression {
  const apply = steps[step.op];
  if (apply === undefined) throw new Error(`unknown operator ${step.op}`);
  return apply(expression, step as Required<QueryStep>);
}
