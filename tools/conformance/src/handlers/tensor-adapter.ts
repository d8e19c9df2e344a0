import { TensorAdapter } from "@tfxio/tensor-adapter";
import type { Handler, Json } from "../handler.js";
import type { Place, TensorsJson } from "../places/place.js";
import { buildArrowSchema, buildRecordBatch, type RecordBatchJson } from "../values/arrow-array.js";
import type { FieldJson } from "../values/arrow-type.js";
import { representationsOf } from "../values/proto.js";
import { plainTypeSpec, typeSpecsOf } from "../values/tensor.js";

function adapterFor(input: Json): TensorAdapter {
  const fields = (input["arrow_schema"] ??
    (input["record_batch"] as RecordBatchJson).columns) as readonly FieldJson[];
  return new TensorAdapter({
    arrowSchema: buildArrowSchema(fields),
    tensorRepresentations: representationsOf(input["tensor_representations"]),
    originalTypeSpecs: typeSpecsOf(input["original_type_specs"]),
  });
}

function plainSpecs(adapter: TensorAdapter): unknown {
  return Object.fromEntries([...adapter.typeSpecs()].map(([name, spec]) => [name, plainTypeSpec(spec)]));
}

/** Handlers of the operations of TensorAdapter. The tensors are created at `place`. */
export function tensorAdapter(place: Place): Readonly<Record<string, Handler>> {
  return {
    construct: {
      actual: (input) => {
        adapterFor(input);
        return "constructed";
      },
      expected: () => "constructed",
    },
    type_specs: {
      actual: (input) => ({ type_specs: plainSpecs(adapterFor(input)) }),
      expected: (expect) => ({ type_specs: expect["type_specs"] }),
    },
    to_tensors: {
      actual: async (input, expect) => {
        const adapter = adapterFor(input);
        return {
          tensors: await place.read(adapter, buildRecordBatch(input["record_batch"] as RecordBatchJson)),
          ...("type_specs" in expect && { type_specs: plainSpecs(adapter) }),
        };
      },
      expected: (expect) => {
        const tensors = Object.entries(expect["tensors"] as TensorsJson);
        return {
          tensors: Object.fromEntries(tensors.map(([name, tensor]) => [name, place.expected(tensor)])),
          ...("type_specs" in expect && { type_specs: expect["type_specs"] }),
        };
      },
    },
  };
}
