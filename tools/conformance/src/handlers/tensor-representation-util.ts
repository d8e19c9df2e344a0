import {
  createTfExampleParserConfig,
  createTfSequenceExampleParserConfig,
  type FeatureSpec,
  FeatureType,
  getSourceColumns,
  getSourceValueColumn,
  getTensorRepresentationsFromSchema,
  inferTensorRepresentationsFromMixedSchema,
  inferTensorRepresentationsFromSchema,
  messageToJson,
  projectTensorRepresentationsInSchema,
  schemaToJson,
  type TensorRepresentations,
  TensorRepresentationSchema,
  validateTensorRepresentationsInSchema,
} from "@tfxio/schema";
import type { Handler, Json } from "../handler.js";
import { parseSingleExample, plainDefault } from "../parse-example.js";
import { representationOf, representationsOf, requiredSchema } from "../values/proto.js";
import { bytesOf } from "../values/scalar.js";
import { canonicalTensor, type TensorJson } from "../values/tensor.js";

/**
 * Converts messages to protobuf JSON, in which map entries have no order. It omits unset fields, but not explicit default values.
 */
function plainRepresentations(representations: TensorRepresentations | undefined): unknown {
  if (representations === undefined) return null;
  return Object.fromEntries(
    [...representations].map(([name, message]) => [name, messageToJson(TensorRepresentationSchema, message)]),
  );
}

function expectedRepresentations(json: unknown): unknown {
  return json === null ? null : plainRepresentations(representationsOf(json));
}

const profileOf = (input: Json): { profile: "legacy" | "current" } => ({
  profile: input["generate_legacy_feature_spec"] === true ? "legacy" : "current",
});

/** Returns a feature spec in the notation of the test vectors. */
function plainFeatureSpec(spec: FeatureSpec): unknown {
  const { kind, dtype } = spec;
  switch (spec.kind) {
    case "FixedLenFeature": {
      const default_value = spec.defaultValue === null ? null : plainDefault(spec.defaultValue);
      return { kind, dtype, shape: [...spec.shape], default_value };
    }
    case "VarLenFeature":
      return { kind, dtype };
    case "SparseFeature": {
      const { indexKeys, valueKey, size, alreadySorted } = spec;
      return {
        kind,
        dtype,
        index_key: [...indexKeys],
        value_key: valueKey,
        size: [...size],
        already_sorted: alreadySorted,
      };
    }
    case "RaggedFeature": {
      const partitions = spec.partitions.map((partition) =>
        "rowLengths" in partition
          ? { row_lengths: partition.rowLengths }
          : { uniform_row_length: partition.uniformRowLength },
      );
      return { kind, dtype, value_key: spec.valueKey, partitions, row_splits_dtype: spec.rowSplitsDtype };
    }
  }
}

function plainFeatureSpecs(specs: ReadonlyMap<string, FeatureSpec>): unknown {
  return Object.fromEntries([...specs].map(([name, spec]) => [name, plainFeatureSpec(spec)]));
}

/** Returns an expected tensor without the dtype of its row splits. That dtype is compared as part of the spec. */
function withoutSplitsDtype(tensor: TensorJson): TensorJson {
  if (tensor.kind !== "ragged") return canonicalTensor(tensor);
  const { kind, dtype, nested_row_splits, flat_values } = tensor;
  return canonicalTensor({ kind, dtype, nested_row_splits, flat_values });
}

/** Handlers of functions on tensor representations and on parser configurations. */
export const tensorRepresentationUtil: Readonly<Record<string, Handler>> = {
  InferTensorRepresentationsFromSchema: {
    actual: (input, expect) => {
      const schema = requiredSchema(input);
      const sameFor = (expect["same_for"] ?? []) as readonly string[];
      return {
        schema: plainRepresentations(inferTensorRepresentationsFromSchema(schema, profileOf(input))),
        ...(sameFor.includes("InferTensorRepresentationsFromMixedSchema") && {
          mixed: plainRepresentations(inferTensorRepresentationsFromMixedSchema(schema, profileOf(input))),
        }),
      };
    },
    expected: (expect) => {
      const representations = expectedRepresentations(expect["tensor_representations"]);
      return { schema: representations, ...("same_for" in expect && { mixed: representations }) };
    },
  },
  InferTensorRepresentationsFromMixedSchema: {
    actual: (input) =>
      plainRepresentations(
        inferTensorRepresentationsFromMixedSchema(requiredSchema(input), profileOf(input)),
      ),
    expected: (expect) => expectedRepresentations(expect["tensor_representations"]),
  },
  GetTensorRepresentationsFromSchema: {
    actual: (input) => plainRepresentations(getTensorRepresentationsFromSchema(requiredSchema(input))),
    expected: (expect) => expectedRepresentations(expect["tensor_representations"]),
  },
  GetSourceColumnsFromTensorRepresentation: {
    actual: (input) =>
      getSourceColumns(representationOf(input["tensor_representation"])).map(({ steps }) => [...steps]),
    expected: (expect) => expect["paths"],
  },
  GetSourceValueColumnFromTensorRepresentation: {
    actual: (input) => [...getSourceValueColumn(representationOf(input["tensor_representation"])).steps],
    expected: (expect) => expect["path"],
  },
  CreateTfExampleParserConfig: {
    actual: (input, expect) => {
      const type = FeatureType[input["feature_type"] as keyof typeof FeatureType];
      const spec = createTfExampleParserConfig(representationOf(input["tensor_representation"]), type);
      const sample = bytesOf({ b64: input["sample_example_b64"] ?? "" });
      return {
        feature: plainFeatureSpec(spec),
        ...("parsed" in expect && { parsed: parseSingleExample(sample, "feat", spec) }),
      };
    },
    expected: (expect) => ({
      feature: expect["feature"],
      ...("parsed" in expect && { parsed: withoutSplitsDtype(expect["parsed"] as TensorJson) }),
    }),
  },
  CreateTfSequenceExampleParserConfig: {
    actual: (input) => {
      const { context, sequence } = createTfSequenceExampleParserConfig(requiredSchema(input));
      return { context: plainFeatureSpecs(context), sequence: plainFeatureSpecs(sequence) };
    },
    expected: ({ context, sequence }) => ({ context, sequence }),
  },
  ProjectTensorRepresentationsInSchema: {
    actual: (input) =>
      schemaToJson(
        projectTensorRepresentationsInSchema(
          requiredSchema(input),
          input["tensor_names"] as string[],
          profileOf(input),
        ),
      ),
    expected: (expect) => schemaToJson(requiredSchema(expect)),
  },
  ValidateTensorRepresentationsInSchema: {
    actual: (input) => {
      validateTensorRepresentationsInSchema(requiredSchema(input), String(input["group"]));
      return true;
    },
    expected: (expect) => expect["ok"],
  },
};
