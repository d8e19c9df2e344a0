import { createFileRegistry, type DescMessage, fromJson, type JsonObject } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { BenchError } from "../../measurement.js";

const repeated = (name: string, number: number, type: string, typeName?: string): JsonObject => ({
  name,
  number,
  label: "LABEL_REPEATED",
  type,
  ...(typeName === undefined ? {} : { typeName }),
});
const message = (
  name: string,
  number: number,
  typeName: string,
  oneof?: { oneofIndex: number },
): JsonObject => ({
  name,
  number,
  label: "LABEL_OPTIONAL",
  type: "TYPE_MESSAGE",
  typeName,
  ...oneof,
});

/**
 * Creates the descriptor of `tensorflow.Example` for protobuf-es from a FileDescriptorProto, which is what `protoc` passes to a
 * code generator. The generated code in our packages is not used, so that the peer shares no code with our decoder.
 * @see proto/tensorflow/core/example/example.proto
 */
export function exampleDescriptor(): DescMessage {
  const file = fromJson(FileDescriptorProtoSchema, {
    name: "example.proto",
    package: "tensorflow",
    syntax: "proto3",
    messageType: [
      { name: "BytesList", field: [repeated("value", 1, "TYPE_BYTES")] },
      { name: "FloatList", field: [repeated("value", 1, "TYPE_FLOAT")] },
      { name: "Int64List", field: [repeated("value", 1, "TYPE_INT64")] },
      {
        name: "Feature",
        oneofDecl: [{ name: "kind" }],
        field: [
          message("bytes_list", 1, ".tensorflow.BytesList", { oneofIndex: 0 }),
          message("float_list", 2, ".tensorflow.FloatList", { oneofIndex: 0 }),
          message("int64_list", 3, ".tensorflow.Int64List", { oneofIndex: 0 }),
        ],
      },
      {
        name: "Features",
        field: [repeated("feature", 1, "TYPE_MESSAGE", ".tensorflow.Features.FeatureEntry")],
        nestedType: [
          {
            name: "FeatureEntry",
            options: { mapEntry: true },
            field: [
              { name: "key", number: 1, label: "LABEL_OPTIONAL", type: "TYPE_STRING" },
              message("value", 2, ".tensorflow.Feature"),
            ],
          },
        ],
      },
      { name: "Example", field: [message("features", 1, ".tensorflow.Features")] },
    ],
  });
  const descriptor = createFileRegistry(file, () => undefined).getMessage("tensorflow.Example");
  if (descriptor === undefined) throw new BenchError("the descriptor of tensorflow.Example does not resolve");
  return descriptor;
}
