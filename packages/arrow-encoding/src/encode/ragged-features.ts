import type { Schema } from "@tfxio/schema";
import { SchemaError, UnsupportedError } from "@tfxio/wire";

/** The tf.Example features of one ragged column. */
export interface RaggedFeatures {
  /** Name of the feature that holds the innermost values. */
  readonly valueName: string;
  /** The features that hold the row lengths, outermost first. Each list level except the outermost has one. */
  readonly partitions: readonly RaggedPartition[];
}

/** A partition by row lengths, stored in the feature `name`. */
export interface RaggedPartition {
  readonly name: string;
  /**
   * The product of the uniform row lengths that directly follow this partition. Row lengths are divided by it before they are
   * stored.
   */
  readonly divisor: number;
}

/**
 * Returns the features of all ragged representations of a schema, in all of its tensor representation groups. The keys are tensor
 * names, which are also column names. For a repeated name, the first representation is used. If `struct` names the column of
 * feature lists, representations of values inside it are excluded, because feature lists need no row lengths.
 * @throws {UnsupportedError} `unsupported` (`feature-path`) for a value path that does not have exactly one step.
 * @throws {SchemaError} `schema-invalid` (`representation`) for a partition that has neither a row length nor a positive uniform
 *   length.
 */
export function raggedFeaturesOf(schema: Schema, struct?: string): ReadonlyMap<string, RaggedFeatures> {
  const features = new Map<string, RaggedFeatures>();
  for (const group of Object.values(schema.tensorRepresentationGroup)) {
    for (const [name, { kind }] of Object.entries(group.tensorRepresentation)) {
      if (kind.case !== "raggedTensor") continue;
      const { featurePath, partition } = kind.value;
      const [valueName, ...more] = featurePath?.step ?? [];
      if (struct !== undefined && valueName === struct) continue;
      if (valueName === undefined || more.length > 0) {
        throw new UnsupportedError(
          `The value path of tensor "${name}" must have one step to be encoded in a tf.Example, ` +
            `found ${featurePath?.step.length ?? 0} steps.`,
          { reason: "feature-path", feature: "encoding of nested value paths" },
        );
      }
      const partitions = partitionsOf(name, partition);
      if (!features.has(name)) features.set(name, { valueName, partitions });
    }
  }
  return features;
}

type RaggedTensor = Extract<
  Schema["tensorRepresentationGroup"][string]["tensorRepresentation"][string]["kind"],
  { case: "raggedTensor" }
>["value"];

/**
 * Returns the partitions that have row lengths. Uniform lengths before the first partition with row lengths are the lengths of
 * each row's outer lists, and need no feature.
 */
function partitionsOf(tensorName: string, partitions: RaggedTensor["partition"]): RaggedPartition[] {
  const result: { name: string; divisor: number }[] = [];
  for (const { kind } of partitions) {
    if (kind.case === "rowLength") result.push({ name: kind.value, divisor: 1 });
    else if (kind.case === "uniformRowLength" && kind.value > 0n) {
      const last = result.at(-1);
      if (last !== undefined) last.divisor *= Number(kind.value);
    } else {
      throw new SchemaError(
        "schema-invalid",
        `A partition of tensor "${tensorName}" must have a row_length or a positive uniform_row_length, ` +
          `found ${kind.case === undefined ? "neither" : `uniform_row_length ${kind.value}`}.`,
        { reason: "representation", columnPath: tensorName },
      );
    }
  }
  return result;
}
