import type { Feature, Schema } from "@tfxio/schema";
import type { DType } from "@tfxio/tensor-adapter";
import {
  aBoolean,
  aList,
  anInteger,
  anObject,
  assertArgument,
  assertOptions,
  aListOfNames,
  invalidArgument,
  isObject,
  membersOf,
  type OptionRules,
  required,
  type Rule,
  rule,
} from "@tfxio/wire/checks";
import { isValueFunction } from "../functions/registry.js";
import type { Constant, ValueFunction } from "../functions/value-function.js";
import { addPaths, broadcast, promoteAndBroadcast } from "../operators/broadcast.js";
import { callModel, type ModelBindings } from "../models/call-model.js";
import type { QueryModel } from "../models/query-model.js";
import { count, index } from "../operators/count.js";
import { fill } from "../operators/fill.js";
import { filterByChild, filterBySibling } from "../operators/filter.js";
import { mapPrensor, type PrensorCallback } from "../operators/map-prensor.js";
import { mapTensors, type RaggedCallback, type SparseCallback } from "../operators/map-tensors.js";
import { mapFieldValues, type ValuesCallback } from "../operators/map-field-values.js";
import { promote } from "../operators/promote.js";
import { protoIndex, reroot } from "../operators/reroot.js";
import { limitDepth, project } from "../operators/select.js";
import { slice, type SliceBounds } from "../operators/slice.js";
import { type PayloadCallback, transformField } from "../operators/transform.js";
import { Path } from "../path/path.js";
import { describeType, type NodeType } from "../prensor/nodes.js";
import { aDType, aFieldName, aListOfPaths, aMessageSchema } from "../prensor/schema-rules.js";
import { type MessageSchema, typeOfField } from "../prensor/prensor-schema.js";
import { applySchema, schemaOf } from "../operators/apply-schema.js";
import { unusable, wrongField } from "./errors.js";
import { assertSameParent } from "./same-node.js";
import { fieldAtPath, findField } from "./find-field.js";
import type { Field } from "./graph-node.js";
import { type KnownField, knownFields } from "./known-fields.js";
import type {
  Below,
  Beside,
  Broadcast,
  FieldAt,
  Leaf,
  LeafLike,
  Moved,
  PathArgument,
  Projected,
  Promoted,
  Rerooted,
} from "./typed-fields.js";

/** A {@link Path}, or its text, such as `stop.pick`. `""` is the root. */
export type PathLike = string | Path;

/** An expression over any schema, for functions that need no typed paths. */
export type AnyExpression = Pick<Expression, "root">;

/** Name of a new field, and the type of its values if a callback computes them. */
export interface MapOptions<As extends string = string, D extends DType = DType> {
  /** Name of the new field. */
  readonly as: As;
  /**
   * Type of the function's results. Required for a callback. For a {@link ValueFunction}, the type is derived from the inputs, so
   * `dtype` may be omitted. If given, it must equal the derived type.
   */
  readonly dtype?: D | undefined;
}

/** Options of `mapSparseTensors` and `mapRaggedTensors`. */
export interface MapTensorOptions<As extends string = string, D extends DType = DType>
  extends MapOptions<As, D> {
  /** False if the result has at most one value per row. Default true: any number. */
  readonly isRepeated?: boolean | undefined;
}

const MAP_RULES: OptionRules<MapOptions> = { as: required(aFieldName), dtype: aDType };
const aTfmdSchema = rule("a TFMD schema", (value) => aList.holds(membersOf(value)["feature"]));

/**
 * A query over nested data: a tree of fields, each read from a source or computed from others. Immutable: operators return a new
 * expression. Most of them keep all existing fields and add new ones. Data is read only when a plan runs.
 *
 * If you pass a literal schema to {@link placeholder} or {@link typed}, TypeScript knows the paths and types of all fields,
 * including new ones. A path with a map key, an extension or a message inside a `google.protobuf.Any` must then be passed as a
 * {@link Path}. The methods whose declared result is a plain `Expression`, such as {@link limitDepth}, lose these types.
 *
 * A missing path throws a {@link SchemaError} `schema-mismatch` (`unknown-column`) that suggests similar names. A new field below
 * a leaf throws a {@link SchemaError} `schema-mismatch` (`not-a-message`). A new field whose name is in use throws an
 * {@link ArgumentError} `invalid-argument` (`path-exists`).
 * @see struct2tensor `expression.Expression`
 */
