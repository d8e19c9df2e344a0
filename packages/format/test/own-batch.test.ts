import { createRequire } from "node:module";
import { describe, expect, test } from "@jest/globals";
import { defineFormat, type WritableFormat } from "@tfxio/format";
import { memoryTarget } from "@tfxio/wire";
import * as ownArrow from "apache-arrow";
import { type Data, DataType, type Dictionary, type RecordBatch, type Schema } from "apache-arrow";

type Arrow = typeof ownArrow;

// The CommonJS files of apache-arrow define different classes from those of its ES modules.
const foreignArrow = createRequire(import.meta.url)("apache-arrow") as Arrow;

/** Creates a format whose writer records its schema and batches. */
function recording(): { format: WritableFormat; schemas: Schema[]; batches: RecordBatch[] } {
  const [schemas, batches]: [Schema[], RecordBatch[]] = [[], []];
  const format = defineFormat({
    id: "recording",
    extensions: [],
    defaults: {},
    contractVersion: 2,
    open: async () => ({ plan: async () => ({ splits: [], async *read() {} }) }),
    createWriter: async (_, { arrowSchema }) => {
      schemas.push(arrowSchema);
      return { write: async (batch) => void batches.push(batch), finish: async () => {} };
    },
  });
  return { format, schemas, batches };
}

/** Writes the batches. Returns the schema and the batches that the format's writer receives. */
async function received(
  ...batches: readonly RecordBatch[]
): Promise<{ schema: Schema; batches: RecordBatch[] }> {
  const { format, ...got } = recording();
  const writer = await format.createWriter(memoryTarget("a"), {
    arrowSchema: (batches[0] as RecordBatch).schema,
  });
  for (const batch of batches) await writer.write(batch);
  await writer.finish();
  return { schema: got.schemas[0] as Schema, batches: got.batches };
}

function batchOf(arrow: Arrow, name: string, ...columns: readonly Data[]): RecordBatch {
  const fields = columns.map(
    ({ type }, at) => new arrow.Field(`${name}${at}`, type, true, new Map([["unit", "m"]])),
  );
  const type = new arrow.Struct(fields);
  const { length } = columns[0] as Data;
  const data = arrow.makeData({ type, length, nullCount: 0, children: [...columns] });
  return new arrow.RecordBatch(
    new arrow.Schema(fields, new Map([["made", "here"]])),
    data,
    new Map([["part", "1"]]),
  );
}

/** Returns the given data with all nested data and dictionaries. */
function allData(data: readonly Data[]): Data[] {
  return data.flatMap((one) => [one, ...allData(one.children), ...allData(one.dictionary?.data ?? [])]);
}

const {
  vectorFromArray,
  makeData,
  Dictionary: ForeignDictionary,
  Utf8,
  Int8,
  Struct,
  Field,
  List,
} = foreignArrow;
const words = (...texts: readonly string[]) => vectorFromArray([...texts], new Utf8());
const wordType = new ForeignDictionary(new Utf8(), new Int8(), 5);

function encoded(dictionary: ownArrow.Vector, indices: readonly number[]): Data {
  return makeData({
    type: wordType,
    length: indices.length,
    data: Int8Array.from(indices),
    dictionary,
  }) as Data;
}

describe("a format's writer for batches of another copy of apache-arrow", () => {
  test("receives batches of the format's own copy, with the same buffers and all metadata", async () => {
    const nested = vectorFromArray(
      [[{ p: 1 }], null],
      new List(new Field("item", new Struct([new Field("p", new foreignArrow.Int32(), true)]), true)),
    ).data[0] as Data;
    const given = batchOf(foreignArrow, "c", nested, encoded(words("x", "y"), [1, 0]));
    const { schema, batches } = await received(given);
    const [batch] = batches as [RecordBatch];
    const [before, after] = [allData(given.data.children), allData(batch.data.children)];
    expect(after).toHaveLength(before.length);
    after.forEach((data, at) => {
      expect(before[at]!.type).not.toBeInstanceOf(DataType);
      expect(data.type).toBeInstanceOf(DataType);
      expect(String(data.type)).toBe(String(before[at]!.type));
      for (const buffer of ["values", "valueOffsets", "nullBitmap", "typeIds"] as const) {
        expect(data[buffer]).toBe(before[at]![buffer]);
      }
    });
    expect(batch.schema).toBe(schema);
    expect(String(schema)).toBe(String(given.schema));
    expect(schema.fields.map(({ nullable, metadata }) => [nullable, [...metadata]])).toEqual(
      given.schema.fields.map(({ nullable, metadata }) => [nullable, [...metadata]]),
    );
    expect([schema.metadata, batch.metadata]).toEqual([
      new Map([["made", "here"]]),
      new Map([["part", "1"]]),
    ]);
    expect(batch.toArray().map(String)).toEqual(given.toArray().map(String));
  });

  test("receives dictionaries that are still shared, with unchanged ids", async () => {
    const first = words("x", "y");
    const grown = first.concat(words("z"));
    const given = [
      batchOf(foreignArrow, "w", encoded(first, [0, 1]), encoded(first, [1, 1])),
      batchOf(foreignArrow, "w", encoded(first, [1, 0]), encoded(first, [0, 0])),
    ];
    const later = batchOf(foreignArrow, "w", encoded(grown, [2, 0]), encoded(grown, [0, 2]));
    const { schema, batches } = await received(...given, later);
    const dictionaries = batches.flatMap(({ data }) => data.children.map(({ dictionary }) => dictionary!));
    expect(new Set(dictionaries.slice(0, 4)).size).toBe(1);
    expect(new Set(dictionaries.slice(4)).size).toBe(1);
    expect(dictionaries[4]!.data[0]).toBe(dictionaries[0]!.data[0]);
    expect(schema.fields.map(({ type }) => (type as Dictionary).id)).toEqual([5, 5]);
    expect([...schema.dictionaries.keys()]).toEqual([5]);
  });

  test("is not created if the schema has a type that the writer's own copy does not know", async () => {
    const batch = batchOf(foreignArrow, "a", vectorFromArray([1, 2]).data[0] as Data);
    const strange = Object.assign(Object.create(foreignArrow.DataType.prototype), { typeId: 99 }) as DataType;
    Object.assign(batch.schema.fields[0]!, { type: strange });
    await expect(received(batch)).rejects.toMatchObject({
      code: "unsupported",
      reason: "column-type",
      message: expect.stringContaining("another copy of apache-arrow"),
    });
  });
});

test("a format's writer receives a batch of its own copy of apache-arrow unchanged", async () => {
  const column = ownArrow.vectorFromArray(
    ["x"],
    new ownArrow.Dictionary(new ownArrow.Utf8(), new ownArrow.Int8()),
  );
  const batch = batchOf(ownArrow, "a", column.data[0] as Data);
  const got = await received(batch);
  expect(got.batches[0]).toBe(batch);
  expect(got.schema).toBe(batch.schema);
});

test("a format's writer receives only types of its own copy of apache-arrow if a batch has columns of two copies", async () => {
  const columns = [foreignArrow, ownArrow].map(
    (arrow) => arrow.vectorFromArray([1, 2], new arrow.Int32()).data[0]!,
  );
  for (const arrow of [foreignArrow, ownArrow]) {
    const { batches } = await received(batchOf(arrow, "a", ...columns));
    for (const { type } of allData([batches[0]!.data])) expect(type).toBeInstanceOf(DataType);
  }
});
