import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { parseSchemaText } from "@tfxio/schema";
import { openTfxio, type TfxioOptions, writeTfxio } from "../../src/index.js";
import { collect, range } from "../fixtures.js";

const folder = mkdtempSync(path.join(tmpdir(), "tfxio-csv-form-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const IDS = range(0, 500);
const name = (id: number): string | null => (id % 5 === 0 ? null : `n${id}`);
const files = [0, 1].map((part) => {
  const file = path.join(folder, `${part}.csv`);
  const lines = IDS.filter((id) => id % 2 === part).map(
    (id) => `${id},${name(id) ?? ""},"${id}|${id + 1}"\n`,
  );
  writeFileSync(file, `id,name,pair\n${lines.join("")}`);
  return file;
});
const formatOptions = { multivalentColumns: ["pair"], secondaryDelimiter: "|" };
const stored: TfxioOptions = { columnForm: "stored", formatOptions };
const rowOf = (id: number): object => ({ id, name: name(id), pair: [id, id + 1] });
const inOrder = [...IDS.filter((id) => id % 2 === 0), ...IDS.filter((id) => id % 2 === 1)];

test("stored CSV columns are flat, or lists if they are multivalent", async () => {
  const tfxio = await openTfxio(files, stored);
  const { arrowSchema } = await tfxio.plan();
  expect(arrowSchema?.fields.map(String)).toEqual(["id: Int64", "name: Binary", "pair: List<Int64>"]);
  expect(await collect(tfxio.rows())).toEqual(inOrder.map(rowOf));
});

test.each<[string, TfxioOptions]>([
  ["an inferred", { inferSchema: "full" }],
  ["a given", { schema: parseSchemaText('feature { name: "id" type: INT }') }],
])("%s schema yields flat columns in stored form and lists otherwise", async (_, options) => {
  const ids = inOrder.map((id) => ({ id }));
  const flat = await openTfxio(files, { ...stored, ...options, columns: ["id"] });
  expect(flat.arrowSchema().fields.map(String)).toEqual(["id: Int64"]);
  expect(await collect(flat.rows())).toEqual(ids);
  const lists = await openTfxio(files, { formatOptions, ...options, columns: ["id"] });
  expect(lists.arrowSchema().fields.map(String)).toEqual(["id: List<Int64>"]);
  expect(await collect(lists.rows())).toEqual(ids.map(({ id }) => ({ id: [id] })));
});

test("rows of flat columns can be filtered, and can be split by a column", async () => {
  const tfxio = await openTfxio(files, {
    ...stored,
    filter: 'id >= 490 and name != "n491"',
    columns: ["id"],
  });
  const expected = inOrder.filter((id) => id >= 490 && name(id) !== null && id !== 491);
  expect(await collect(tfxio.rows())).toEqual(expected.map((id) => ({ id })));
  const { train, validation } = (await openTfxio(files, stored)).split({ validation: 0.3, by: "name" });
  const rows = [...(await collect(train.rows())), ...(await collect(validation.rows()))];
  const sorted = rows.toSorted((one, other) => Number(one["id"]) - Number(other["id"]));
  expect(sorted).toEqual(IDS.map(rowOf));
});

test("worker threads yield each row of flat columns once if they read small splits", async () => {
  const tfxio = await openTfxio(files, { ...stored, splitBytes: 500 });
  const rows = await collect(tfxio.rows({ workers: 2, readerNumThreads: 2, batchSize: 16 }));
  const sorted = rows.toSorted((one, other) => Number(one["id"]) - Number(other["id"]));
  expect(sorted).toEqual(IDS.map(rowOf));
});

test("flat columns stay flat when written to Parquet", async () => {
  const target = path.join(folder, "out.parquet");
  await writeTfxio(await openTfxio(files, stored), target);
  const written = await openTfxio(target, { columnForm: "stored" });
  expect((await written.plan()).arrowSchema?.fields.map(String)).toEqual([
    "id: Int64",
    "name: Binary",
    "pair: List<Int64>",
  ]);
  expect(await collect(written.rows())).toEqual(inOrder.map(rowOf));
});