export class Expression<S extends MessageSchema = MessageSchema> {
  /** @param root the tree of fields. Only code that extends this package needs this constructor. */
  constructor(readonly root: Field) {}

  /**
   * Returns the same expression, with the types of a schema. The data may have more fields than the schema.
   * @param schema a literal, so that TypeScript can infer the types.
   * @throws {SchemaError} `schema-mismatch`: `unknown-column` for a missing field, `declared-type` for a field with a different
   *   type or cardinality.
   */
  typed<const T extends MessageSchema>(schema: T): Expression<T> {
    assertArgument("schema", schema, aMessageSchema);
    assertDeclared(this.root, schema, Path.of([]));
    return new Expression(this.root);
  }

  /**
   * Returns true if a field exists at this path. Also finds map keys, extensions and messages inside an Any, which
   * {@link knownFields} omits.
   */
  has(path: PathLike): boolean {
    return findField(this.root, Path.from(path)) !== undefined;
  }

  /** Returns the type of the field at a path. @throws {SchemaError} `schema-mismatch` (`unknown-column`). */
  typeOf(path: PathArgument<S>): NodeType {
    return fieldAtPath(this.root, Path.from(path)).node.type;
  }

  /**
   * Returns the names of the fields directly below a path, in declaration order. Omits map keys, extensions and messages inside
   * an Any.
   */
  knownFields(path: PathArgument<S> = ""): readonly string[] {
    return fieldAtPath(this.root, Path.from(path)).knownSteps().map(String);
  }

  /**
   * Returns every known field with its path, parents first.
   * @throws {ArgumentError} `invalid-argument` (`recursive-type`) for a message type that contains itself.
   */
  knownPaths(): readonly KnownField[] {
    return knownFields(this.root, Path.of([]));
  }

  /**
   * Keeps only the fields at these paths, and the messages that contain them. A path to a message does not keep its fields.
   * @throws {SchemaError} `schema-mismatch` (`unknown-column`), naming all missing paths.
   */
  project<P extends PathArgument<S>>(paths: readonly P[]): Expression<Projected<S, P>> {
    assertArgument("paths", paths, aListOfPaths);
    return new Expression(
      project(
        this.root,
        paths.map((path) => Path.from(path)),
      ),
    );
  }

  /**
   * Adds a copy of the field beside its parent: `promote("buyer.pal", "pals")` adds `pals`, which holds the pals of all buyers of
   * a record.
   * @throws {ArgumentError} `invalid-argument` (`promote-beyond-root`) for a field of the root.
   */
  promote<P extends PathArgument<S>, As extends string>(path: P, as: As): Expression<Promoted<S, P, As>> {
    return new Expression(promote(this.root, Path.from(path), as));
  }

  /**
   * Copies the field into each message of its sibling field: `broadcast("trip_id", "stop", "id")` adds `stop.id`.
   * @throws {SchemaError} `schema-mismatch` (`sibling-not-message`) if the sibling is a leaf.
   * @throws {ArgumentError} `invalid-argument` (`broadcast-root`) for the root.
   */
  broadcast<P extends PathArgument<S>, Sibling extends string, As extends string>(
    path: P,
    sibling: Sibling,
    as: As,
  ): Expression<Broadcast<S, P, Sibling, As>> {
    return new Expression(broadcast(this.root, Path.from(path), sibling, as));
  }

