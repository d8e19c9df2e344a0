import protobuf from "protobufjs";
import { protoFile } from "../decode/peers/protobufjs-objects.js";
import { type EncodeSubject, inProcessEncoding } from "./encode-subject.js";
import { rowValues } from "./row-values.js";

const listOf = { bytes: "bytesList", float: "floatList", int64: "int64List" } as const;

/** Encodes with protobufjs, which needs an object for each row. Floats are in typed arrays, all other values in plain arrays. */
export const protobufjsEncoding: EncodeSubject = inProcessEncoding("protobufjs", ({ set }) => {
  const type = protobuf.loadSync(protoFile).lookupType("tensorflow.Example");
  const long = (low: number, high: number): object => ({ low, high, unsigned: false });
  return (batch) => {
    const columns = rowValues(batch, set.columns, long);
    return Array.from({ length: batch.numRows }, (_, row) => {
      const feature: Record<string, object> = {};
      for (const { name, kind, isNull, rowSplits, slice } of columns) {
        const value = slice(rowSplits[row] as number, rowSplits[row + 1] as number);
        feature[name] = isNull(row) ? {} : { [listOf[kind]]: { value } };
      }
      return type.encode({ features: { feature } }).finish();
    });
  };
});
