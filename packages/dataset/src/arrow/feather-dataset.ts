import { arrow } from "@tfxio/formats-arrow";
import { ArgumentError, openSources, type SourceInput } from "@tfxio/wire";
import { assertOptions } from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { Dataset } from "../dataset.js";
import { arrowPlan } from "./arrow-plan.js";
import { ARROW_RULES, type ArrowDatasetOptions } from "./options.js";

/** Batch size above the number of rows in any record batch, so that the reader splits no batch. */
const WHOLE_BATCHES = 2 ** 31 - 1;

/**
 * A dataset of the rows of Arrow files, in file order. Reads Feather V1 and V2, IPC files, and IPC streams in files, compressed
 * or not. The selected columns must have the same names and types in all files. With `batchMode: "auto"`, each non-empty record
 * batch of a file is one element. Each pass reopens the files.
 * @see tensorflow_io.arrow.ArrowFeatherDataset
 */
export class ArrowFeatherDataset extends Dataset<unknown> {
  /**
   * Creates a dataset of files, without opening them.
   * @param files A path, glob, URL, Blob or bytes, or a list of them.
   * @throws {ArgumentError} `invalid-argument` for an empty list of files and for invalid options. The iterator throws the
   *   errors of reading. The constructor throws the schema errors of `ArrowDataset.fromTable` if `arrowSchema` is given.
   *   Otherwise, the iterator throws them.
   */
  constructor(files: SourceInput | readonly SourceInput[], options: ArrowDatasetOptions = {}) {
    assertOptions("ArrowFeatherDataset", options, ARROW_RULES);
    if (Array.isArray(files) && files.length === 0) {
      throw new ArgumentError(
        "invalid-argument",
        "ArrowFeatherDataset: files must name at least one file, found an empty list.",
        {
          argument: "files",
        },
      );
    }
    const names = (Array.isArray(files) ? (files as readonly SourceInput[]) : [files as SourceInput]).map(
      nameOf,
    );
    super(
      arrowPlan(({ signal }) => batchesOfFiles(files, signal), "ArrowFeatherDataset", options, { names }),
    );
  }

  /**
   * Creates a dataset of files whose schema is known. Options that contradict the schema fail at the call.
   * @throws The errors of `ArrowDataset.fromTable`. Also throws the errors of the constructor.
   */
  static fromSchema(
    files: SourceInput | readonly SourceInput[],
    arrowSchema: ArrowSchema,
    options: ArrowDatasetOptions = {},
  ): ArrowFeatherDataset {
    return new ArrowFeatherDataset(files, { ...options, arrowSchema });
  }
}

/**
 * Returns the name that checkpoints use for a file: the last part of its path, URL or glob. A file without any of these is named
 * by its size.
 */
function nameOf(file: SourceInput): string {
  if (typeof file === "string" || file instanceof URL) return String(file).replace(/^.*[/\\]/s, "");
  const { uri, byteLength, size } = file as { uri?: string; byteLength?: number; size?: number };
  return uri === undefined ? `${byteLength ?? size} bytes` : uri.replace(/^.*[/\\]/s, "");
}

async function* batchesOfFiles(
  files: SourceInput | readonly SourceInput[],
  signal: AbortSignal,
): AsyncGenerator<RecordBatch, void, undefined> {
  for (const source of await openSources(files as SourceInput, { signal })) {
    const reader = await arrow.open([source], { signal, options: { joinBatches: false } });
    try {
      const plan = await reader.plan({ batchSize: WHOLE_BATCHES, signal });
      for (const split of plan.splits) yield* plan.read(split, { signal });
    } finally {
      await reader.close();
    }
  }
}