  /**
   * Copies fields into each message at `destination`. Each field is promoted to the closest common ancestor, then broadcast down.
   * @param fields paths of the fields, keyed by the names of the copies.
   * @throws {ArgumentError} `invalid-argument` (`broadcast-root`) for the root.
   */
  promoteAndBroadcast<Fields extends Readonly<Record<string, PathArgument<S>>>, P extends PathArgument<S>>(
    fields: Fields,
    destination: P,
  ): Expression<Moved<S, Fields, P>> {
    if (!isObject(fields))
      throw invalidArgument(
        "fields",
        "an object whose keys are the names of the copies and whose values are the paths of the fields to copy",
        fields,
      );
    const paths = Object.fromEntries(Object.entries(fields).map(([as, path]) => [as, Path.from(path)]));
    return new Expression(promoteAndBroadcast(this.root, paths, Path.from(destination)));
  }

  /**
   * Adds a copy of the field with only a range of each parent's elements. The bounds work as in `Array.prototype.slice`.
   * @throws {ArgumentError} `invalid-argument`: `slice-bound` if both bounds are missing, or one is not an integer; `root-slice`
   *   for the root.
   */
  slice<P extends PathArgument<S>, As extends string>(
    path: P,
    as: As,
    bounds: SliceBounds,
  ): Expression<Beside<S, P, As, FieldAt<S, P>>> {
    return new Expression(slice(this.root, Path.from(path), as, bounds));
  }

  /** Adds a copy of the field with at most the first `limit` elements of each parent. */
  truncate<P extends PathArgument<S>, As extends string>(
    path: P,
    limit: number,
    as: As,
  ): Expression<Beside<S, P, As, FieldAt<S, P>>> {
    assertArgument("limit", limit, anInteger(0));
    return this.slice(path, as, { end: limit });
  }

  /**
   * Adds an int64 field beside `path`: the number of elements in each parent, 0 if it has none.
   * @throws {ArgumentError} `invalid-argument` (`root-size`) for the root.
   */
  size<P extends PathArgument<S>, As extends string>(
    path: P,
    as: As,
  ): Expression<Beside<S, P, As, Leaf<"int64", false>>> {
    return new Expression(count(this.root, Path.from(path), as, "size"));
  }

  /**
   * Adds a bool field beside `path`: true for each parent with at least one element.
   * @throws {ArgumentError} `invalid-argument` (`root-size`) for the root.
   */
  hasAny<P extends PathArgument<S>, As extends string>(
    path: P,
    as: As,
  ): Expression<Beside<S, P, As, Leaf<"bool", false>>> {
    return new Expression(count(this.root, Path.from(path), as, "has"));
  }

  /**
   * Adds an int64 field beside `path`: the position of each element within its parent, 0, 1, …
   * @throws {ArgumentError} `invalid-argument` (`root-index`) for the root.
   */
  positionalIndex<P extends PathArgument<S>, As extends string>(
    path: P,
    as: As,
  ): Expression<Beside<S, P, As, LeafLike<S, P, "int64">>> {
    return new Expression(index(this.root, Path.from(path), as, "positionalIndex"));
  }

  /**
   * Adds an int64 field beside `path`: the position of each element from the end of its parent, …, -2, -1.
   * @throws {ArgumentError} `invalid-argument` (`root-index`) for the root.
   */
  indexFromEnd<P extends PathArgument<S>, As extends string>(
    path: P,
    as: As,
  ): Expression<Beside<S, P, As, LeafLike<S, P, "int64">>> {
    return new Expression(index(this.root, Path.from(path), as, "indexFromEnd"));
  }

  /**
   * Adds a copy of a message field that keeps only the messages whose bool `child` is present and true.
   * @throws {SchemaError} `schema-mismatch`: `mask-not-bool`, `mask-repeated`.
   * @throws {ArgumentError} `invalid-argument` (`root-filter`) for the root.
   */
  filterByChild<P extends PathArgument<S>, As extends string>(
    path: P,
    child: string,
    as: As,
  ): Expression<Beside<S, P, As, FieldAt<S, P>>> {
    return new Expression(filterByChild(this.root, Path.from(path), child, as));
  }

  /**
   * Adds a copy of the field with only the elements whose bool `sibling` is true. Both fields must have the same parent indices.
   * @throws {SchemaError} `schema-mismatch` (`mask-not-bool`).
   * @throws {ArgumentError} `invalid-argument` (`root-filter`) for the root.
   * @throws {ConversionError} `shape-mismatch` (`expression-shape`) when the query runs, if the parent indices differ.
   */
  filterBySibling<P extends PathArgument<S>, As extends string>(
    path: P,
    sibling: string,
    as: As,
  ): Expression<Beside<S, P, As, FieldAt<S, P>>> {
    return new Expression(filterBySibling(this.root, Path.from(path), sibling, as));
  }

