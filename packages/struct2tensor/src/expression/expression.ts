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
import { mapValues, type ValuesCallback } from "../operators/map-values.js";
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
import { wrongField } from "./errors.js";
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

/** An expression with fields of any type. */
export type AnyExpression = Pick<Expression, "root">;

/** Name of a new field, and its type if a callback computes it. */
export interface MapOptions<As extends string = string, D extends DType = DType> {
  /** Name of the new field. */
  readonly as: As;
  /** Type of the function's results. Required for a callback. A {@link ValueFunction} determines its own. */
  readonly dtype?: D | undefined;
}

/** {@link MapOptions} for functions of tensors. */
export interface MapTensorOptions<As extends string = string, D extends DType = DType>
  extends MapOptions<As, D> {
  /** Default true. False: at most one value in each row. */
  readonly isRepeated?: boolean | undefined;
}

const MAP_RULES: OptionRules<MapOptions> = { as: required(aFieldName), dtype: aDType };
const aTfmdSchema = rule("a TFMD schema", (value) => aList.holds(membersOf(value)["feature"]));

/**
 * A query over nested data: a tree of fields, each read from a source or computed from others. Immutable: every operator returns a
 * new expression with all old fields and one or more new ones. Data is read only when a plan runs.
 *
 * Over a schema that is a literal, by {@link placeholder} or {@link typed}, TypeScript knows the paths and the types of the fields, also of
 * new ones. A path with map keys, casts or extensions is a {@link Path} then.
 *
 * A missing path is a {@link SchemaError} `schema-mismatch` (`unknown-column`), which names fields with similar spelling. A new field
 * needs a parent message and an unused name, otherwise it is an {@link ArgumentError} `invalid-argument` (`path-exists`).
 * @see struct2tensor `expression.Expression`
 */
export class Expression<S extends MessageSchema = MessageSchema> {
  /** @param root the tree of fields. Only extensions of the package call this. */
  constructor(readonly root: Field) {}

  /**
   * The same fields, with the types that the schema declares, as for a {@link placeholder}.
   * @param schema a literal.
   * @throws {SchemaError} `schema-mismatch`: `unknown-column`, `declared-type` for a field of another type.
   */
  typed<const T extends MessageSchema>(schema: T): Expression<T> {
    assertArgument("schema", schema, aMessageSchema);
    assertDeclared(this.root, schema, Path.of([]));
    return new Expression(this.root);
  }

  /** True if a field exists at this path. Also true for map keys, casts and extensions, which {@link knownFields} leaves out. */
  has(path: PathLike): boolean {
    return findField(this.root, Path.from(path)) !== undefined;
  }

  /** The type of the field at a path. @throws {SchemaError} `schema-mismatch` (`unknown-column`). */
  typeOf(path: PathArgument<S>): NodeType {
    return fieldAtPath(this.root, Path.from(path)).node.type;
  }

  /** Names of the fields below a path in declaration order, without map keys, casts and extensions. */
  knownFields(path: PathArgument<S> = ""): readonly string[] {
    return fieldAtPath(this.root, Path.from(path)).knownSteps().map(String);
  }

  /**
   * Every known field with its path, parents first.
   * @throws {ArgumentError} `invalid-argument` (`recursive-type`) for a message type that contains itself.
   */
  knownPaths(): readonly KnownField[] {
    return knownFields(this.root, Path.of([]));
  }

  /** Only the fields at these paths, and the messages around them. A path to a message does not keep its fields. */
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
   * A copy of the field beside its parent: `promote("buyer.pal", "pals")` makes `pals`, with the pals of all buyers of a record.
   * @throws {ArgumentError} `invalid-argument` (`promote-beyond-root`) for a field of the root.
   */
  promote<P extends PathArgument<S>, As extends string>(path: P, as: As): Expression<Promoted<S, P, As>> {
    return new Expression(promote(this.root, Path.from(path), as));
  }

