import {
  createExampleDecoder,
  createSequenceExampleDecoder,
  type ExampleDecoder,
} from "@tfxio/arrow-encoding";
import type { Kernels } from "@tfxio/wire/kernels";
import type { Handler, Json } from "../handler.js";
import { expectedBatch, plainBatch, type RecordBatchJson } from "../values/arrow-array.js";
import { type FieldJson, formatArrowType, type TypeJson, withoutLarge } from "../values/arrow-type.js";
import { schemaOf } from "../values/proto.js";
import { bytesOf } from "../values/scalar.js";

const asIs = (type: TypeJson): TypeJson => type;

/** Creates a decoder of SequenceExamples if the test vector names a column for feature lists, otherwise a decoder of Examples. */
function decoderFor(input: Json, listType: "list" | "large", kernels: Kernels | undefined): ExampleDecoder {
  const options = {
    kernels,
    listType,
    schema: schemaOf(input),
    rawRecordColumn: input["raw_record_column_name"] as string | undefined,
  };
  const sequenceColumn = input["sequence_column_name"] as string | undefined;
  return sequenceColumn === undefined
    ? createExampleDecoder(options)
    : createSequenceExampleDecoder({ ...options, sequenceColumn });
}

function plainFields(fields: readonly FieldJson[]): unknown {
  return fields.map(({ name, type }) => ({ name, type }));
}

/**
 * Handlers for the decoders of Examples and SequenceExamples. `decode` decodes each case twice. With 32-bit list offsets, our
 * default, the comparison ignores the width of offsets. With 64-bit offsets, the types must be exactly those of tfx_bsl.
 */
export function exampleDecoder(kernels: Kernels | undefined): Readonly<Record<string, Handler>> {
  return {
    decode: {
      actual: (input) => {
        const records = (input["examples_b64"] as readonly string[]).map((b64) => bytesOf({ b64 }));
        return {
          list: plainBatch(decoderFor(input, "list", kernels).decode(records), withoutLarge),
          large: plainBatch(decoderFor(input, "large", kernels).decode(records), asIs),
        };
      },
      expected: (expect) => ({
        list: expectedBatch(expect as unknown as RecordBatchJson, withoutLarge),
        large: expectedBatch(expect as unknown as RecordBatchJson, asIs),
      }),
    },
    construct: {
      actual: (input) => {
        decoderFor(input, "list", kernels);
        return "constructed";
      },
      expected: () => "constructed",
    },
    arrow_schema: {
      actual: (input) => {
        const { fields } = decoderFor(input, "large", kernels).arrowSchema();
        return plainFields(
          fields.map(({ name, type }) => ({ name, type: formatArrowType(type) as TypeJson })),
        );
      },
      expected: (expect) =>
        plainFields((expect["arrow_schema"] ?? expect["columns"]) as readonly FieldJson[]),
    },
  };
}