  /**
   * The messages at a path become the root, with one row per message.
   * @throws {SchemaError} `schema-mismatch` (`reroot-leaf`) for a leaf.
   */
  reroot<P extends PathArgument<S>>(path: P): Expression<Rerooted<S, P>> {
    return new Expression(reroot(this.root, Path.from(path)));
  }

  /**
   * Adds an int64 field at the root: the index of the input record from which each row comes, traced through all reroots.
   * Malformed records that were skipped are not counted.
   */
  protoIndex<As extends string>(as: As): Expression<Below<S, "", As, Leaf<"int64", false>>> {
    return new Expression(protoIndex(this.root, as));
  }

  /** Keeps only the fields at most `depth` steps from the root. This makes a recursive message type finite. */
  limitDepth(depth: number): Expression {
    assertArgument("depth", depth, anInteger(0));
    return new Expression(limitDepth(this.root, depth));
  }

  /**
   * Copies fields with everything below them. A copy must have the same parent as the original.
   * @param copies paths of the fields, keyed by the paths of the copies.
   * @throws The errors of {@link addTo}.
   */
  addPaths(copies: Readonly<Record<string, PathArgument<S>>>): Expression {
    return this.addTo(this, copies);
  }

  /**
   * Copies fields, with everything below them, from another expression over the same data.
   * @param copies paths of the fields in `other`, keyed by the paths of the copies in this expression.
   * @throws {ArgumentError} `invalid-argument` (`other-parent`) if a field is the root, or if the parents of a field and its copy
   *   are not computed in the same way.
   */
  addTo(other: AnyExpression, copies: Readonly<Record<string, PathLike>>): Expression {
    assertArgument("other", other, anExpression);
    if (!isObject(copies))
      throw invalidArgument(
        "copies",
        "an object whose keys are the paths of the copies and whose values are the paths of the fields to copy",
        copies,
      );
    const found = Object.entries(copies).map(([target, source]) => {
      const [to, from] = [Path.parse(target), Path.from(source)];
      const field = fieldAtPath(other.root, from);
      return [to, field, from] as const;
    });
    const added = addPaths(this.root, found);
    for (const [to, , from] of found) {
      if (from.length === 0)
        throw unusable("other-parent", "The root cannot be copied, because it has no parent.", "copies");
      assertSameParent({ root: this.root, path: to }, { root: other.root, path: from });
    }
    return new Expression(added);
  }

  /**
   * Applies a function to the values of one field. Adds the result beside the field, with the same parents.
   * @throws {SchemaError} `schema-mismatch`: `not-a-leaf`, `function-input`.
   * @throws {ArgumentError} `invalid-argument`: `root-map` for the root, `dtype` if `options.dtype` is missing for a callback, or
   *   is not the type that is derived for a {@link ValueFunction}.
   * @throws {UserFunctionError} `user-function` when the query runs, if a callback throws or returns the wrong type of array.
   * @throws {ConversionError} `shape-mismatch` (`expression-shape`) when the query runs, if a callback returns the wrong number
   *   of values.
   */
  mapFieldValues<P extends PathArgument<S>, As extends string, D extends DType = DType>(
    path: P,
    fn: ValueFunction | ValuesCallback,
    options: MapOptions<As, D>,
  ): Expression<Beside<S, P, As, LeafLike<S, P, D>>> {
    assertFunction(fn);
    assertOptions("mapFieldValues", options, MAP_RULES);
    const { as, dtype } = options;
    return new Expression(mapFieldValues(this.root, [Path.from(path)], as, { fn, dtype }));
  }