  /**
   * A copy of the field in each message beside it: `broadcast("trip_id", "stop", "id")` makes `stop.id`.
   * @throws {SchemaError} `schema-mismatch` (`sibling-not-message`).
   */
  broadcast<P extends PathArgument<S>, Sibling extends string, As extends string>(
    path: P,
    sibling: Sibling,
    as: As,
  ): Expression<Broadcast<S, P, Sibling, As>> {
    return new Expression(broadcast(this.root, Path.from(path), sibling, as));
  }

  /** Copies of fields in each message at `destination`: promoted to where the paths meet, then broadcast down. */
  promoteAndBroadcast<Fields extends Readonly<Record<string, PathArgument<S>>>, P extends PathArgument<S>>(
    fields: Fields,
    destination: P,
  ): Expression<Moved<S, Fields, P>> {
    if (!isObject(fields)) throw invalidArgument("fields", "paths by new names", fields);
    const paths = Object.fromEntries(Object.entries(fields).map(([as, path]) => [as, Path.from(path)]));
    return new Expression(promoteAndBroadcast(this.root, paths, Path.from(destination)));
  }

  /**
   * Some elements of each parent, as `Array.prototype.slice` takes them.
   * @throws {ArgumentError} `invalid-argument` (`slice-bound`) without `begin` and `end`.
   */
  slice<P extends PathArgument<S>, As extends string>(
    path: P,
    as: As,
    bounds: SliceBounds,
  ): Expression<Beside<S, P, As, FieldAt<S, P>>> {
    return new Expression(slice(this.root, Path.from(path), as, bounds));
  }

  /** The first `limit` elements of each parent. */
  truncate<P extends PathArgument<S>, As extends string>(
    path: P,
    limit: number,
    as: As,
  ): Expression<Beside<S, P, As, FieldAt<S, P>>> {
    assertArgument("limit", limit, anInteger(0));
    return this.slice(path, as, { end: limit });
  }

  /** The number of elements of each parent, int64, beside the field; 0 for a parent without elements. */
  size<P extends PathArgument<S>, As extends string>(
    path: P,
    as: As,
  ): Expression<Beside<S, P, As, Leaf<"int64", false>>> {
    return new Expression(count(this.root, Path.from(path), as, "size"));
  }

  /** True for each parent that has an element, bool, beside the field. */
  hasAny<P extends PathArgument<S>, As extends string>(
    path: P,
    as: As,
  ): Expression<Beside<S, P, As, Leaf<"bool", false>>> {
    return new Expression(count(this.root, Path.from(path), as, "has"));
  }

  /** The position of each element among those of its parent, int64: 0, 1, … */
  positionalIndex<P extends PathArgument<S>, As extends string>(
    path: P,
    as: As,
  ): Expression<Beside<S, P, As, LeafLike<S, P, "int64">>> {
    return new Expression(index(this.root, Path.from(path), as, "positionalIndex"));
  }

  /** The position of each element from the end, int64: …, -2, -1. */
  indexFromEnd<P extends PathArgument<S>, As extends string>(
    path: P,
    as: As,
  ): Expression<Beside<S, P, As, LeafLike<S, P, "int64">>> {
    return new Expression(index(this.root, Path.from(path), as, "indexFromEnd"));
  }

  /**
   * The messages whose child is true. Messages without that child are left out.
   * @throws {SchemaError} `schema-mismatch`: `mask-not-bool`, `mask-repeated`.
   */
  filterByChild<P extends PathArgument<S>, As extends string>(
    path: P,
    child: string,
    as: As,
  ): Expression<Beside<S, P, As, FieldAt<S, P>>> {
    return new Expression(filterByChild(this.root, Path.from(path), child, as));
  }

