import { loadRowColumns } from "#row-columns";
import type { ByteSource } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import type { FormatReader, OpenContext } from "../format-spec.js";
import { type LendingPlan, lentBatchOf } from "./lending.js";
import type { ReadOptions, ReadPlan, Split } from "../read-plan.js";
import type { PlanRequest } from "../read-request.js";
import type { PayloadDecoder, PayloadPlan, PayloadSession, RecordContainer } from "./record-format-parts.js";
import { createBlockFeed } from "./block-feed.js";
import { createFramedFeed, framedPairOf } from "./framed-feed.js";
import { openNumberedRows } from "./numbered-rows.js";
import { readRecords } from "./read-records.js";
import type { FeedParts, RecordFeed } from "./record-feed.js";
import type { RowColumnNames, RowColumns } from "./row-columns.js";
import { partsOf, recordPartOf } from "./split-parts.js";
import { createShuffledFeed } from "./shuffled-feed.js";

/**
 * Default size of a batch in bytes. It bounds the memory of a reader and keeps the 32-bit offsets of a batch far from overflow.
 */
const DEFAULT_BATCH_BYTES: number = 32 * 2 ** 20;

/** The parts of a record reader. */
export interface RecordReaderParts<ContainerOptions extends object, PayloadOptions extends object> {
  readonly container: RecordContainer<ContainerOptions>;
  readonly payload: PayloadDecoder<PayloadOptions>;
  readonly sources: readonly ByteSource[];
  readonly context: OpenContext<ContainerOptions & PayloadOptions>;
}

/** Creates a reader whose splits are whole sources. They can be subdivided if the container can cut sources. */
export function createRecordReader<ContainerOptions extends object, PayloadOptions extends object>({
  container,
  payload,
  sources,
  context: { options, limits },
}: RecordReaderParts<ContainerOptions, PayloadOptions>): FormatReader {
  const splits = sources.map(({ uri, byteLength }, index) =>
    Object.freeze({ index, uri, ...(byteLength !== undefined && { numBytes: byteLength }) }),
  );

  const planOf = (
    plan: PayloadPlan,
    request: PlanRequest,
    { RowColumns, withRowColumns }: typeof import("./row-columns.js"),
  ): LendingPlan => {
    const { batchSize, batchBytes = DEFAULT_BATCH_BYTES, rowPositionColumn, splitBytes } = request;
    const createRowColumns = (names: RowColumnNames): RowColumns | undefined =>
      hasName(names) ? new RowColumns(names, plan) : undefined;
    const read = <Batch>(
      split: Split,
      readOptions: ReadOptions,
      finish: (session: PayloadSession) => Batch,
      toOwnColumns: (batch: Batch, columns: RowColumns) => Batch,
    ): AsyncIterable<Batch> => {
      const { from, shuffle, signal, onProgress } = readOptions;
      const session = plan.createSession();
      const names = { position: rowPositionColumn, splitIndex: shuffle?.splitIndexColumn };
      const rowColumns = createRowColumns(names);
      const parts: FeedParts<ContainerOptions> = {
        container,
        context: { options, limits, from, part: recordPartOf(split), signal },
        session,
        rowColumns,
      };
      const createFeed = () =>
        shuffle === undefined
          ? createRecordFeed(sources[split.index] as ByteSource, parts)
          : createShuffledFeed(
              [split, ...(shuffle.with ?? [])].map((one) => ({
                source: sources[one.index] as ByteSource,
                splitIndex: one.index,
                part: recordPartOf(one),
              })),
              parts,
              shuffle,
            );
      return readRecords(createFeed, {
        session,
        finish: () =>
          rowColumns === undefined ? finish(session) : toOwnColumns(finish(session), rowColumns),
        batchSize,
        batchBytes,
        onProgress,
      });
    };
    const append = (batch: RecordBatch, columns: RowColumns): RecordBatch => columns.appendTo(batch);
    return {
      arrowSchema: plan.arrowSchema && withRowColumns(plan.arrowSchema, { position: rowPositionColumn }),
      schema: plan.schema,
      splits,
      ...(container.cuts && {
        subdivide: (split: Split, { signal }: { readonly signal?: AbortSignal | undefined } = {}) => {
          const cutting = { container, options, limits, splitBytes, plan, signal };
          return partsOf(sources[split.index] as ByteSource, split, cutting);
        },
      }),
      ...(container.index && {
        openRows: (split: Split, { signal }: { readonly signal?: AbortSignal | undefined } = {}) =>
          openNumberedRows(sources[split.index] as ByteSource, split, {
            container,
            context: { options, limits, signal },
            plan,
            rowColumns: () => createRowColumns({ position: rowPositionColumn }),
            batchLimits: { batchSize, batchBytes },
          }),
      }),
      read: (split, readOptions = {}) => read(split, readOptions, (session) => session.finish(), append),
      readLeased: (split, readOptions = {}) =>
        read(split, readOptions, lentBatchOf, ({ batch, release }, columns) => ({
          batch: append(batch, columns),
          release,
        })),
    };
  };

  return {
    async plan(request): Promise<ReadPlan> {
      const { columns, schema, isInferred, rawRecordColumn, isSample, unlisted = "drop" } = request;
      const plan = await payload.plan(
        { columns, schema, isInferred, rawRecordColumn, isSample, unlisted, limits },
        options,
      );
      return planOf(plan, request, await loadRowColumns());
    },
  };
}

/**
 * Creates a feed of the records of one source in file order. The feed pushes framed windows if the container and the session
 * share a framing and no row positions are requested. Otherwise, it pushes blocks.
 */
function createRecordFeed<Options extends object>(source: ByteSource, parts: FeedParts<Options>): RecordFeed {
  const pair = parts.rowColumns === undefined ? framedPairOf(parts) : undefined;
  return pair === undefined ? createBlockFeed(source, parts) : createFramedFeed(source, parts.context, pair);
}

function hasName({ position, splitIndex }: RowColumnNames): boolean {
  return position !== undefined || splitIndex !== undefined;
}
