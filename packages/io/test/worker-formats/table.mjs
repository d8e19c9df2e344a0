// A format whose files hold tables as JSON. It yields columns with their stored types, not as lists. It is plain JavaScript because worker threads
// import it together with the built packages.
import { defineFormat } from "@tfxio/format";
import {
  Bool,
  Field,
  Float64,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from "apache-arrow";

/** Maximum number of rows per batch, unless `batchSize` is less. */
const BATCH_ROWS = 50;

const fields = [
  new Field("id", new Int32(), false),
  new Field("weight", new Float64(), true),
  new Field("name", new Utf8(), true),
  new Field("isNew", new Bool(), true),
];

function batchOf(rows, columns, positions, request) {
  const kept = columns === undefined ? fields : fields.filter(({ name }) => columns.includes(name));
  const all = kept.map(({ name, type }) => [
    new Field(name, type, true),
    vectorFromArray(
      rows.map((row) => row[name] ?? null),
      type,
    ).data[0],
  ]);
  if (request.rowPositionColumn !== undefined) {
    const data = vectorFromArray(positions.map(BigInt), new Int64()).data[0];
    all.push([new Field(request.rowPositionColumn, data.type, false), data]);
  }
  const schema = new Schema(all.map(([field]) => field));
  const type = new Struct(schema.fields);
  const children = all.map(([, data]) => data);
  return new RecordBatch(schema, makeData({ type, length: rows.length, nullCount: 0, children }));
}

/** Divides each file into splits of `splitRows` rows. The `detail` of a split is the file and the first row. */
export const table = defineFormat({
  id: "table",
  contractVersion: 2,
  extensions: [".table"],
  defaults: { splitRows: 1000 },
  reads: { rowPositionColumn: true },
  module: import.meta.url,
  open: async (sources, { options: { splitRows } }) => ({
    async plan(request) {
      const names = request.columns?.map(({ steps: [name] }) => name);
      const decoder = new TextDecoder();
      const contents = await Promise.all(
        sources.map(async (source) =>
          JSON.parse(decoder.decode(await source.slice(0, source.byteLength ?? 1e9))),
        ),
      );
      const splits = contents.flatMap((rows, file) =>
        Array.from({ length: Math.ceil(rows.length / splitRows) }, (_, part) => ({
          uri: sources[file].uri,
          detail: { file, row: part * splitRows },
          numRows: Math.min(splitRows, rows.length - part * splitRows),
        })),
      );
      return {
        arrowSchema: batchOf([], names, [], request).schema,
        splits: splits.map((split, index) => ({ index, ...split })),
        async *read({ detail, numRows }, { from, onProgress } = {}) {
          const size = Math.min(BATCH_ROWS, request.batchSize);
          for (let row = from?.row ?? 0; row < numRows; row += size) {
            const first = detail.row + row;
            const rows = contents[detail.file].slice(first, Math.min(detail.row + numRows, first + size));
            const numRead = row + rows.length;
            onProgress?.({ position: { row: numRead }, numRows: numRead, numBytes: 0, numSkipped: 0 });
            yield batchOf(
              rows,
              names,
              rows.map((_, index) => first + index),
              request,
            );
          }
        },
      };
    },
  }),
});
