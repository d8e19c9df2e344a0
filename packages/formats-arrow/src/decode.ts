import type { FormatReader, PlanRequest, ReadPlan, Split } from "@tfxio/format";
import { type BufferedStream, type ByteSource, handedOver, itemsOf } from "@tfxio/wire";
import { SchemaError } from "@tfxio/wire/errors";
import type { Schema as ArrowSchema } from "apache-arrow";
import type { ReadLimits } from "./compression/codecs.js";
import { type ArrowSource, arrowStream, openArrowSource } from "./containers/arrow-source.js";
import type { ArrowOptions } from "./options.js";
import { readIndexed, subdivideIndexed } from "./reading/read-indexed.js";
import { readStream } from "./reading/read-stream.js";
import { type Selection, selectColumns } from "./reading/select-columns.js";

/** Settings shared by all reads of a reader. */
export interface ReaderContext {
  readonly limits: ReadLimits;
  readonly options: Pick<ArrowOptions, "joinBatches">;
}

/** Creates a reader of sources that can be read repeatedly. Opens a source when it is first needed, and keeps its metadata. */
export function readArrow(sources: readonly ByteSource[], context: ReaderContext): FormatReader {
  const { limits } = context;
  const opened = new Map<ByteSource, ArrowSource>();
  const open = async (index: number, signal: AbortSignal | undefined): Promise<ArrowSource> => {
    const source = sources[index] as ByteSource;
    const known = opened.get(source) ?? (await openArrowSource(source, limits, signal));
    opened.set(source, known);
    return known;
  };
  const splits = sources.map(({ uri, byteLength }, index): Split => ({ index, uri, numBytes: byteLength }));
  return {
    async plan(request) {
      // With a schema, the first file decides the types of the columns. Without one, each of several files has its own types.
      const isKnown = request.schema !== undefined || sources.length === 1;
      const first = isKnown ? await open(0, request.signal) : undefined;
      const planned = first && selectColumns(first.schema, request, first.uri);
      const select = createSelector(request, planned);
      return {
        arrowSchema: planned?.arrowSchema,
        splits,
        async subdivide(split, { signal } = {}) {
          return subdivideIndexed(await open(split.index, signal), split, {
            splitBytes: request.splitBytes,
            signal,
          });
        },
        read(split, options = {}) {
          const batches = itemsOf(async () => {
            const source = await open(split.index, options.signal);
            const { joinBatches } = context.options;
            const reading = { selection: select(source), request, limits, joinBatches };
            if (source.kind === "indexed") return readIndexed(source, split, reading, options);
            return source.run((stream) => readStream(stream, reading, options), options.signal);
          });
          return handedOver(batches.next, batches.close);
        },
      } satisfies ReadPlan;
    },
  };
}

/** Settings of a reader of a stream. */
export interface StreamReaderContext extends ReaderContext {
  /** True if a stream without the end marker is rejected as truncated. */
  readonly needsEndMarker: boolean;
}

/** Creates a reader of a stream that can be read only once. The stream is one split, which cannot be divided. */
export function readArrowStream(buffered: BufferedStream, context: StreamReaderContext): FormatReader {
  const {
    limits,
    needsEndMarker,
    options: { joinBatches },
  } = context;
  const { uri, schema, run } = arrowStream(buffered, { limits, needsEndMarker });
  return {
    async plan(request) {
      const selection = selectColumns(await schema(request.signal), request, uri);
      return {
        arrowSchema: selection.arrowSchema,
        splits: [{ index: 0, uri }],
        subdivide: async (split) => [split],
        read: (_, options = {}) =>
          run(
            (stream) => readStream(stream, { selection, request, limits, joinBatches }, options),
            options.signal,
          ),
      };
    },
    close: () => buffered.close(),
  };
}

/**
 * Returns a function that selects the columns of a source and remembers the result. If `planned` is given, the columns of every
 * source must have the types that `planned` gives them.
 */
function createSelector(
  request: PlanRequest,
  planned: Selection | undefined,
): (source: ArrowSource) => Selection {
  const known = new Map<ArrowSource, Selection>();
  return (source) => {
    let selection = known.get(source);
    if (selection === undefined) {
      selection = selectColumns(source.schema, request, source.uri);
      if (planned !== undefined) {
        assertSameTypes(selection.arrowSchema, planned.arrowSchema, source.uri);
        selection = { ...selection, arrowSchema: planned.arrowSchema };
      }
      known.set(source, selection);
    }
    return selection;
  };
}

/**
 * Checks the types of the columns of a file.
 * @throws {SchemaError} `schema-mismatch` (`batch-schema`) if the type of a column differs from its type in the first file.
 */
function assertSameTypes(found: ArrowSchema, planned: ArrowSchema, uri: string): void {
  for (const [at, { name, type }] of planned.fields.entries()) {
    const actual = String(found.fields[at]?.type);
    const expected = String(type);
    if (actual === expected) continue;
    throw new SchemaError(
      "schema-mismatch",
      `Column "${name}" of ${uri} has type ${actual}, but ${expected} in the first file.`,
      {
        reason: "batch-schema",
        columnPath: name,
        expected,
        actual,
        uri,
      },
    );
  }
}
