import { expect, test } from "@jest/globals";
import { decodeRecords } from "@tfxio/format";
import { parseProto, protobufPayload } from "@tfxio/formats-protobuf";
import { ColumnPath } from "@tfxio/schema";
import { plainRows } from "./rows.js";

test("a record that expands beyond a batch's memory limit is rejected without allocating the memory", async () => {
  const fields = Array.from({ length: 300 }, (_, index) => `optional int32 f${index} = ${index + 1};`);
  const type = await parseProto(
    `syntax = "proto2"; message Wide { ${fields.join(" ")} } message M { repeated Wide wide = 1; }`,
    "M",
  );
  const decoder = await decodeRecords(protobufPayload(type));
  // Each message has two bytes, and needs an offset in 300 columns.
  const record = new Uint8Array(4 * 2 ** 20);
  for (let at = 0; at < record.length; at += 2) record[at] = 0x0a;
  const before = process.memoryUsage().arrayBuffers;
  expect(() => decoder.decode([record])).toThrow(
    expect.objectContaining({ code: "limit-exceeded", reason: "batch-too-large", recordIndex: 0 }),
  );
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 27);
  expect(plainRows(decoder.decode([Uint8Array.of(0x0a, 0)]).batch)).toEqual([{ wide: [{}] }]);
});

test("a type is rejected if its columns double at every level", async () => {
  const levels = Array.from(
    { length: 30 },
    (_, level) => `message L${level} { optional L${level + 1} a = 1; optional L${level + 1} b = 2; }`,
  );
  const type = await parseProto(`syntax = "proto2"; ${levels.join(" ")} message L30 {}`, "L0");
  await expect(decodeRecords(protobufPayload(type))).rejects.toMatchObject({
    code: "invalid-argument",
    reason: "too-many-columns",
  });
});

test("alternating members of a oneof, and an Any in many parts, do not take quadratic time", async () => {
  const type = await parseProto(
    `syntax = "proto3"; import "google/protobuf/any.proto";
     message T { repeated int32 v = 1; }
     message M { oneof o { T a = 1; T b = 2; } google.protobuf.Any any = 3; }`,
    "M",
  );
  const alternating = Uint8Array.from(
    { length: 2 ** 20 },
    (_, at) => [0x0a, 2, 0x08, 1, 0x12, 2, 0x08, 1][at % 8]!,
  );
  const value = [0x12, 0xe8, 0x07, ...Array.from({ length: 1000 }, (_, at) => (at % 2 === 0 ? 0x08 : 1))];
  const url = [0x0a, 3, 0x78, 0x2f, 0x54];
  const parts = [value, ...Array.from({ length: 20_000 }, () => url)].map((part) => {
    const length = part.length < 128 ? [part.length] : [(part.length & 0x7f) | 0x80, part.length >> 7];
    return [0x1a, ...length, ...part];
  });
  const columns = ["a", "b", "any.(T).v"].map((text) => ColumnPath.parse(text));
  const decoder = await decodeRecords(protobufPayload(type), { columns });
  const start = performance.now();
  const { batch } = decoder.decode([alternating, Uint8Array.from(parts.flat())]);
  expect(batch.numRows).toBe(2);
  // Decoding the value again for each part would take 20,000 times as long.
  expect(performance.now() - start).toBeLessThan(2000);
});
