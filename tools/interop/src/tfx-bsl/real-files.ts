import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { plainTensor } from "@tfxio-tools/conformance/values/tensor";
import { openTfxio, type Tfxio } from "@tfxio/io";
import { encodeSchema, parseSchemaText, type Schema } from "@tfxio/schema";
import type { TensorAdapter } from "@tfxio/tensor-adapter";
import type { RecordBatch } from "apache-arrow";
import { answerOf } from "./answers.js";
import type { OurBatch } from "./decoded-batches.js";
import type { Json } from "./question.js";

/** A TFRecord file, and the settings to read it with. */
interface Reading {
  readonly file: string;
  readonly what: string;
  /** A schema to read with, or `"inferred"` to infer one from the whole file. If undefined, the file is read without a schema. */
  readonly schema: Schema | "inferred" | undefined;
  readonly isSequence: boolean;
}

/**
 * Reads every TFRecord file in the folder of real data: without a schema, with an inferred schema, and with each schema in
 * the top-level subfolder that contains the file. Yields our batches of each file and, if there is a schema, their tensors.
 */
export async function* realFiles(dataFolder: string): AsyncGenerator<readonly OurBatch[]> {
  const sets = readdirSync(dataFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name: set } of sets) {
    const files = filesBelow(path.join(dataFolder, set));
    const schemas = files.filter((file) => path.basename(file) === "schema.pbtxt");
    for (const file of files.filter((each) => isTfRecord(set, each))) {
      const isSequence = set === "sequence";
      const what = path.relative(dataFolder, file);
      const ours = [
        await ourBatches({ file, isSequence, what: `${what} without a schema`, schema: undefined }),
        await ourBatches({ file, isSequence, what: `${what} with an inferred schema`, schema: "inferred" }),
      ];
      for (const each of schemas) {
        const schema = parseSchemaText(readFileSync(each, "utf8"));
        const name = path.relative(dataFolder, each);
        ours.push(await ourBatches({ file, isSequence, what: `${what} with ${name}`, schema }));
      }
      yield ours.flat();
    }
  }
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

function isTfRecord(set: string, file: string): boolean {
  const name = path.basename(file);
  return name.includes("tfrecord") || (set === "sequence" && name.endsWith(".gz"));
}

async function ourBatches({ file, isSequence, what, schema }: Reading): Promise<readonly OurBatch[]> {
  const batches: OurBatch[] = [];
  const place: Record<string, unknown> = { file, ...(isSequence && { sequence_column: "##SEQUENCE##" }) };
  const rejected = await answerOf(async () => {
    const tfxio = await openTfxio(file, {
      format: isSequence ? "sequence-tfrecord" : "tfrecord",
      formatOptions: { listType: "large" },
      ...(schema === "inferred" ? { inferSchema: "full" } : { schema }),
    });
    if (schema !== undefined) {
      const bytes = encodeSchema(schema === "inferred" ? tfxio.schema() : schema);
      place["schema_b64"] = Buffer.from(bytes).toString("base64");
    }
    const tensors = schema === undefined ? undefined : tensorsOf(tfxio);
    let start = 0;
    for await (const batch of tfxio.recordBatches()) {
      const end = start + batch.numRows;
      batches.push({
        what: `${what}, ${batch.numRows} rows starting at row ${start}`,
        job: { ...place, start, end },
        decoded: batch,
        ...(tensors && { tensors: await tensors(batch) }),
      });
      start = end;
    }
    batches.push({ what: `${what}, number of rows`, job: { file, count: true }, decoded: { rows: start } });
    return {};
  });
  return "error" in rejected ? [...batches, { what, job: place, decoded: rejected }] : batches;
}

function tensorsOf(tfxio: Tfxio): (batch: RecordBatch) => Promise<Json> {
  let adapter: TensorAdapter | undefined;
  return (batch) =>
    answerOf(() => {
      adapter ??= tfxio.tensorAdapter();
      const columns = Object.entries(adapter.toHost(batch));
      return Object.fromEntries(columns.map(([name, column]) => [name, plainTensor(column)]));
    });
}
