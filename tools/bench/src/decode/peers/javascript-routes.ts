import type { ColumnSpec } from "../../sets/bench-set.js";
import { inProcessSubject } from "../in-process-subject.js";
import type { DecodeSubject } from "../subject.js";
import { tfRecordPayloads } from "../tf-record-payloads.js";
import { createBatchAssembler } from "./batch-assembler.js";
import { builderColumn } from "./builder-column.js";
import type { CreateColumn, ObjectDecoder } from "./object-decoder.js";
import { protobufEsObjects } from "./protobuf-es-objects.js";
import { protobufjsObjects } from "./protobufjs-objects.js";
import { typedColumn } from "./typed-column.js";

/** Subjects that decode TFRecords to Arrow with protobuf libraries. They do not check CRCs, which gives them an advantage. */
export const javascriptRoutes: readonly DecodeSubject[] = [
  route("protobufjs", protobufjsObjects, typedColumn),
  route("protobufjs:builders", protobufjsObjects, builderColumn),
  route("protobuf-es", protobufEsObjects, typedColumn),
  route("protobuf-es:builders", protobufEsObjects, builderColumn),
];

function route(
  name: string,
  createObjects: (columns: readonly ColumnSpec[]) => ObjectDecoder,
  createColumn: CreateColumn,
): DecodeSubject {
  return inProcessSubject({
    name,
    route: "javascript",
    reads: "sample",
    createDecoder: ({ columns }) => {
      const decoder = createObjects(columns);
      return (bytes, sink) => {
        const assembler = createBatchAssembler(columns, decoder.int64, createColumn, sink);
        for (const payload of tfRecordPayloads(bytes)) assembler.append(decoder.decode(payload));
        assembler.finish();
      };
    },
  });
}
