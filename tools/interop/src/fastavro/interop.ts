import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { avro } from "@tfxio/formats-avro";
import { bytesSource, memoryTarget } from "@tfxio/wire";
import { type Data, DataType, type RecordBatch } from "apache-arrow";
import { assertSame } from "../assert-same.js";
import type { Interop } from "../interop.js";
import { pythonWith, runPython } from "../python.js";

const CODECS = ["null", "deflate", "snappy"] as const;

/** Checks that we read the Avro files of fastavro, and that fastavro reads ours, with each codec that we write. */
export const fastavro: Interop = {
  name: "fastavro",
  about: "exchanges Avro files with fastavro",
  run: async (context) => {
    const python = await pythonWith("fastavro", context);
    const folder = await mkdtemp(path.join(tmpdir(), "tfxio-interop-"));
    try {
      const rows = (await runPython(python, "avro_write.py", [folder])) as Record<string, unknown>[];
      // Our reader turns a union of several types into a struct with one child for each branch except null.
      const ours = rows.map((row) => ({ ...row, several: membersOf(row["several"]) }));
      for (const codec of CODECS) {
        const file = path.join(folder, `${codec}.avro`);
        await context.report.check(`we read the file that fastavro writes, codec "${codec}"`, async () => {
          assertSame(ours, (await read(await readFile(file))).flatMap(rowsOf));
        });
        await context.report.check(`fastavro reads the file that we write, codec "${codec}"`, async () => {
          const batches = await read(await readFile(file));
          const written = path.join(folder, "ours.avro");
          await writeFile(written, await encoded(batches, codec));
          assertSame(ours, await runPython(python, "avro_read.py", [written]));
        });
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Converts a value of the union `several` to the members of our struct. `avro_write.py` makes every third value an int. */
function membersOf(value: unknown): unknown {
  if (value === null) return null;
  const isInt = typeof value === "string" && Number(value) % 3 === 1;
  return { member0: isInt ? value : null, member1: isInt ? null : value };
}

async function read(bytes: Uint8Array): Promise<RecordBatch[]> {
  const reader = await avro.open([bytesSource(bytes)]);
  const plan = await reader.plan({ batchSize: 64 });
  const batches: RecordBatch[] = [];
  for (const split of plan.splits) for await (const batch of plan.read(split)) batches.push(batch);
  return batches;
}

async function encoded(batches: readonly RecordBatch[], codec: (typeof CODECS)[number]): Promise<Uint8Array> {
  const target = memoryTarget();
  const [first] = batches as [RecordBatch];
  const writer = await avro.createWriter(target, { arrowSchema: first.schema, options: { codec } });
  for (const batch of batches) await writer.write(batch);
  await writer.finish();
  await target.commit();
  return target.bytes();
}

function rowsOf(batch: RecordBatch): unknown[] {
  return Array.from({ length: batch.numRows }, (_, row) => plain(batch.data as Data, row));
}

/** Returns a value as `avro_write.py` prints it: integers, days, times and unscaled decimals as text, and bytes as lists. */
function plain(data: Data, row: number): unknown {
  const { type, children, values } = data;
  if (!data.getValid(row)) return null;
  if (DataType.isStruct(type)) {
    return Object.fromEntries(
      type.children.map(({ name }, index) => [name, plain(children[index] as Data, row)]),
    );
  }
  const [start = 0, end = 0] = [data.valueOffsets?.[row], data.valueOffsets?.[row + 1]].map(Number);
  const items = Array.from({ length: end - start }, (_, index) => start + index);
  const [child] = children as [Data];
  if (DataType.isList(type)) return items.map((item) => plain(child, item));
  if (DataType.isMap(type)) {
    const [keys, mapped] = child.children as [Data, Data];
    return Object.fromEntries(items.map((item) => [plain(keys, item), plain(mapped, item)]));
  }
  const numbers = values as Int32Array;
  if (DataType.isDictionary(type)) return data.dictionary?.get(numbers[row] as number);
  if (DataType.isBool(type)) return ((numbers[row >> 3] as number) & (1 << (row & 7))) !== 0;
  if (DataType.isUtf8(type)) return new TextDecoder().decode((values as Uint8Array).subarray(start, end));
  if (DataType.isBinary(type)) return [...(values as Uint8Array).subarray(start, end)];
  if (DataType.isFixedSizeBinary(type)) {
    return [...(values as Uint8Array).subarray(row * type.byteWidth, (row + 1) * type.byteWidth)];
  }
  // All decimals in the test file fit into 32 bits, so the lowest word is enough.
  if (DataType.isDecimal(type)) return String((numbers[row * 4] as number) | 0);
  return DataType.isFloat(type) ? numbers[row] : String(numbers[row]);
}
