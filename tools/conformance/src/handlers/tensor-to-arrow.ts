import { messageToJson, type TensorRepresentation, TensorRepresentationSchema } from "@tfxio/schema";
import { TensorAdapter, TensorsToRecordBatchConverter, type TypeSpec } from "@tfxio/tensor-adapter";
import type { Handler, Json } from "../handler.js";
import type { Place, TensorsJson } from "../places/place.js";
import { expectedBatch, plainBatch, type RecordBatchJson } from "../values/arrow-array.js";
import type { TypeJson } from "../values/arrow-type.js";
import { representationsOf } from "../values/proto.js";
import { typeSpecsOf } from "../values/tensor.js";

const asIs = (type: TypeJson): TypeJson => type;

function mapped<From, To>(
  record: Readonly<Record<string, From>>,
  f: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, f(value)]));
}

function specsOf(input: Json): ReadonlyMap<string, TypeSpec> {
  return typeSpecsOf(input["type_specs"]) ?? new Map();
}

function converterFor(input: Json): TensorsToRecordBatchConverter {
  return new TensorsToRecordBatchConverter(specsOf(input), {
    listType: "large",
    genericSparseTensorNames: input["generic_sparse_tensor_names"] as readonly string[] | undefined,
  });
}

/** Returns the tensors to expect after a round trip, or undefined if the test vector does not define them. */
function roundTripOf(expect: Json, input: Json): TensorsJson | undefined {
  return (expect["round_trip_identity"] === true ? input["tensors"] : expect["round_trip_tensors"]) as
    | TensorsJson
    | undefined;
}

const plainRepresentation = (message: TensorRepresentation): unknown =>
  messageToJson(TensorRepresentationSchema, message);

/**
 * Handlers of the operations of TensorsToRecordBatchConverter. The tensors are created at `place`. Vectors expect lists with
 * 64-bit offsets (LargeList), as tfx_bsl returns them. If a test vector defines a round trip, the batch is converted back to
 * tensors with the converter's representations.
 */
export function tensorToArrow(place: Place): Readonly<Record<string, Handler>> {
  return {
    construct: {
      actual: (input) => {
        converterFor(input);
        return "constructed";
      },
      expected: () => "constructed",
    },
    convert: {
      actual: async (input, expect) => {
        const converter = converterFor(input);
        const batch = await place.convert(converter, specsOf(input), input["tensors"] as TensorsJson);
        return {
          ...("record_batch" in expect && { batch: plainBatch(batch, asIs) }),
          ...("tensor_representations" in expect && {
            representations: mapped(Object.fromEntries(converter.tensorRepresentations), plainRepresentation),
          }),
          ...(roundTripOf(expect, input) !== undefined && {
            tensors: await place.read(new TensorAdapter(converter), batch),
          }),
        };
      },
      expected: (expect, input) => {
        const { record_batch, tensor_representations } = expect;
        const tensors = roundTripOf(expect, input);
        return {
          ...(record_batch !== undefined && { batch: expectedBatch(record_batch as RecordBatchJson, asIs) }),
          ...(tensor_representations !== undefined && {
            representations: mapped(
              Object.fromEntries(representationsOf(tensor_representations)),
              plainRepresentation,
            ),
          }),
          ...(tensors !== undefined && { tensors: mapped(tensors, place.expected) }),
        };
      },
    },
  };
}
