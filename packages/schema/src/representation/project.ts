import { clone, create } from "@bufbuild/protobuf";
import { SchemaError } from "@tfxio/wire";
import { assertOptions } from "@tfxio/wire/checks";
import type { ColumnPath } from "../column-path.js";
import {
  type Feature,
  FloatDomainSchema,
  IntDomainSchema,
  type Schema,
  SchemaSchema,
  StringDomainSchema,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";
import { inferTensorRepresentationsFromSchema } from "../inference/infer.js";
import type { InferenceProfile } from "../inference/inference.js";
import { pruneFeatures } from "../prune.js";
import { getTensorRepresentationsFromSchema, setTensorRepresentationsInSchema } from "./representations.js";
import { getSourceColumns } from "./source-columns.js";
import { assertSchema, INFERENCE_RULES } from "../argument-rules.js";

/** Options of {@link projectTensorRepresentationsInSchema}. */
export interface ProjectionOptions {
  /** Group to project. Default `""`. If the schema lacks it, the inferred tensors are projected. */
  readonly group?: string | undefined;
  /** Rules to infer by. Default `"current"`. */
  readonly profile?: InferenceProfile | undefined;
}

/**
 * Creates a schema with only the tensors that `tensorNames` lists. The result has an explicit representation of each, and copies
 * of their source features in schema order. Structs keep only the children that the tensors need. The result also has the domains
 * that these features name, and the default environments. `schema` is not modified.
 * @throws {SchemaError} `schema-mismatch`, reason `projection`, for an unknown tensor name or a source column that is not a
 *   feature. Other errors as for {@link inferTensorRepresentationsFromSchema}.
 * @see tfx_bsl `ProjectTensorRepresentationsInSchema`
 */
export function projectTensorRepresentationsInSchema(
  schema: Schema,
  tensorNames: Iterable<string>,
  options: ProjectionOptions = {},
): Schema {
  assertSchema(schema);
  const { onWarning: _, ...rules } = INFERENCE_RULES;
  assertOptions("projectTensorRepresentationsInSchema", options, rules);
  const { group, profile } = options;
  const all =
    getTensorRepresentationsFromSchema(schema, group) ??
    inferTensorRepresentationsFromSchema(schema, { profile });
  const wanted = new Set(tensorNames);
  const unknown = [...wanted].filter((name) => !all.has(name));
  if (unknown.length > 0) {
    throw projectionError(`no tensors ${quoted(unknown)}`, quoted(all.keys()), quoted(unknown));
  }
  const projected = new Map([...all].filter(([name]) => wanted.has(name)));
  const columns = [...projected.values()].flatMap(getSourceColumns);
  const { features, missing } = featuresOf(schema, columns);
  if (missing.length > 0) {
    throw projectionError(
      `no features ${quoted(missing)}, which the tensors need`,
      quoted(schema.feature.map(({ name }) => name)),
      quoted(missing),
    );
  }
  const result = create(SchemaSchema, {
    feature: features,
    defaultEnvironment: [...schema.defaultEnvironment],
    ...domainsNamedBy(features, schema),
  });
  setTensorRepresentationsInSchema(result, projected, group);
  return result;
}

/**
 * Copies the features at `columns` and the structs around them. `missing` lists columns that the schema lacks. If a name is
 * repeated, the first declaration is used, as in the decoders.
 */
function featuresOf(
  schema: Schema,
  columns: readonly ColumnPath[],
): { readonly features: Feature[]; readonly missing: readonly string[] } {
  const missing = new Set(columns.map(String));
  const wanted = new Set(missing);
  const around = new Set(
    columns.flatMap((column) => column.steps.map((_, i) => column.prefix(i).toString())),
  );
  const seen = new Set<string>();
  const features = pruneFeatures(schema.feature, (_, path) => {
    const key = path.toString();
    if (seen.has(key)) return false;
    seen.add(key);
    missing.delete(key);
    const isInside = path.steps.some((_step, i) => wanted.has(path.prefix(i + 1).toString()));
    return isInside || around.has(key);
  });
  return { features, missing: [...missing] };
}

/** Copies the schema-level domains to which `features` refer by name. */
function domainsNamedBy(
  features: readonly Feature[],
  schema: Schema,
): Pick<Schema, "stringDomain" | "intDomain" | "floatDomain"> {
  const names = new Set<string>();
  pruneFeatures(features, ({ domainInfo }) => {
    if (domainInfo.case === "domain") names.add(domainInfo.value);
    return true;
  });
  const isNamed = ({ name }: { readonly name: string }): boolean => names.has(name);
  return {
    stringDomain: schema.stringDomain.filter(isNamed).map((domain) => clone(StringDomainSchema, domain)),
    intDomain: schema.intDomain.filter(isNamed).map((domain) => clone(IntDomainSchema, domain)),
    floatDomain: schema.floatDomain.filter(isNamed).map((domain) => clone(FloatDomainSchema, domain)),
  };
}

function projectionError(problem: string, expected: string, actual: string): SchemaError {
  return new SchemaError("schema-mismatch", `The schema has ${problem}; it has ${expected}.`, {
    reason: "projection",
    expected,
    actual,
  });
}

function quoted(names: Iterable<string>): string {
  return [...names].map((name) => `"${name}"`).join(", ") || "none";
}
