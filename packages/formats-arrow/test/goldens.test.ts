import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { bytesSource, isTfxioError } from "@tfxio/wire";
import type { Data } from "apache-arrow";
import { arrow } from "../src/index.js";
import { canonicalBytes } from "./canonical-bytes.js";
import { readBatches } from "./read.js";
import { pyarrowType } from "./pyarrow-type.js";

/** Files written by pyarrow, polars and arrow-rs, and what pyarrow reads from them. They are not in the repository. */
const folder = path.join(import.meta.dirname, "../../../../shared/goldens/arrow-files");

interface Golden {
  readonly file: string;
  readonly container: string;
  readonly expect?: "error";
  readonly schema: readonly { readonly name: string; readonly type: string; readonly nullable: boolean }[];
  readonly numRows: number;
  readonly batches?: readonly number[];
  readonly schemaMetadata?: readonly (readonly [string, string])[];
  readonly columnHashes: readonly string[];
}

const goldens = ["ipc", "feather"].flatMap((name) => {
  const inside = path.join(folder, name);
  if (!existsSync(inside)) return [];
  return readdirSync(inside)
    .filter((file) => !file.endsWith(".expected.json"))
    .map((file) => path.join(inside, file));
});

(goldens.length > 0 ? test : test.skip)("there are 222 golden files", () => {
  expect(goldens.length).toBe(222);
});

const cases = goldens.map((file) => [path.basename(file), file]);

(cases.length > 0 ? test : test.skip).each(cases.length > 0 ? cases : [["", ""]])(
  "%s is read as pyarrow reads it",
  async (title, file = "") => {
    const golden = JSON.parse(readFileSync(`${file}.expected.json`, "utf8")) as Golden;
    const sources = [bytesSource(new Uint8Array(readFileSync(file)), file)];
    if (golden.expect === "error") {
      const error: unknown = await readBatches(arrow, sources).catch((reason: unknown) => reason);
      expect(isTfxioError(error, "corrupt-record", "truncated-record", "malformed-payload")).toBe(true);
      expect(error).toMatchObject({ uri: file });
      expect(title).toMatch(/^broken_/);
      return;
    }
    for (const batchSize of [1_000_000, 7]) {
      const { batches, arrowSchema } = await readBatches(arrow, sources, { batchSize });
      const fields = arrowSchema!.fields;
      expect(fields.map(({ name, type, nullable }) => ({ name, type: pyarrowType(type), nullable }))).toEqual(
        golden.schema.map(({ name, type, nullable }) => ({ name, type: expandedType(type), nullable })),
      );
      expect(batches.reduce((sum, { numRows }) => sum + numRows, 0)).toBe(golden.numRows);
      if (golden.schemaMetadata) expect([...arrowSchema!.metadata]).toEqual(golden.schemaMetadata);
      expect(
        fields.map((_, column) => hashOf(batches.map(({ data }) => data.children[column] as Data))),
      ).toEqual(golden.columnHashes);
    }
    if (golden.container.endsWith("-file") && golden.batches !== undefined && golden.batches.length > 0) {
      expect(await rowsOfParts(sources)).toEqual(golden.batches);
    }
  },
);

function hashOf(chunks: readonly Data[]): string {
  const hash = createHash("sha256");
  for (const data of chunks) {
    for (let row = 0; row < data.length; row++) hash.update(canonicalBytes(data, row));
  }
  return hash.digest("hex");
}

/** Returns the number of rows of each part of a file. */
async function rowsOfParts(sources: Parameters<typeof readBatches>[1]): Promise<number[]> {
  const reader = await arrow.open(sources);
  const plan = await reader.plan({ splitBytes: 1 });
  const rows: number[] = [];
  for (const part of await plan.subdivide!(plan.splits[0]!)) {
    let numRows = 0;
    for await (const batch of plan.read(part)) numRows += batch.numRows;
    rows.push(numRows);
  }
  await reader.close();
  return rows;
}

/** Returns the type that TFXIO yields for a pyarrow type: without views, list views, run ends or extension types. */
function expandedType(type: string): string {
  const storage: Readonly<Record<string, string>> = {
    "extension<arrow.bool8>": "int8",
    "extension<arrow.json>": "string",
    "extension<arrow.uuid>": "fixed_size_binary[16]",
    "extension<arrow.fixed_shape_tensor[value_type=float, shape=[2,2]]>": "fixed_size_list<item: float>[4]",
  };
  return (storage[type] ?? type)
    .replaceAll("string_view", "string")
    .replaceAll("binary_view", "binary")
    .replaceAll("list_view", "list")
    .replace(/^run_end_encoded<run_ends: int\d+, values: (.*)>$/, "$1");
}