  /**
   * Applies a function to the values of several fields of one message. The fields must have the same parent indices. Adds the
   * result beside the first field.
   * @param fields paths below `parent`.
   * @throws The errors of {@link mapFieldValues}.
   * @throws {ArgumentError} `invalid-argument` (`no-fields`).
   * @throws {SchemaError} `schema-mismatch` (`cardinality`) unless all fields are repeated, or none are.
   * @throws {ConversionError} `shape-mismatch` (`expression-shape`) when the query runs, if the fields have different parent
   *   indices.
   */
  mapManyValues<P extends PathArgument<S>, As extends string, D extends DType = DType>(
    parent: P,
    fields: readonly string[],
    fn: ValueFunction | ValuesCallback,
    options: MapOptions<As, D>,
  ): Expression<Below<S, P, As, Leaf<D, boolean>>> {
    assertArgument("fields", fields, aListOfNames);
    assertFunction(fn);
    assertOptions("mapManyValues", options, MAP_RULES);
    const { as, dtype } = options;
    const paths = fields.map((field) => Path.from(parent).join(Path.parse(field)));
    return new Expression(mapFieldValues(this.root, paths, as, { fn, dtype }));
  }

  /**
   * Passes fields to a function as sparse tensors, which have one row per message at `parent`. Adds the result to these messages.
   * The result must have the same number of rows. Its rank must be 2, or 1 if it is not repeated.
   * @param fields paths below `parent`.
   * @throws {SchemaError} `schema-mismatch`: `not-a-leaf`, `function-input`.
   * @throws {ArgumentError} `invalid-argument` (`dtype`).
   * @throws {UserFunctionError} `user-function` when the query runs.
   * @throws {ConversionError} when the query runs: `shape-mismatch` (`rank`, `not-optional`, or `expression-shape` for wrong
   *   numbers of rows or values); `not-convertible` (`parent-order`) if the row indices of the result do not ascend.
   */
  mapSparseTensors<P extends PathArgument<S>, As extends string, D extends DType = DType>(
    parent: P,
    fields: readonly PathLike[],
    fn: ValueFunction | SparseCallback,
    options: MapTensorOptions<As, D>,
  ): Expression<Below<S, P, As, Leaf<D, boolean>>> {
    return this.#mapTensors("mapSparseTensors", parent, fields, fn, options);
  }

  /**
   * Like {@link mapSparseTensors}, for ragged tensors. The rank of the result must be 2. If the result is not repeated, each
   * row must have at most one value.
   */
  mapRaggedTensors<P extends PathArgument<S>, As extends string, D extends DType = DType>(
    parent: P,
    fields: readonly PathLike[],
    fn: ValueFunction | RaggedCallback,
    options: MapTensorOptions<As, D>,
  ): Expression<Below<S, P, As, Leaf<D, boolean>>> {
    return this.#mapTensors("mapRaggedTensors", parent, fields, fn, options);
  }

  /**
   * Passes the fields at `paths` below `source` to a function, as a prensor that has one row per message at `source`. The
   * function returns a prensor with the fields that `schema` declares. These fields are added to the messages at `source`.
   * @throws {UserFunctionError} `user-function` when the query runs, if the function throws or its result does not match
   *   `schema`.
   * @throws {ConversionError} `shape-mismatch` (`expression-shape`) if the result has the wrong number of rows.
   */
  mapPrensor(
    source: PathArgument<S>,
    paths: readonly PathLike[],
    fn: PrensorCallback,
    schema: MessageSchema,
  ): Expression {
    assertArgument("paths", paths, aListOfPaths);
    assertFunction(fn);
    assertArgument("schema", schema, aMessageSchema);
    return new Expression(
      mapPrensor(this.root, Path.from(source), { paths: paths.map((path) => Path.from(path)), fn, schema }),
    );
  }

  /**
   * Adds fields to the messages at `parent`. A TensorFlow.js model or SavedModel computes them from the leaves of these messages.
   * Each message is a row. The model runs once for each batch that has messages, and computes all outputs.
   * @throws {ArgumentError} `invalid-argument` if the bindings omit an input of the model, or name an input or output that it
   *   lacks.
   * @throws {SchemaError} `schema-mismatch`: `not-a-leaf`, `not-a-message`, `int64-to-model`, `function-input`.
   * @throws {ConversionError} when the query runs: `shape-mismatch` (`model-output`, `expression-shape`) or `not-convertible`
   *   (`model-failed`, `missing-value`).
   */
  callModel(parent: PathArgument<S>, model: QueryModel, bindings: ModelBindings): Expression {
    assertArgument("model", model, anObject);
    assertArgument("bindings", bindings, anObject);
    return new Expression(callModel(this.root, Path.from(parent), model, bindings));
  }

