import { type CsvOptions, csv } from "@tfxio/formats-csv";
import type { Schema } from "@tfxio/schema";
import { bytesSource } from "@tfxio/wire";
import { DataType, type RecordBatch } from "apache-arrow";
import type { Handler, Json } from "../handler.js";
import { expectedBatch, plainBatch, type RecordBatchJson } from "../values/arrow-array.js";
import { type FieldJson, formatArrowType, type TypeJson, withoutLarge } from "../values/arrow-type.js";
import { schemaOf } from "../values/proto.js";
import { bytesOf } from "../values/scalar.js";

type Plan = Awaited<ReturnType<Awaited<ReturnType<typeof csv.open>>["plan"]>>;
type Request = Parameters<Awaited<ReturnType<typeof csv.open>>["plan"]>[0];

/** Maps the option names of tfx_bsl to ours. */
const OPTIONS = {
  column_names: "columnNames",
  delimiter: "delimiter",
  skip_blank_lines: "skipBlankLines",
  multivalent_columns: "multivalentColumns",
  secondary_delimiter: "secondaryDelimiter",
} as const satisfies Readonly<Record<string, keyof CsvOptions>>;

/** Converts tfx_bsl's options to ours. tfx_bsl infers types from all lines. `skipLines` skips the header that `planOf` adds. */
function optionsOf(input: Json): Partial<CsvOptions> {
  const given = Object.entries(OPTIONS).filter(([theirs]) => input[theirs] !== undefined);
  const options = Object.fromEntries(given.map(([theirs, ours]) => [ours, input[theirs]]));
  return { infer: "full", skipLines: 1, ...options };
}

/** Creates a file from a header line and the lines of the test vector, and plans a read of it. */
async function planOf(input: Json, options: Partial<CsvOptions>, request: Request): Promise<Plan> {
  const lines = (input["lines"] ?? []) as readonly string[];
  const bytes = new TextEncoder().encode(["header", ...lines, ""].join("\n"));
  const reader = await csv.open([bytesSource(bytes, "lines.csv")], { options });
  return reader.plan(request);
}

async function batchesOf(
  input: Json,
  options: Partial<CsvOptions>,
  request: Request,
): Promise<RecordBatch[]> {
  const plan = await planOf(input, options, request);
  const batches: RecordBatch[] = [];
  for (const split of plan.splits) for await (const batch of plan.read(split)) batches.push(batch);
  return batches;
}

/** Returns a request whose schema has the features in the order of the file's columns. */
function requestOf(input: Json): Request {
  const names = input["column_names"] as readonly string[];
  const schema: Schema | undefined = schemaOf(input);
  // Our columns are in the order of the schema, and those of tfx_bsl are in the order of the file.
  const places = new Map(names.map((name, index) => [name, index]));
  const feature = schema?.feature.toSorted(
    (left, right) => (places.get(left.name) ?? 0) - (places.get(right.name) ?? 0),
  );
  return {
    schema: schema && { ...schema, feature: feature ?? [] },
    rawRecordColumn: input["raw_record_column_name"] as string | undefined,
  };
}

/** Resolves to the bytes of every cell by row, in base64. Blank lines have no cells, so the result omits them. */
async function cellsOf(input: Json): Promise<string[][]> {
  const names = input["column_names"] as readonly string[];
  const options: Partial<CsvOptions> = {
    columnNames: names,
    skipLines: 1,
    delimiter: input["delimiter"] as string,
    types: Object.fromEntries(names.map((name) => [name, "bytes"])),
    nullMarkers: [],
  };
  const cells: string[][] = [];
  for (const batch of await batchesOf(input, options, {})) {
    for (let row = 0; row < batch.numRows; row++) {
      cells.push(names.map((name) => base64(batch.getChild(name)?.get(row)?.get(0) as Uint8Array)));
    }
  }
  return cells;
}

/** Resolves to tfx_bsl's name for the inferred type of each column. */
async function inferredTypes(input: Json): Promise<string[]> {
  const { arrowSchema } = await planOf(input, optionsOf(input), {});
  return (arrowSchema?.fields ?? []).map(({ type }) => {
    if (!DataType.isList(type)) return "UNKNOWN";
    return DataType.isInt(type.valueType) ? "INT" : DataType.isFloat(type.valueType) ? "FLOAT" : "STRING";
  });
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

/** Handlers of operations on CSV lines. The comparison of types ignores the width of offsets. */
export const csvDecoder: Readonly<Record<string, Handler>> = {
  decode: {
    actual: async (input, expect) => ({
      batches: (await batchesOf(input, optionsOf(input), requestOf(input))).map((batch) =>
        plainBatch(batch, withoutLarge),
      ),
      types: expect["inferred_types"] && (await inferredTypes(input)),
      cells: await cellsOf(input),
    }),
    expected: (expect) => ({
      batches: (expect["record_batches"] as readonly RecordBatchJson[]).map((batch) =>
        expectedBatch(batch, withoutLarge),
      ),
      types: expect["inferred_types"],
      cells: (expect["cells"] as readonly (readonly { readonly b64: string }[])[])
        .filter(({ length }) => length > 0)
        .map((row) => row.map((cell) => base64(bytesOf(cell)))),
    }),
  },
  infer_types: {
    actual: (input) => inferredTypes(input),
    expected: (expect) => expect["inferred_types"],
  },
  arrow_schema: {
    actual: async (input) => {
      const { arrowSchema } = await planOf(input, optionsOf(input), requestOf(input));
      return (arrowSchema?.fields ?? []).map(({ name, type }) => ({
        name,
        type: withoutLarge(formatArrowType(type) as TypeJson),
      }));
    },
    expected: (expect) =>
      ((expect["arrow_schema"] ?? expect["columns"]) as readonly FieldJson[]).map(({ name, type }) => ({
        name,
        type: withoutLarge(type),
      })),
  },
};
