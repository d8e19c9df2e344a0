import {
  type BatchWriter,
  defineFormat,
  type OpenContext,
  type PlanRequest,
  type ReadOptions,
  type ReadPlan,
  type Split,
  type WritableFormat,
} from "@tfxio/format";
import type { Predicate } from "@tfxio/schema";
import { bufferStream, RecordError, SchemaError } from "@tfxio/wire";
import {
  type Data,
  Field,
  Float64,
  Int64,
  makeData,
  type RecordBatch,
  RecordBatch as Batch,
  Schema as ArrowSchema,
  Struct,
  vectorFromArray,
} from "apache-arrow";

// A format that declares what toy-lines does not: filters, and splits that can be subdivided. A file is JSON: a list of
// groups of rows. Each row is an object of numbers that omits nulls: [[{"a":1},{"b":2}],[{"a":3}]]

type Row = Readonly<Record<string, number>>;
/** Loads all bytes of a file. */
type Load = (index: number, signal: AbortSignal | undefined) => Promise<Uint8Array>;

export interface TableOptions {
  /** What a filter drops: single rows (`"rows"`), or only whole groups of rows (`"splits"`). */
  readonly prune: "splits" | "rows";
}

export const toyTable: WritableFormat<TableOptions> = defineFormat<TableOptions>({
  id: "table",
  extensions: [".table"],
  defaults: { prune: "rows" },
  contractVersion: 2,
  reads: { filter: "rows", subdivide: true, rowPositionColumn: true },
  open: async (sources, context) => {
    const uris = sources.map(({ uri }) => uri);
    const load: Load = (index, signal) => sources[index]!.slice(0, Number.MAX_SAFE_INTEGER, { signal });
    return { plan: async (request) => planTable(uris, load, request, context) };
  },
  openStream: async (bytes, context) => {
    const stream = bufferStream(bytes);
    const load: Load = async (_, signal) => {
      const close = (): void => void stream.close();
      signal?.addEventListener("abort", close);
      const chunks: Uint8Array[] = [];
      for await (const chunk of stream.rest()) chunks.push(chunk.slice());
      signal?.removeEventListener("abort", close);
      return new Uint8Array(Buffer.concat(chunks));
    };
    return {
      plan: async (request) => planTable(["stream"], load, request, context),
      close: () => stream.close(),
    };
  },
  createWriter: async (target): Promise<BatchWriter> => {
    const groups: Row[][] = [];
    return {
      async write(batch) {
        const rows = Array.from(batch, (row) => Object.entries(row.toJSON()));
        groups.push(rows.map((cells) => Object.fromEntries(cells.filter(([, cell]) => cell !== null))));
      },
      finish: () => target.write(new TextEncoder().encode(JSON.stringify(groups))),
    };
  },
});

function planTable(
  uris: readonly string[],
  load: Load,
  request: PlanRequest,
  { options }: OpenContext<TableOptions>,
): ReadPlan {
  const { columns, schema, unlisted, filter, rowPositionColumn, batchSize } = request;
  const listed = schema?.feature.map(({ name }) => name);
  const wanted = columns?.map(({ steps }) => steps[0] ?? "");
  const strange = wanted?.find((name) => listed?.includes(name) === false);
  if (strange !== undefined) throw new SchemaError("schema-mismatch", `no feature "${strange}"`);
  const names = listed?.filter((name) => wanted?.includes(name) ?? true) ?? wanted;
  const { prune } = options;
  const keeps = (row: Row): boolean => filter === undefined || holds(filter, row) === true;

  const groupsOf = async ({ index, uri }: Split, signal?: AbortSignal): Promise<Row[][]> => {
    try {
      return JSON.parse(new TextDecoder().decode(await load(index, signal))) as Row[][];
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      throw new RecordError("malformed-payload", `${uri} is not a table`, { uri, cause });
    }
  };
  const partsOf = (split: Split, groups: readonly Row[][]): Split[] =>
    groups.flatMap((rows, group) =>
      rows.some(keeps) ? { index: split.index, uri: split.uri, detail: group, numRows: rows.length } : [],
    );

  async function* read(split: Split, { from, signal, onProgress }: ReadOptions = {}) {
    const groups = await groupsOf(split, signal);
    const starts = groups.map((_, group) => groups.slice(0, group).flat().length);
    const own = split.detail === undefined ? partsOf(split, groups) : [split];
    const rows = own.flatMap(({ detail }) => {
      const group = detail as number;
      return groups[group]!.map((row, index) => ({ row, position: starts[group]! + index }));
    });
    let [at, numRows] = [from?.row ?? 0, 0];
    while (at < rows.length) {
      const batch: typeof rows = [];
      for (; at < rows.length && batch.length < batchSize; at++) {
        const { row } = rows[at]!;
        if (prune === "rows" && !keeps(row)) continue;
        const other = Object.keys(row).find((name) => listed?.includes(name) === false);
        if (unlisted === "error" && other !== undefined) {
          throw new SchemaError("schema-mismatch", `"${other}" is not listed`, { uri: split.uri });
        }
        batch.push(rows[at]!);
      }
      if (batch.length === 0) return;
      numRows += batch.length;
      onProgress?.({ position: { row: at }, numRows, numBytes: numRows, numSkipped: 0 });
      yield toBatch(batch, names, rowPositionColumn);
    }
  }

  return {
    arrowSchema: listed && arrowSchemaOf(names ?? [], rowPositionColumn),
    ...(filter !== undefined && { filtered: prune }),
    splits: uris.map((uri, index) => ({ index, uri })),
    subdivide: async (split, { signal } = {}) => partsOf(split, await groupsOf(split, signal)),
    read,
  };
}

/** Returns whether the predicate holds for the row, or null if that is unknown. */
function holds(predicate: Predicate, row: Row): boolean | null {
  switch (predicate.kind) {
    case "isNull":
      return row[String(predicate.column)] === undefined;
    case "not": {
      const held = holds(predicate.operand, row);
      return held === null ? null : !held;
    }
    case "in":
    case "compare": {
      const value = row[String(predicate.column)];
      if (value === undefined) return null;
      if (predicate.kind === "in") return predicate.values.some((other) => Number(other) === value);
      const other = Number(predicate.value);
      if (predicate.op === "<") return value < other;
      return predicate.op === ">" ? value > other : value === other;
    }
    default:
      throw new TypeError(`the checks do not ask for ${predicate.kind}`);
  }
}

function arrowSchemaOf(names: readonly string[], rowPositionColumn: string | undefined): ArrowSchema {
  const fields: Field[] = names.map((name) => new Field(name, new Float64(), true));
  if (rowPositionColumn !== undefined) fields.push(new Field(rowPositionColumn, new Int64(), false));
  return new ArrowSchema(fields);
}

function toBatch(
  rows: readonly { readonly row: Row; readonly position: number }[],
  names: readonly string[] | undefined,
  rowPositionColumn: string | undefined,
): RecordBatch {
  const present = new Set(rows.flatMap(({ row }) => Object.keys(row)));
  const columns = names ?? [...present].sort();
  const schema = arrowSchemaOf(columns, rowPositionColumn);
  const children: Data[] = columns.map(
    (name) =>
      vectorFromArray(
        rows.map(({ row }) => row[name] ?? null),
        new Float64(),
      ).data[0]!,
  );
  if (rowPositionColumn !== undefined) {
    children.push(
      vectorFromArray(
        rows.map(({ position }) => BigInt(position)),
        new Int64(),
      ).data[0]!,
    );
  }
  const type = new Struct(schema.fields);
  return new Batch(schema, makeData({ type, length: rows.length, nullCount: 0, children }));
}
