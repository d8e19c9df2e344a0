import { ArgumentError, type ByteSource, UnsupportedError } from "@tfxio/wire";
import type { Schema } from "@tfxio/schema";
import type { Leased } from "@tfxio/wire/kernels";
import type { RecordBatch } from "apache-arrow";
import { defineFormat } from "./define-format.js";
import type {
  Format,
  FormatReader,
  FormatSpec,
  OpenContext,
  PlanRequest,
  ReadOptions,
  ReadPlan,
  Split,
  WritableFormat,
  WriteContext,
} from "./format.js";
import { readRecords } from "./read-records.js";
import type {
  OptionsUse,
  PayloadDecoder,
  PayloadPlan,
  PayloadSession,
  RecordContainer,
} from "./record-format-parts.js";

/** Options of {@link recordFormat}: what a composed format has beside its parts. */
export interface RecordFormatOptions<Options extends object> {
  /** Default: the container's id, a hyphen, and the payload's. */
  readonly id?: string | undefined;
  /** See {@link Format.module}. */
  readonly module?: string | undefined;
  /** See {@link FormatSpec.write}; called once both parts have passed the options. Absent: it cannot be written. */
  readonly write?: FormatSpec<Options>["write"] | undefined;
}

/**
 * The format of files that frame records as `container` says and hold in each what `payload` says. Its options are
 * those of both; each source is one split.
 * @throws {ArgumentError} `invalid-argument` (`format-definition`) when both have an option of the same name.
 */
export function recordFormat<ContainerOptions extends object, PayloadOptions extends object>(
  container: RecordContainer<ContainerOptions>,
  payload: PayloadDecoder<PayloadOptions>,
  recordOptions: RecordFormatOptions<ContainerOptions & PayloadOptions> &
    Required<Pick<FormatSpec<ContainerOptions & PayloadOptions>, "write">>,
): WritableFormat<ContainerOptions & PayloadOptions>;
export function recordFormat<ContainerOptions extends object, PayloadOptions extends object>(
  container: RecordContainer<ContainerOptions>,
  payload: PayloadDecoder<PayloadOptions>,
  recordOptions?: RecordFormatOptions<ContainerOptions & PayloadOptions>,
): Format<ContainerOptions & PayloadOptions>;
export function recordFormat<ContainerOptions extends object, PayloadOptions extends object>(
  container: RecordContainer<ContainerOptions>,
  payload: PayloadDecoder<PayloadOptions>,
  recordOptions: RecordFormatOptions<ContainerOptions & PayloadOptions> = {},
): Format<ContainerOptions & PayloadOptions> {
  const id = recordOptions.id ?? `${container.id}-${payload.id}`;
  for (const key of Object.keys(container.defaults)) {
    if (Object.hasOwn(payload.defaults, key)) {
      throw new ArgumentError(
        "invalid-argument",
        `${id}: container and payload both have an option "${key}"`,
        {
          reason: "format-definition",
          argument: key,
        },
      );
    }
  }
  const { sniff } = container;
  const { module, write } = recordOptions;
  const assertOptions = (options: ContainerOptions & PayloadOptions, use: OptionsUse): void => {
    container.assertOptions?.(options, use);
    payload.assertOptions?.(options, use);
  };
  return defineFormat<ContainerOptions & PayloadOptions>({
    id,
    extensions: container.extensions,
    defaults: { ...container.defaults, ...payload.defaults },
    module,
    ...(sniff && { sniff }),
    async open(sources, context) {
      assertOptions(context.options, "read");
      return createRecordReader({ id, container, payload, sources, context });
    },
    ...(write && {
      write: async (
        batches: AsyncIterable<RecordBatch>,
        target: string,
        context: WriteContext<ContainerOptions & PayloadOptions>,
      ) => {
        assertOptions(context.options, "write");
        return write(batches, target, context);
      },
    }),
  });
}

interface Opened<ContainerOptions extends object, PayloadOptions extends object> {
  readonly id: string;
  readonly container: RecordContainer<ContainerOptions>;
  readonly payload: PayloadDecoder<PayloadOptions>;
  readonly sources: readonly ByteSource[];
  readonly context: OpenContext<ContainerOptions & PayloadOptions>;
}

function createRecordReader<ContainerOptions extends object, PayloadOptions extends object>(
  opened: Opened<ContainerOptions, PayloadOptions>,
): FormatReader {
  const { container, payload, context } = opened;
  const { options, limits } = context;
  const sources = [...opened.sources];
  const splits = Object.freeze(sources.map(({ uri }, index) => Object.freeze({ index, uri })));

  async function inferSchema(request: PlanRequest): Promise<Schema> {
    if (payload.inferSchema === undefined) {
      throw new UnsupportedError(`${opened.id} cannot infer a schema: give one`, { feature: "inferSchema" });
    }
    const plan = await payload.plan({ unlisted: "drop", kernels: request.kernels, isSample: true }, options);
    return payload.inferSchema(sample(plan, request));
  }

  async function* sample(
    plan: PayloadPlan,
    request: PlanRequest,
  ): AsyncGenerator<RecordBatch, void, undefined> {
    const { batchSize, inferSchema: extent, signal } = request;
    let rowsLeft = extent === "first" ? batchSize : typeof extent === "object" ? extent.rows : Infinity;
    for (const source of sources) {
      const session = plan.createSession();
      const batches = readRecords({
        container,
        source,
        context: { options, limits, signal },
        session,
        finish: () => session.finish(),
        batchSize,
        maxRows: rowsLeft,
      });
      for await (const batch of batches) {
        rowsLeft -= batch.numRows;
        yield batch;
        if (extent === "first") return;
      }
      if (rowsLeft === 0) return;
    }
  }

  return {
    async plan(request): Promise<ReadPlan> {
      const { columns, rawRecordColumn, batchSize, kernels, unlisted = "drop" } = request;
      const isInferred = request.inferSchema !== undefined;
      const schema = isInferred ? await inferSchema(request) : request.schema;
      const plan = await payload.plan(
        { columns, schema, rawRecordColumn, kernels, unlisted: isInferred ? "error" : unlisted },
        options,
      );
      const read = <Batch>(
        split: Split,
        { from, signal, onProgress }: ReadOptions,
        finish: (session: PayloadSession) => Batch,
      ): AsyncIterable<Batch> => {
        const session = plan.createSession();
        return readRecords({
          container,
          source: sources[split.index]!,
          context: { options, limits, from, signal },
          session,
          finish: () => finish(session),
          batchSize,
          maxRows: Infinity,
          onProgress,
        });
      };
      return {
        arrowSchema: plan.arrowSchema,
        schema,
        splits,
        read: (split, readOptions = {}) => read(split, readOptions, (session) => session.finish()),
        readLeased: (split, readOptions = {}) => read(split, readOptions, finishLeased),
      };
    },
  };
}

function finishLeased(session: PayloadSession): Leased<RecordBatch> {
  return session.finishLeased?.() ?? { batch: session.finish(), release() {} };
}
