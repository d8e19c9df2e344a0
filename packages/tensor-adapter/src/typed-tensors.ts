import {
  type FeatureDefinitions,
  featuresFrom,
  type FeatureKind,
  type FeaturesOf,
  type Schema,
} from "@tfxio/schema";
import { SchemaError } from "@tfxio/wire";
import type { HostColumn, HostColumns, HostDense, HostRagged, HostSparse } from "./host/host-column.js";
import type { TensorAdapterConfig } from "./adapter-options.js";
import { TensorAdapter } from "./tensor-adapter.js";
import type { TypeSpec } from "./type-spec.js";
import { aListOfNames, anObject, assertArgument, assertOptional, invalidArgument } from "@tfxio/wire/checks";

/** Creates the adapter of a TFXIO. This is the type of the `adapter` option of `openTfxio`. */
export type AdapterFactory<Columns extends HostColumns = HostColumns> = (
  config: TensorAdapterConfig,
) => TensorAdapter<Columns>;

interface DTypesOfKinds {
  readonly int: "int64";
  readonly float: "float32";
  readonly bytes: "string";
}

type ColumnOf<Feature> = Feature extends { readonly kind: infer Kind; readonly dimensions: infer Shape }
  ? Kind extends keyof DTypesOfKinds
    ? Shape extends readonly number[]
      ? HostDense<DTypesOfKinds[Kind]>
      : HostSparse<DTypesOfKinds[Kind]> | HostRagged<DTypesOfKinds[Kind]>
    : HostColumn
  : HostColumn;

type ChildColumnOf<Feature> = Feature extends { readonly kind: infer Kind extends keyof DTypesOfKinds }
  ? HostRagged<DTypesOfKinds[Kind]>
  : HostRagged;

type StructNames<Features extends FeatureDefinitions> = {
  [Name in keyof Features & string]: Features[Name]["kind"] extends "struct" ? Name : never;
}[keyof Features & string];

type ChildNames<Features extends FeatureDefinitions> = {
  [Name in StructNames<Features>]: `${Name}.${keyof Features[Name]["children"] & string}`;
}[StructNames<Features>];

/**
 * The host columns of a schema from `defineSchema`, by tensor name. Features with a shape are dense; other features are
 * sparse or ragged. Each child of a struct is a ragged column named `struct.child`. If a schema does not come from
 * `defineSchema`, its type does not list the features, so every name is allowed.
 */
export type HostColumnsOf<AnySchema extends Schema> = string extends keyof FeaturesOf<AnySchema>
  ? HostColumns
  : ColumnsOfFeatures<FeaturesOf<AnySchema>>;

type ColumnsOfFeatures<Features extends FeatureDefinitions> = {
  readonly [Name in Exclude<keyof Features & string, StructNames<Features>>]: ColumnOf<Features[Name]>;
} & {
  readonly [Name in ChildNames<Features>]: Name extends `${infer Struct}.${infer Child}`
    ? ChildColumnOf<Features[Struct]["children"][Child]>
    : HostRagged;
};

/** Names of the tensors that a schema's type declares. */
export type TensorNamesOf<AnySchema extends Schema> = keyof HostColumnsOf<AnySchema> & string;

/**
 * Returns a factory of adapters whose tensor types are derived from the schema. For example,
 * `openTfxio(file, { schema, adapter: typedTensors(schema) })` gives a typed `tensors.age`. The factory checks that the adapter's
 * tensors have these types.
 * @param names names of the tensors that get a type. Default: the tensors of all features. Required if some feature lacks a
 * tensor of the same name. A feature lacks one if it is part of a sparse feature, if its tensor has another name, or if it is
 * deprecated or in a lifecycle stage before BETA.
 * @throws {SchemaError} from the factory, `schema-mismatch` (`typed-tensor`), if a tensor is missing, or if its kind or dtype
 * differs from the schema's.
 */
export function typedTensors<
  AnySchema extends Schema,
  Name extends TensorNamesOf<AnySchema> = TensorNamesOf<AnySchema>,
>(schema: AnySchema, names?: readonly Name[]): AdapterFactory<Pick<HostColumnsOf<AnySchema>, Name>> {
  assertArgument("schema", schema, anObject);
  if (!Array.isArray(schema.feature)) throw invalidArgument("schema", "a Schema", schema);
  assertOptional("names", names, aListOfNames);
  const expected = expectedTensors(schema);
  return (config) => {
    const adapter = new TensorAdapter<Pick<HostColumnsOf<AnySchema>, Name>>(config);
    const specs = adapter.typeSpecs();
    for (const name of names ?? expected.keys()) {
      const found = specs.get(name);
      const { isDense, dtype, isStruct } = expected.get(name) ?? {};
      const isKind = isStruct ? found?.kind === "ragged" : (found?.kind === "tensor") === isDense;
      if (found !== undefined && isKind && (dtype === undefined || dtype === found.dtype)) continue;
      throw mismatch(name, found);
    }
    return adapter;
  };
}

interface ExpectedTensor {
  readonly isDense: boolean;
  readonly isStruct: boolean;
  readonly dtype: string | undefined;
}

const dtypes: Readonly<Record<FeatureKind, string | undefined>> = {
  int: "int64",
  float: "float32",
  bytes: "string",
  struct: undefined,
  unknown: undefined,
};

function expectedTensors(schema: Schema): Map<string, ExpectedTensor> {
  return new Map(
    Object.entries(featuresFrom(schema)).flatMap(([name, builder]): [string, ExpectedTensor][] => {
      const { kind, dimensions, children } = builder;
      if (kind !== "struct") {
        return [[name, { isDense: dimensions !== undefined, isStruct: false, dtype: dtypes[kind] }]];
      }
      return Object.entries(children).map(([child, inner]) => [
        `${name}.${child}`,
        { isDense: false, isStruct: true, dtype: dtypes[inner.kind] },
      ]);
    }),
  );
}

function mismatch(name: string, found: TypeSpec | undefined): SchemaError {
  return new SchemaError(
    "schema-mismatch",
    found === undefined
      ? `There is no tensor "${name}". Pass typedTensors a list of names without it; the default is the tensors of all features.`
      : `The tensor "${name}" is ${found}, which matches no feature of that name in the schema.`,
    { reason: "typed-tensor", columnPath: name, actual: String(found ?? "no tensor") },
  );
}