  /**
   * Adds a transformed copy of a protobuf message field, beside the original. `fn` transforms the serialized messages before they
   * are decoded.
   * @throws {SchemaError} `schema-mismatch` (`not-a-proto-message`) unless the field is an unmodified message of a protobuf
   *   source, or a transformed copy of one.
   */
  transformField<P extends PathArgument<S>, As extends string>(
    path: P,
    as: As,
    fn: PayloadCallback,
  ): Expression<Beside<S, P, As, FieldAt<S, P>>> {
    assertFunction(fn);
    return new Expression(transformField(this.root, Path.from(path), as, fn));
  }

  /**
   * Adds a copy of an optional field, in which each parent without a value gets `value`. The copy has exactly one value per
   * parent.
   * @throws {SchemaError} `schema-mismatch`: `not-a-leaf`, `cardinality` for a repeated field.
   * @throws {ArgumentError} `invalid-argument` if `value` does not fit the type of the field.
   */
  fill<P extends PathArgument<S>, As extends string>(
    path: P,
    value: Constant,
    as: As,
  ): Expression<Beside<S, P, As, FieldAt<S, P>>> {
    return new Expression(fill(this.root, Path.from(path), value, as));
  }

  /**
   * Attaches each feature of a TFMD schema to the field with the same name.
   * @throws {SchemaError} `schema-mismatch` (`unknown-column`) for a feature without a field.
   */
  applySchema(schema: Schema): Expression<S> {
    assertArgument("schema", schema, aTfmdSchema);
    return new Expression(applySchema(this.root, schema));
  }

  /**
   * Returns the TFMD schema of all known fields that have a feature, including derived fields.
   * @throws {ArgumentError} `invalid-argument` (`recursive-type`) for a message type that contains itself.
   */
  getSchema(): Schema {
    return schemaOf(this.root);
  }

  /** Returns the TFMD feature of the field at a path, or undefined if none is attached. */
  featureOf(path: PathArgument<S>): Feature | undefined {
    return fieldAtPath(this.root, Path.from(path)).feature;
  }

  #mapTensors<T extends MessageSchema>(
    op: "mapSparseTensors" | "mapRaggedTensors",
    parent: PathLike,
    fields: readonly PathLike[],
    fn: ValueFunction | SparseCallback | RaggedCallback,
    options: MapTensorOptions,
  ): Expression<T> {
    assertArgument("fields", fields, aListOfPaths);
    assertFunction(fn);
    assertOptions(op, options, { ...MAP_RULES, isRepeated: aBoolean });
    const { as, dtype, isRepeated = true } = options;
    const map = { op, fn, dtype, isRepeated, fields: fields.map((path) => Path.from(path)) };
    return new Expression(mapTensors(this.root, Path.from(parent), as, map));
  }
}

/** @throws {SchemaError} `schema-mismatch` (`unknown-column`, `declared-type`) unless the fields below `root` fit the schema. */
function assertDeclared(root: Field, schema: MessageSchema, above: Path): void {
  for (const [name, declared] of Object.entries(schema)) {
    const path = above.child(name);
    const { type } = fieldAtPath(root, path).node;
    const expected = describeType(typeOfField(declared));
    if (describeType(type) !== expected) throw wrongField("declared-type", path, expected, type);
    if ("fields" in declared) assertDeclared(root, declared.fields, path);
  }
}

/** Accepts expressions created by this copy of the package. */
export const anExpression: Rule = rule("an Expression", (value) => value instanceof Expression);

function assertFunction(fn: unknown): void {
  if (typeof fn !== "function" && !isValueFunction(fn)) throw invalidArgument("fn", "a function", fn);
}
