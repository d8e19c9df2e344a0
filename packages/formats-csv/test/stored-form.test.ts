import { describe, expect, test } from "@jest/globals";
import type { ReadRequest } from "@tfxio/format";
import { type CsvOptions, csv } from "@tfxio/formats-csv";
import { ColumnPath, parseSchemaText } from "@tfxio/schema";
import { bytesSource } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";

const TABLE = 'id,price,note,tags,none\n1,2.5,plain,a|b,\n2,,"two\nlines",,\n,1e3,,c,\n-4,.5,é,d|e|f,\n';
const OPTIONS: Partial<CsvOptions> = { multivalentColumns: ["tags"], secondaryDelimiter: "|" };

interface Reading {
  readonly request?: ReadRequest;
  readonly options?: Partial<CsvOptions>;
}

const read = async (
  text: string,
  { request = {}, options = OPTIONS }: Reading = {},
): Promise<RecordBatch[]> => {
  const reader = await csv.open([bytesSource(new TextEncoder().encode(text), "data.csv")], { options });
  const plan = await reader.plan({ columnForm: "stored", ...request });
  const batches: RecordBatch[] = [];
  for (const split of plan.splits) {
    for (const part of (await plan.subdivide?.(split)) ?? [split]) {
      for await (const batch of plan.read(part)) {
        expect(batch.schema.fields.map(String)).toEqual(plan.arrowSchema?.fields.map(String));
        batches.push(batch);
      }
    }
  }
  return batches;
};
const plain = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (Object(value) !== value) return value;
  return Array.from(value as Iterable<unknown>, plain);
};
const rowsOf = (batches: readonly RecordBatch[]): unknown[][] =>
  batches.flatMap((batch) =>
    Array.from({ length: batch.numRows }, (_, row) =>
      batch.schema.fields.map((__, column) => plain(batch.getChildAt(column)?.get(row))),
    ),
  );

describe("columns as stored", () => {
  test("have flat values, or lists if multivalent, and a null for each empty cell", async () => {
    const batches = await read(TABLE);
    expect(batches[0]?.schema.fields.map(String)).toEqual([
      "id: Int64",
      "price: Float32",
      "note: Binary",
      "tags: List<Binary>",
      "none: Null",
    ]);
    expect(rowsOf(batches)).toEqual([
      [1n, 2.5, "plain", ["a", "b"], null],
      [2n, null, "two\nlines", null, null],
      [null, 1000, null, ["c"], null],
      [-4n, 0.5, "é", ["d", "e", "f"], null],
    ]);
    expect(batches[0]?.data.children.map(({ nullCount }) => nullCount)).toEqual([1, 1, 1, 1, 4]);
  });

  test("have the order and types of the schema's features", async () => {
    const schema = parseSchemaText(
      'feature { name: "price" type: FLOAT } feature { name: "id" type: FLOAT }',
    );
    const batches = await read(TABLE, { request: { schema } });
    expect(batches[0]?.schema.fields.map(String)).toEqual(["price: Float32", "id: Float32"]);
    expect(rowsOf(batches)).toEqual([
      [2.5, 1],
      [null, 2],
      [1000, null],
      [0.5, -4],
    ]);
  });

  test.each([{ batchSize: 1 }, { batchSize: 3 }, { splitBytes: 1 }, { splitBytes: 20, batchBytes: 10 }])(
    "have the same rows for the request %j as for the default request",
    async (request) => {
      expect(rowsOf(await read(TABLE, { request }))).toEqual(rowsOf(await read(TABLE)));
    },
  );

  test("include raw records and row positions as flat columns on request", async () => {
    const request: ReadRequest = {
      columns: [ColumnPath.of("id")],
      rawRecordColumn: "raw",
      rowPositionColumn: "at",
    };
    const batches = await read("id,b\n1,x\n,y\n", { request, options: {} });
    expect(batches[0]?.schema.fields.map(String)).toEqual(["id: Int64", "raw: Binary", "at: Int64"]);
    expect(rowsOf(batches)).toEqual([
      [1n, "1,x", 5n],
      [null, ",y", 9n],
    ]);
  });

  test("omit rows with bad cells, or have null for bad cells, as onBadCell requests", async () => {
    const text = "a,b\n1,x\n?,y\n3,z\n";
    const options: Partial<CsvOptions> = { types: { a: "int" } };
    expect(rowsOf(await read(text, { options: { ...options, onBadCell: "skip-row" } }))).toEqual([
      [1n, "x"],
      [3n, "z"],
    ]);
    expect(rowsOf(await read(text, { options: { ...options, onBadCell: "null" } }))).toEqual([
      [1n, "x"],
      [null, "y"],
      [3n, "z"],
    ]);
  });
});
