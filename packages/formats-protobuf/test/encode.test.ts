import { describe, expect, test } from "@jest/globals";
import { createFileRegistry, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { recordBatchOf } from "@tfxio/arrow-encoding";
import { createMessageEncoder, messageType, type MessageType, parseProto } from "@tfxio/formats-protobuf";
import {
  type DataType,
  Dictionary,
  Int8,
  makeData,
  Schema,
  vectorFromArray,
  Field,
  Float64,
  Int64,
  Utf8,
  Int32,
  List,
  Bool,
} from "apache-arrow";
import { batchOf, plainRows } from "./rows.js";
import { message, sampleType } from "./sample.js";

const row = await sampleType();

/** Returns the message after protobuf-es has read and rewritten it, with fields in the order of their numbers. */
function rewritten({ descriptor, message: name }: MessageType, bytes: Uint8Array): Uint8Array {
  const set = fromBinary(FileDescriptorSetSchema, Buffer.from(descriptor, "base64"));
  const desc = createFileRegistry(set).getMessage(name)!;
  return toBinary(desc, fromBinary(desc, bytes));
}

const records = [
  message([
    [1, -5],
    [2, "täxt"],
    [3, Uint8Array.from(new Uint8Array(Float32Array.of(0.5, Number.NaN, -0).buffer))],
    [
      4,
      [
        [1, 3],
        [2, "a"],
        [2, ""],
      ],
    ],
    [4, []],
    [5, [[1, 2n ** 64n - 1n]]],
    [
      6,
      [
        [1, "k"],
        [2, -1],
      ],
    ],
    [
      7,
      [
        [1, -7],
        [2, [[2, "t"]]],
      ],
    ],
    [8, 0],
    [12, 7],
  ]),
  message([]),
  message([[10, [[1, 1]]]]),
];

describe("rows become messages", () => {
  test("that equal the messages of protobuf-es byte for byte", async () => {
    const encoder = await createMessageEncoder(row);
    const encoded = encoder.encode(await batchOf(row, records));
    expect(encoded).toEqual(records.map((record) => rewritten(row, record)));
  });

  test("even if the batch has large lists or is a slice", async () => {
    const encoder = await createMessageEncoder(row);
    const large = await batchOf(row, records, { listType: "large" });
    expect(encoder.encode(large)).toEqual(encoder.encode(await batchOf(row, records)));
    const slice = large.slice(2, 3);
    expect(encoder.encode(recordBatchOf(large.schema, 1, slice.data.children))).toEqual([
      rewritten(row, records[2]!),
    ]);
  });

  test("with groups, extensions and map keys", async () => {
    const columns = ["line", "(sample.extra)", "(sample.more)", "count[x]", "by_id[-3].tag"];
    const group = Uint8Array.from([0x5b, 0x08, 0x01, 0x5c]);
    const rest = message([
      [
        6,
        [
          [1, "x"],
          [2, 5],
        ],
      ],
      [
        7,
        [
          [1, -3],
          [2, [[2, "y"]]],
        ],
      ],
      [100, [[1, 2]]],
      [101, 7],
      [101, 8],
    ]);
    const batch = await batchOf(row, [Uint8Array.from([...group, ...rest])], { columns });
    const encoder = await createMessageEncoder(row);
    const again = await batchOf(row, encoder.encode(batch), { columns });
    expect(plainRows(again)).toEqual(plainRows(batch));
    expect(plainRows(again)).toEqual([
      {
        line: [{ on: [1] }],
        "(sample.extra)": [{ depth: [1n] }],
        "(sample.more)": [7, 8],
        "count[x]": [5],
        "by_id[-3]": [{ tag: ["y"] }],
      },
    ]);
  });

  test("that contain an Any of a given type", async () => {
    const type = await parseProto(
      `syntax = "proto3"; package box; import "google/protobuf/any.proto";
       message Note { string text = 1; } message Box { google.protobuf.Any any = 1; }`,
      "box.Box",
    );
    const record = message([
      [
        1,
        [
          [1, "type.googleapis.com/box.Note"],
          [2, message([[1, "hi"]])],
        ],
      ],
    ]);
    const batch = await batchOf(type, [record], { columns: ["any.(box.Note).text"] });
    expect((await createMessageEncoder(type)).encode(batch)).toEqual([record]);
  });

  test("even if the batch has a dictionary with a null entry, which becomes an absent field", async () => {
    const entries = vectorFromArray(["a", null], new Utf8());
    const type = new Dictionary(entries.type, new Int8());
    const column = makeData({ type, data: Int8Array.of(1, 0), dictionary: entries });
    const batch = recordBatchOf(new Schema([new Field("name", type, true)]), 2, [column]);
    const encoder = await createMessageEncoder(row);
    expect(encoder.encode(batch)).toEqual([message([]), message([[2, "a"]])]);
  });

  test("even if the batch has flat columns, whose null values become absent fields", async () => {
    const batch = batchFrom({
      name: [new Utf8(), ["a", null, ""]],
      id: [new Int64(), [1n, 2n, null]],
    });
    const encoder = await createMessageEncoder(row);
    expect(encoder.encode(batch)).toEqual([
      message([
        [1, 1],
        [2, "a"],
      ]),
      message([[1, 2]]),
      message([[2, ""]]),
    ]);
  });
});

describe("columns are rejected", () => {
  const list = (type: DataType): List => new List(new Field("item", type, true));

  test.each([
    ["an unknown field", { other: [new Int64(), [1n]] }, "schema-mismatch", "unknown-column"],
    ["text for a number", { id: [new Utf8(), ["1"]] }, "schema-mismatch", "wrong-kind"],
    ["numbers for a message", { best: [new Int64(), [1n]] }, "schema-mismatch", "wrong-kind"],
    ["bools for a uint32", { "(sample.more)": [new Bool(), [true]] }, "schema-mismatch", "wrong-kind"],
    [
      "two values for a singular field",
      { id: [list(new Int64()), [[1n, 2n]]] },
      "not-convertible",
      "cell-value",
    ],
    ["a null in a list", { score: [list(new Float64()), [[1, null]]] }, "not-convertible", "cell-value"],
    [
      "an integer too large for an enum",
      { color: [new Int64(), [2n ** 31n]] },
      "out-of-range",
      "value-range",
    ],
    [
      "a negative integer for a uint32",
      { "(sample.more)": [new Int32(), [-1]] },
      "out-of-range",
      "value-range",
    ],
    [
      "a double that a float cannot hold exactly",
      { score: [new Float64(), [0.1]] },
      "out-of-range",
      "value-range",
    ],
  ] as const)("if they have %s; the encoder stays usable", async (_, columns, code, reason) => {
    const encoder = await createMessageEncoder(row);
    const encode = () => encoder.encode(batchFrom(columns));
    expect(encode).toThrow(expect.objectContaining({ code, reason }));
    expect(encoder.encode(await batchOf(row, [records[2]!]))).toEqual([rewritten(row, records[2]!)]);
  });
});

test("messageType finds a type in descriptors by name, and rejects unknown names and invalid descriptors", async () => {
  const set = Buffer.from(row.descriptor, "base64");
  expect(await messageType(set, "sample.Leaf")).toEqual({ ...row, message: "sample.Leaf" });
  await expect(messageType(set, "Leaf")).rejects.toMatchObject({
    reason: "unknown-message",
    message: expect.stringMatching(
      /The descriptor has no message type "Leaf"; its message types include sample\.\w+/,
    ),
  });
  await expect(messageType(new Uint8Array(0), "Leaf")).rejects.toThrow(
    'The descriptor has no message type "Leaf"; it has no message types.',
  );
  await expect(messageType(Uint8Array.of(7), "Leaf")).rejects.toMatchObject({ reason: "descriptor" });
  await expect(messageType("text" as never, "Leaf")).rejects.toMatchObject({ code: "invalid-argument" });
});

test("messageType accepts a generated schema, with which records can be decoded", async () => {
  const type = await messageType(FileDescriptorSetSchema);
  expect(type.message).toBe("google.protobuf.FileDescriptorSet");
  const set = Uint8Array.from(Buffer.from(row.descriptor, "base64"));
  const batch = await batchOf(type, [set], { columns: ["file.message_type.name"] });
  expect(plainRows(batch)).toEqual([
    { file: [{ message_type: ["Leaf", "Row", "Node"].map((name) => ({ name: [name] })) }] },
  ]);
});

function batchFrom(columns: Readonly<Record<string, readonly [DataType, readonly unknown[]]>>) {
  const entries = Object.entries(columns);
  const data = entries.map(([, [type, values]]) => vectorFromArray([...values], type).data[0]!);
  const fields = entries.map(([name, [type]]) => new Field(name, type, true));
  return recordBatchOf(new Schema(fields), entries[0]![1][1].length, data);
}