  /**
   * The elements whose sibling, with the same parents, is true.
   * @throws {SchemaError} `schema-mismatch` (`mask-not-bool`).
   */
  filterBySibling<P extends PathArgument<S>, As extends string>(
    path: P,
    sibling: string,
    as: As,
  ): Expression<Beside<S, P, As, FieldAt<S, P>>> {
    return new Expression(filterBySibling(this.root, Path.from(path), sibling, as));
  }

  /** Makes the messages at a path the root, one row each. @throws {SchemaError} `schema-mismatch` (`reroot-leaf`). */
  reroot<P extends PathArgument<S>>(path: P): Expression<Rerooted<S, P>> {
    return new Expression(reroot(this.root, Path.from(path)));
  }

  /** A field of the root: the position of the record that each row came from, int64. */
  protoIndex<As extends string>(as: As): Expression<Below<S, "", As, Leaf<"int64", false>>> {
    return new Expression(protoIndex(this.root, as));
  }

  /** The fields at most `depth` steps from the root. */
  limitDepth(depth: number): Expression {
    assertArgument("depth", depth, anInteger(0));
    return new Expression(limitDepth(this.root, depth));
  }

  /** Copies fields with everything below them: sources by new paths. A copy lies in the same messages as its source. */
  addPaths(copies: Readonly<Record<string, PathArgument<S>>>): Expression {
    return this.addTo(this, copies);
  }

  /**
   * Fields of another expression over the same data, by new paths here.
   * @throws {ArgumentError} `invalid-argument` (`other-parent`) unless each new parent is computed as its source's parent is.
   */
  addTo(other: AnyExpression, copies: Readonly<Record<string, PathLike>>): Expression {
    assertExpression("other", other);
    if (!isObject(copies)) throw invalidArgument("copies", "paths by new paths", copies);
    const found = Object.entries(copies).map(([target, source]) => {
      const [to, from] = [Path.parse(target), Path.from(source)];
      const field = fieldAtPath(other.root, from);
      return [to, field, from] as const;
    });
    const added = addPaths(this.root, found);
    for (const [to, , from] of found) {
      if (from.length > 0) assertSameParent({ root: this.root, path: to }, { root: other.root, path: from });
    }
    return new Expression(added);
  }

  /** Applies a function to the values of one field. */
  mapFieldValues<P extends PathArgument<S>, As extends string, D extends DType = DType>(
    path: P,
    fn: ValueFunction | ValuesCallback,
    options: MapOptions<As, D>,
  ): Expression<Beside<S, P, As, LeafLike<S, P, D>>> {
    assertFunction(fn);
    assertOptions("mapFieldValues", options, MAP_RULES);
    const { as, dtype } = options;
    return new Expression(mapValues(this.root, [Path.from(path)], as, { fn, dtype }));
  }

