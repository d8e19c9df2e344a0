import { describe, expect, test } from "@jest/globals";
import { type Base64Bytes, encodeExample, encodeSequenceExample, type PlainRow } from "@tfxio/arrow-encoding";
import { bytes, defineSchema, float, int, parseSchemaText } from "@tfxio/schema";
import type { ByteSource } from "@tfxio/wire";
import { openTfxio, type Tfxio } from "../src/index.js";
import { collect, tfRecordFile } from "./fixtures.js";
import { PEOPLE, people, peopleFile } from "./people.js";

describe("rows", () => {
  test("can be serialized as JSON, for every kind of value", async () => {
    const file = tfRecordFile([
      encodeExample({
        big: { kind: "int64", values: [2n ** 53n, -(2n ** 63n), 9007199254740991n, 0n] },
        data: { kind: "bytes", values: ["täxt", Uint8Array.of(0xff, 0x00), ""] },
        real: {
          kind: "float",
          values: [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.1, -0],
        },
        empty: { kind: "int64", values: [] },
      }),
      encodeExample({ data: { kind: "bytes", values: [] } }),
    ]);
    const schema = parseSchemaText(`
      feature { name: "big" type: INT } feature { name: "data" type: BYTES } feature { name: "real" type: FLOAT }
      feature { name: "empty" type: INT } feature { name: "__proto__" type: INT }`);
    const rows = await collect((await openTfxio(file, { schema })).rows());
    expect(JSON.parse(JSON.stringify(rows))).toEqual([
      JSON.parse(
        '{"big":["9007199254740992","-9223372036854775808",9007199254740991,0],' +
          '"data":["täxt",{"base64":"/wA="},""],"real":["NaN","Infinity","-Infinity",0.1,0],' +
          '"empty":[],"__proto__":null}',
      ),
      JSON.parse('{"big":null,"data":[],"real":null,"empty":null,"__proto__":null}'),
    ]);
  });

  test("of SequenceExamples have their feature lists in a struct", async () => {
    const file = tfRecordFile([
      encodeSequenceExample({
        context: { id: { kind: "int64", values: [7] } },
        featureLists: {
          steps: [
            { kind: "float", values: [1, 2] },
            { kind: "float", values: [] },
          ],
        },
      }),
    ]);
    const tfxio = await openTfxio(file, { format: "sequence-tfrecord" });
    expect(await collect(tfxio.rows())).toEqual([{ id: [7], "##SEQUENCE##": { steps: [[1, 2], []] } }]);
  });

  test("are read with the options of recordBatches, and invalid options are rejected immediately", async () => {
    const tfxio = await openTfxio([peopleFile(0, 10), peopleFile(10, 20)], { schema: PEOPLE });
    const rows = await collect(tfxio.rows({ numEpochs: 2, batchSize: 3, dropFinalBatch: true, workers: 0 }));
    expect(rows).toEqual([...people(0, 20), ...people(0, 19)]);
    const controller = new AbortController();
    controller.abort(new Error("enough"));
    await expect(collect(tfxio.rows({ signal: controller.signal }))).rejects.toThrow("enough");
    for (const options of [{ batchSize: 0 }, { rows: 3 } as never, { shuffleSeed: 3 }]) {
      expect(() => tfxio.rows(options)).toThrow(expect.objectContaining({ code: "invalid-argument" }));
    }
  });

  test("can be iterated repeatedly", async () => {
    const rows = (await openTfxio(peopleFile(0, 10), { schema: PEOPLE })).rows();
    expect(await collect(rows)).toEqual(people(0, 10));
    expect(await collect(rows)).toEqual(people(0, 10));
  });

  test("do not need a schema", async () => {
    const [row] = await collect((await openTfxio(peopleFile(1, 2))).rows());
    expect(row).toEqual(people(1, 2)[0]);
  });

  test("leave no source open when the loop is left early, even while the source stalls", async () => {
    let numOpen = 0;
    const bytesOf = peopleFile(0, 2000);
    const source: ByteSource = {
      uri: "counted",
      slice: async (start, end) => bytesOf.subarray(start, end),
      async *stream({ start = 0, signal } = {}) {
        numOpen++;
        try {
          for (let at = start; at < 50_000; at += 1000) yield bytesOf.subarray(at, at + 1000);
          await new Promise((_, reject) =>
            signal?.addEventListener("abort", () => reject(new Error("aborted"))),
          );
        } finally {
          numOpen--;
        }
      },
    };
    const tfxio = await openTfxio(source, { schema: PEOPLE, batchBytes: 2000 });
    for await (const row of tfxio.rows()) {
      expect(row).toEqual(people(0, 1)[0]);
      expect(numOpen).toBe(1);
      break;
    }
    expect(numOpen).toBe(0);

    const iterator = tfxio.rows({ batchSize: 2000 })[Symbol.asyncIterator]();
    const pending = iterator.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(numOpen).toBe(1);
    await iterator.return?.();
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(numOpen).toBe(0);
  });
});

test("rows have the static types of a typed schema", async () => {
  const schema = defineSchema({ features: { id: int(), score: float(), name: bytes() } });
  const file = tfRecordFile([
    encodeExample({ id: { kind: "int64", values: [1] }, name: { kind: "bytes", values: ["a"] } }),
  ]);
  const tfxio = await openTfxio(file, { schema });
  for await (const row of tfxio.rows()) {
    const ids: readonly (number | string)[] | null = row.id;
    const names: readonly (string | Base64Bytes)[] | null = row.name;
    expect([ids, names, row.score]).toEqual([[1], ["a"], null]);
    // @ts-expect-error -- no such feature
    expect(row.nobody).toBeUndefined();
    // @ts-expect-error -- a list, not a number
    const id: number = row.id;
    expect(id).toEqual([1]);
  }
  // A projection may omit any column.
  for await (const row of tfxio.project(["name"]).rows()) {
    const names: readonly (string | Base64Bytes)[] | null | undefined = row.name;
    expect(names).toEqual(["a"]);
    // @ts-expect-error -- the projection may lack it
    const ids: readonly (number | string)[] | null = row.id;
    expect(ids).toBeUndefined();
  }
  // The compiler does not know which columns are read, nor in which form.
  for (const options of [{ columns: ["id"] }, { columnForm: "stored" }] as const) {
    const some: Tfxio = await openTfxio(file, { schema, ...options });
    for await (const row of some.rows()) expect(row["id"]).toEqual([1]);
  }
  for await (const row of tfxio.split({ validation: 0.5 }).train.rows()) {
    const ids: readonly (number | string)[] | null = row.id;
    expect(ids).toEqual([1]);
  }
  // This TFXIO can be assigned to the general type.
  const any: Tfxio = tfxio;
  const plain: AsyncIterable<PlainRow> = any.rows();
  expect(await collect(plain)).toHaveLength(1);
  const untyped = await openTfxio(file, { schema: parseSchemaText('feature { name: "id" type: INT }') });
  for await (const row of untyped.rows()) expect(row["id"]).toEqual([1]);
});
