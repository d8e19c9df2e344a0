import { ConversionError } from "@tfxio/wire";
import type { TypeSpec } from "../type-spec.js";
import { isDType } from "./arrow-columns.js";
import type { ColumnWriter, WriterOptions } from "./column-writer.js";
import { denseWriter } from "./dense-writer.js";
import { raggedWriter } from "./ragged-writer.js";
import { sparseWriter } from "./sparse-writer.js";
import { varLenSparseWriter } from "./varlen-sparse-writer.js";

/** Creates the writer for tensors of a spec. @throws {ConversionError} `not-convertible` (`no-handler`). */
export function createWriter(name: string, spec: TypeSpec, options: WriterOptions): ColumnWriter {
  const writer = isDType(spec.dtype)
    ? (varLenSparseWriter(name, spec, options) ??
      raggedWriter(name, spec, options) ??
      denseWriter(name, spec, options) ??
      sparseWriter(spec, options))
    : undefined;
  if (writer !== undefined) return writer;
  throw new ConversionError(
    "not-convertible",
    `No handler found for tensor "${name}": columns cannot represent ${spec}.`,
    {
      reason: "no-handler",
      tensorName: name,
    },
  );
}
