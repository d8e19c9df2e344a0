import { createExampleDecoder, createExampleEncoder, type ExampleEncoder } from "@tfxio/arrow-encoding";
import { createTfExampleParserConfig, FeatureType, getTensorRepresentationsFromSchema } from "@tfxio/schema";
import type { Handler, Json } from "../handler.js";
import { parseSingleExample } from "../parse-example.js";
import { buildRecordBatch, plainBatch, type RecordBatchJson } from "../values/arrow-array.js";
import { requiredSchema, schemaOf } from "../values/proto.js";
import { bytesOf } from "../values/scalar.js";
import type { TensorJson } from "../values/tensor.js";

function encoderFor(input: Json): ExampleEncoder {
  return createExampleEncoder({ schema: schemaOf(input) });
}

function encode(input: Json): readonly Uint8Array[] {
  return encoderFor(input).encode(buildRecordBatch(input["record_batch"] as RecordBatchJson));
}

/** Decodes each message into a separate batch. This makes a feature without a kind visible, as a column of type Null. */
function plainMessages(records: readonly Uint8Array[]): unknown {
  return records.map((record) => plainBatch(createExampleDecoder().decode([record]), (type) => type));
}

/** Returns a parsed row as nested lists. */
function nestedOf(tensor: TensorJson): unknown {
  if (tensor.kind === "dense") return tensor.values;
  if (tensor.kind === "sparse")
    throw new TypeError("a ragged representation must not produce a sparse tensor");
  let values: readonly unknown[] = tensor.flat_values.values;
  for (const splits of tensor.nested_row_splits.toReversed()) {
    const inner = values;
    values = splits.slice(1).map((end, row) => inner.slice(splits[row], end));
  }
  return values;
}

/**
 * Parses the records, and returns each tensor as nested lists with its ragged rank. Uniform partitions after the last ragged
 * partition are inner dimensions, so they do not add to the rank.
 */
function parsedTensors(input: Json, records: readonly Uint8Array[]): unknown {
  const types = input["feature_types"] as Readonly<Record<string, keyof typeof FeatureType>>;
  const representations = getTensorRepresentationsFromSchema(requiredSchema(input)) ?? new Map();
  const tensors = Array.from(representations, ([name, representation]) => {
    const type = FeatureType[types[name] as keyof typeof FeatureType];
    const spec = createTfExampleParserConfig(representation, type);
    if (spec.kind !== "RaggedFeature")
      throw new TypeError(`"${name}" must be a RaggedFeature, found ${spec.kind}`);
    const nested = records.map((record) => nestedOf(parseSingleExample(record, name, spec)));
    const ragged_rank = 2 + spec.partitions.findLastIndex((partition) => "rowLengths" in partition);
    return [name, { nested, ragged_rank }] as const;
  });
  return Object.fromEntries(tensors);
}

/**
 * Handlers for the encoder of Examples. Encoded messages are compared after decoding, so the order of features does not matter.
 */
export const exampleEncoder: Readonly<Record<string, Handler>> = {
  construct: {
    actual: (input) => {
      encoderFor(input);
      return "constructed";
    },
    expected: () => "constructed",
  },
  encode: {
    actual: (input) => plainMessages(encode(input)),
    expected: (expect) =>
      plainMessages((expect["examples_b64"] as readonly string[]).map((b64) => bytesOf({ b64 }))),
  },
  encode_then_parse_example: {
    actual: (input) => parsedTensors(input, encode(input)),
    expected: (expect) => expect["tensors"],
  },
};
