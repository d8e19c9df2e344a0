import type { FormatReader, OpenContext, PlanRequest, ReadPlan, Split } from "@tfxio/format";
import { type ByteSource, UnsupportedError } from "@tfxio/wire";
import { csvKernel } from "./kernels/select-csv-kernel.js";
import type { CsvOptions } from "./options.js";
import { type ChosenColumns, fileColumns, namesToInfer, schemaColumns } from "./read/columns.js";
import { arrowSchemaOf, assertFreeNames, type CsvPlan } from "./read/csv-plan.js";
import { assertColumnCount, type CsvHeader, readHeader } from "./read/header.js";
import { inferTypes } from "./read/infer-types.js";
import { readBatches } from "./read/read-batches.js";
import { isCompressed } from "./read/source-head.js";
import { subdivideFile } from "./read/subdivide.js";

/** Default size in bytes at which a batch ends. It limits a reader's memory, and keeps offsets far below the limit of int32. */
const DEFAULT_BATCH_BYTES: number = 32 * 2 ** 20;

/** The sources of a reader. `isOnePass` is true for a stream, which cannot be read again. */
export interface CsvInput {
  readonly sources: readonly ByteSource[];
  readonly isOnePass: boolean;
}

/**
 * Creates a reader of CSV files. Each file is a split, which can be subdivided unless it is compressed or a stream. Once read,
 * the header of a file is kept.
 */
export function createCsvReader(
  { sources, isOnePass }: CsvInput,
  { options, limits }: OpenContext<CsvOptions>,
): FormatReader {
  const kernel = csvKernel();
  const { maxRecordBytes, maxMetadataBytes, maxColumns } = limits;
  const splits: readonly Split[] = sources.map(({ uri, byteLength }, index) =>
    Object.freeze({ index, uri, ...(byteLength !== undefined && { numBytes: byteLength }) }),
  );
  const headers = new Map<ByteSource, CsvHeader>();

  const headerOf = async (source: ByteSource, signal: AbortSignal | undefined): Promise<CsvHeader> => {
    const known = headers.get(source);
    if (known !== undefined) return known;
    const header = await readHeader({ source, options, maxBytes: maxMetadataBytes, signal });
    headers.set(source, header);
    return header;
  };

  /** Returns the columns of the plan. `names` are the column names of the first file, or undefined with a schema. */
  const columnsOf = async (
    request: PlanRequest,
  ): Promise<ChosenColumns & { readonly names: readonly string[] | undefined }> => {
    const { schema, signal } = request;
    if (schema !== undefined) {
      assertFreeNames([...schema.feature.map(({ name }) => name), ...(options.columnNames ?? [])], request);
      return { ...schemaColumns(schema, request, options), names: undefined };
    }
    const [first] = sources as readonly [ByteSource];
    const { names } = await headerOf(first, signal);
    assertColumnCount(names, maxColumns, first.uri);
    assertFreeNames(names, request);
    const untyped = namesToInfer(names, request, options);
    if (isOnePass && options.infer === "full" && untyped.length > 0) throw noSecondPass(untyped[0] as string);
    const inferred = await inferTypes({
      sources,
      headerOf: (source) => headerOf(source, signal),
      names: untyped,
      options,
      kernel,
      maxRecordBytes,
      signal,
    });
    return { ...fileColumns({ names, uri: first.uri }, request, options, inferred), names };
  };

  return {
    async plan(request): Promise<ReadPlan> {
      const { columns, others, names } = await columnsOf(request);
      const { batchSize, batchBytes = DEFAULT_BATCH_BYTES, rawRecordColumn, rowPositionColumn } = request;
      const { columnForm = "lists" } = request;
      const plan: CsvPlan = {
        columns,
        checked: options.onBadCell === "skip-row" ? others : [],
        otherNames: names === undefined || request.columns !== undefined ? undefined : new Set(names),
        listed: listedNames(request),
        hasSchema: request.schema !== undefined,
        columnForm,
        arrowSchema: arrowSchemaOf(columns, { ...request, columnForm }),
        rawRecordColumn,
        rowPositionColumn,
        batchSize,
        batchBytes,
        options,
        maxRecordBytes,
      };
      return {
        arrowSchema: plan.arrowSchema,
        splits,
        async *read(split, readOptions = {}) {
          const source = sources[split.index] as ByteSource;
          const header = await headerOf(source, readOptions.signal);
          const { start = 0, end, detail } = split;
          const counted = detail as { readonly firstRecord?: number } | undefined;
          const firstRecord = start === 0 ? 0 : counted?.firstRecord;
          const part = { start: Math.max(start, header.dataStart), end, firstRecord };
          yield* readBatches({ source, header, part, plan, kernel }, readOptions);
        },
        async subdivide(split, { signal } = {}) {
          const source = sources[split.index] as ByteSource;
          const { splitBytes = Number.POSITIVE_INFINITY } = request;
          const mayBeCut = !isOnePass && (source.byteLength ?? 0) > splitBytes;
          if (!mayBeCut || (await isCompressed(source, options, signal))) return [split];
          const header = await headerOf(source, signal);
          return subdivideFile(split, {
            source,
            header,
            options,
            kernel,
            splitBytes,
            maxRecordBytes,
            signal,
          });
        },
      };
    },
  };
}

/** Returns the names of all columns of the schema, requested or not. Undefined unless unlisted columns are an error. */
function listedNames({ schema, unlisted }: PlanRequest): ReadonlySet<string> | undefined {
  return unlisted === "error" ? new Set(schema?.feature.map(({ name }) => name)) : undefined;
}

function noSecondPass(name: string): UnsupportedError {
  return new UnsupportedError(
    `Column "${name}" has no type, ` +
      'and the option `infer: "full"` cannot find one, because a stream can be read only once; ' +
      'pass a schema or the option `types`, or set infer to "sample".',
    { feature: "infer", reason: "full-inference" },
  );
}