  /** Applies a function to the values of several fields of one message, which must have the same parents. */
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
    return new Expression(mapValues(this.root, paths, as, { fn, dtype }));
  }

  /**
   * Applies a function to fields as sparse tensors with one row per message at `parent`. The result has the same number of rows. Its
   * rank is 2, or 1 if it is not repeated.
   */
  mapSparseTensors<P extends PathArgument<S>, As extends string, D extends DType = DType>(
    parent: P,
    fields: readonly PathLike[],
    fn: ValueFunction | SparseCallback,
    options: MapTensorOptions<As, D>,
  ): Expression<Below<S, P, As, Leaf<D, boolean>>> {
    return this.#mapTensors("mapSparse", parent, fields, fn, options);
  }

  /** As {@link mapSparseTensors}, for ragged tensors. The result has rank 2. If it is not repeated, each row has at most one value. */
  mapRaggedTensors<P extends PathArgument<S>, As extends string, D extends DType = DType>(
    parent: P,
    fields: readonly PathLike[],
    fn: ValueFunction | RaggedCallback,
    options: MapTensorOptions<As, D>,
  ): Expression<Below<S, P, As, Leaf<D, boolean>>> {
    return this.#mapTensors("mapRagged", parent, fields, fn, options);
  }

  /** Applies a function to the fields at `paths` below `source`. It returns the fields of `schema`, which become fields there. */
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
   * New fields of the messages at `parent`, computed by a TensorFlow.js model from their leaves. The model sees each message as a
   * row, and runs once per batch for all of its outputs.
   * @throws {ArgumentError} `invalid-argument` unless the bindings name every input of the model, and only outputs that it has.
   * {@link SchemaError} `schema-mismatch`: `not-a-leaf`, `not-a-message`, `int64-to-model`, `function-input`. When it runs,
   * {@link ConversionError} `shape-mismatch` (`model-output`, `expression-shape`), `not-convertible` (`model-failed`, `missing-value`).
   */
  callModel(parent: PathArgument<S>, model: QueryModel, bindings: ModelBindings): Expression {
    assertArgument("model", model, anObject);
    assertArgument("bindings", bindings, anObject);
    return new Expression(callModel(this.root, Path.from(parent), model, bindings));
  }

  /**
   * A copy of a protobuf message field. A function transforms its serialized messages before they are read.
   * @throws {SchemaError} `schema-mismatch` (`not-a-proto-message`).
   */
  transformField<P extends PathArgument<S>, As extends string>(
    path: P,
    as: As,
    fn: PayloadCallback,
  ): Expression<Beside<S, P, As, FieldAt<S, P>>> {
    assertFunction(fn);
    return new Expression(transformField(this.root, Path.from(path), as, fn));
  }

  /** A copy of an optional field, beside it, with a value for every parent. Parents without one get `value`. */
  fill<P extends PathArgument<S>, As extends string>(
    path: P,
    value: Constant,
    as: As,
  ): Expression<Beside<S, P, As, FieldAt<S, P>>> {
    return new Expression(fill(this.root, Path.from(path), value, as));
  }

  /** Attaches the features of a TFMD schema to the fields of the same names. A feature without a field is an error. */
  applySchema(schema: Schema): Expression<S> {
    assertArgument("schema", schema, aTfmdSchema);
    return new Expression(applySchema(this.root, schema));
  }

  /** The features of known fields, including fields that operators derived from them. */
  getSchema(): Schema {
    return schemaOf(this.root);
  }

  /** The feature of the field at a path, or undefined. */
  featureOf(path: PathArgument<S>): Feature | undefined {
    return fieldAtPath(this.root, Path.from(path)).feature;
  }

  #mapTensors<T extends MessageSchema>(
    op: "mapSparse" | "mapRagged",
    parent: PathLike,
    fields: readonly PathLike[],
    fn: ValueFunction | SparseCallback | RaggedCallback,
    options: MapTensorOptions,
  ): Expression<T> {
    assertArgument("fields", fields, aListOfPaths);
    assertFunction(fn);
    assertOptions(`${op}Tensors`, options, { ...MAP_RULES, isRepeated: aBoolean });
    const { as, dtype, isRepeated = true } = options;
    const map = { op, fn, dtype, isRepeated, fields: fields.map((path) => Path.from(path)) };
    return new Expression(mapTensors(this.root, Path.from(parent), as, map));
  }
}

function assertDeclared(root: Field, schema: MessageSchema, above: Path): void {
  for (const [name, declared] of Object.entries(schema)) {
    const path = above.child(name);
    const { type } = fieldAtPath(root, path).node;
    const expected = describeType(typeOfField(declared));
    if (describeType(type) !== expected) throw wrongField("declared-type", path, expected, type);
    if ("fields" in declared) assertDeclared(root, declared.fields, path);
  }
}

/** @throws {ArgumentError} `invalid-argument`. */
export function assertExpression(argument: string, value: unknown): void {
  if (!(value instanceof Expression)) throw invalidArgument(argument, "an Expression", value);
}

function assertFunction(fn: unknown): void {
  if (typeof fn !== "function" && !isValueFunction(fn)) throw invalidArgument("fn", "a function", fn);
}
