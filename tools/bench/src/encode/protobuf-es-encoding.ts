import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { exampleDescriptor } from "../decode/peers/example-descriptor.js";
import { type EncodeSubject, inProcessEncoding } from "./encode-subject.js";
import { rowValues } from "./row-values.js";

const caseOf = { bytes: "bytesList", float: "floatList", int64: "int64List" } as const;

/** Encodes with protobuf-es, which needs a message object for each row. */
export const protobufEsEncoding: EncodeSubject = inProcessEncoding("protobuf-es", ({ set }) => {
  const descriptor = exampleDescriptor();
  const bigint = (low: number, high: number): bigint => (BigInt(high) << 32n) | BigInt(low >>> 0);
  return (batch) => {
    const columns = rowValues(batch, set.columns, bigint);
    return Array.from({ length: batch.numRows }, (_, row) => {
      const feature: Record<string, object> = {};
      for (const { name, kind, isNull, rowSplits, slice } of columns) {
        const value = Array.from(slice(rowSplits[row] as number, rowSplits[row + 1] as number));
        feature[name] = isNull(row) ? {} : { kind: { case: caseOf[kind], value: { value } } };
      }
      // The descriptor exists only at run time, so the compiler does not know the message's type.
      const init = { features: { feature } } as unknown as MessageInitShape<typeof descriptor>;
      return toBinary(descriptor, create(descriptor, init));
    });
  };
});
