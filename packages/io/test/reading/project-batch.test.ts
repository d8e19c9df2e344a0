import { expect, test } from "@jest/globals";
import { ColumnPath } from "@tfxio/schema";
import { Field, Int32, Struct, Table, tableToIPC, vectorFromArray } from "apache-arrow";
import { openTfxio } from "../../src/index.js";
import { collect } from "../fixtures.js";

test("a column nested in two structs is dropped from the batches if only the filter reads it", async () => {
  const inner = new Struct([new Field("c", new Int32(), true), new Field("d", new Int32(), true)]);
  const outer = new Struct([new Field("b", inner, true)]);
  const rows = [{ b: { c: 1, d: 2 } }, null, { b: null }, { b: { c: 4, d: 5 } }, { b: { c: null, d: 6 } }];
  const file = tableToIPC(new Table({ a: vectorFromArray(rows, outer) }), "file");
  const columns = [ColumnPath.of("a", "b", "c")];
  const tfxio = await openTfxio(file, {
    columns,
    columnForm: "stored",
    filter: "a.b.d > 2 or a.b.d is null",
  });
  expect(tfxio.arrowSchema().fields.map(String)).toEqual(["a: Struct<{b:Struct<{c:Int32}>}>"]);
  const batches = await collect(tfxio.recordBatches());
  expect(batches.map(({ schema }) => schema.fields.map(String))).toEqual([
    ["a: Struct<{b:Struct<{c:Int32}>}>"],
  ]);
  const cells = batches.flatMap((batch) => batch.toArray().map((row) => JSON.parse(JSON.stringify(row))));
  expect(cells).toEqual([{ a: null }, { a: { b: null } }, { a: { b: { c: 4 } } }, { a: { b: { c: null } } }]);
  await tfxio.close();
});
