import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { recordBatchOf } from "@tfxio/arrow-encoding";
import { type DataType, type Field, List, makeBuilder, type RecordBatch, Struct } from "apache-arrow";
import protobufjs from "protobufjs";
import { BenchError } from "../measurement.js";
import { messageSets } from "./message-sets.js";
import { batchRows, inProcess, type ProtoInput, type ProtoSubject } from "./proto-subject.js";

type Fields = Readonly<Record<string, unknown>>;

/** Decodes messages to objects with protobuf-es. arrow-js builders turn the objects into columns. */
export const protobufEsMessages: ProtoSubject = {
  name: "protobuf-es:builders",
  prepare: inProcess((input) => {
    const set = fromBinary(FileDescriptorSetSchema, Buffer.from(input.type.descriptor, "base64"));
    const desc = createFileRegistry(set).getMessage(input.type.message);
    if (desc === undefined) throw new BenchError(`no descriptor of ${input.type.message}`);
    return () => build(input, (record) => fromBinary(desc, record), camelCase);
  }),
};

/** Decodes messages to objects with protobufjs, which compiles a decoder for the type. arrow-js builders create the columns. */
export const protobufjsMessages: ProtoSubject = {
  name: "protobufjs:builders",
  prepare: inProcess((input) => {
    const set = messageSets.find(({ message }) => message === input.type.message);
    if (set === undefined) throw new BenchError(`no .proto text of ${input.type.message}`);
    const type = protobufjs.parse(set.proto, { keepCase: true }).root.lookupType(set.message);
    return () =>
      build(
        input,
        (record) => type.decode(record),
        (name) => name,
      );
  }),
};

/**
 * Decodes all records to objects and builds record batches from them.
 * @param nameOf Maps the name of a field to the name of the object's member.
 */
function build(
  { records, arrowSchema }: ProtoInput,
  decode: (record: Uint8Array) => object,
  nameOf: (field: string) => string,
): readonly RecordBatch[] {
  const readers = arrowSchema.fields.map((field) => listReader(field, nameOf));
  const batches: RecordBatch[] = [];
  for (let from = 0; from < records.length; from += batchRows) {
    const builders = arrowSchema.fields.map(({ type }) => makeBuilder({ type, nullValues: [null] }));
    const rows = records.slice(from, from + batchRows);
    for (const record of rows) {
      const message = decode(record) as Fields;
      for (let index = 0; index < builders.length; index++)
        builders[index]?.append(readers[index]?.(message));
    }
    batches.push(
      recordBatchOf(
        arrowSchema,
        rows.length,
        builders.map((builder) => builder.finish().flush()),
      ),
    );
  }
  return batches;
}

/** Returns a function that reads a field of a message as a list of items. It returns null if the field is missing or empty. */
function listReader({ name, type }: Field, nameOf: (field: string) => string): (message: Fields) => unknown {
  const member = nameOf(name);
  const toItem = itemReader((type as List).children[0]?.type, nameOf);
  return (message) => {
    const value = Object.hasOwn(message, member) ? message[member] : undefined;
    if (value === undefined || value === null || value === "") return null;
    // All repeated fields are arrays, including packed ones. A bytes value is array-like, but it is a single value.
    if (!Array.isArray(value)) return [toItem(value)];
    return value.length === 0 ? null : value.map(toItem);
  };
}

function itemReader(
  type: DataType | undefined,
  nameOf: (field: string) => string,
): (value: unknown) => unknown {
  if (type instanceof Struct) {
    const readers = type.children.map((field) => [field.name, listReader(field, nameOf)] as const);
    return (value) => Object.fromEntries(readers.map(([name, read]) => [name, read(value as Fields)]));
  }
  if (String(type) === "Int64") return (value) => BigInt(String(value));
  if (String(type) !== "Binary") return (value) => value;
  const utf8 = new TextEncoder();
  return (value) => (typeof value === "string" ? utf8.encode(value) : value);
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z\d])/gu, (_, letter: string) => letter.toUpperCase());
}
