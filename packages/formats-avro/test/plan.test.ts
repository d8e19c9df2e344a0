import { expect, test } from "@jest/globals";
import { avro } from "@tfxio/formats-avro";
import { ColumnPath } from "@tfxio/schema";
import { bytesSource } from "@tfxio/wire";
import { avscFile } from "./avsc-file.js";

const record = (...fields: readonly object[]): object => ({ type: "record", name: "R", fields });
const id = { name: "id", type: "long" };
const colour = {
  name: "colour",
  type: ["null", { type: "enum", name: "Colour", symbols: ["red", "green"] }],
};
const file = await avscFile(record(id, colour), [{ id: 1n, colour: { Colour: "green" } }]);
const FIELDS = ["id: Int64", "colour: Dictionary<Int32, Utf8>"];

async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += 10) yield bytes.slice(at, at + 10);
}

test.each([
  ["one file", () => avro.open([bytesSource(file, "a.avro")])],
  ["a stream", () => avro.openStream!(inChunks(file))],
])(
  "the plan of %s has the columns that the header declares, and the requested row positions",
  async (_, open) => {
    const reader = await open();
    const plan = await reader.plan({ rowPositionColumn: "at" });
    expect(plan.arrowSchema?.fields.map(String)).toEqual([...FIELDS, "at: Int64"]);
    for await (const batch of plan.read(plan.splits[0]!)) {
      expect(batch.schema.fields.map(String)).toEqual([...FIELDS, "at: Int64"]);
      expect([...batch.getChild("id")!]).toEqual([1n]);
    }
    await reader.close();
  },
);

test("the plan of one file has only the requested columns", async () => {
  const reader = await avro.open([bytesSource(file, "a.avro")]);
  expect((await reader.plan({ columns: [ColumnPath.of("id")] })).arrowSchema?.names).toEqual(["id"]);
});

test("if no TFMD schema is given, the plan of several files has no Arrow schema, because each file has its own", async () => {
  const other = await avscFile(record({ name: "id", type: "string" }), [{ id: "x" }]);
  const reader = await avro.open([bytesSource(file, "a.avro"), bytesSource(other, "b.avro")]);
  const plan = await reader.plan();
  expect(plan.arrowSchema).toBeUndefined();
  const found: unknown[] = [];
  for (const split of plan.splits) {
    for await (const { schema } of plan.read(split)) found.push(schema.fields.map(String));
  }
  expect(found).toEqual([FIELDS, ["id: Utf8"]]);
});
