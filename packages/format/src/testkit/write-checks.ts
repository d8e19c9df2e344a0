import { type ByteTarget, bytesSource, memoryTarget } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import type { WritableFormat } from "../format.js";
import { check, codedRejectionOf, type FormatCheck, rejectionOf } from "./check.js";
import type { FixtureRow, FormatFixture } from "./fixture.js";
import { readAllBatches, readRows, type Subject, withOpened } from "./opened-fixture.js";
import { checkRows } from "./rows.js";

/**
 * Creates checks that the rows of a written file equal the rows that were passed to the writer, and that a writer neither commits
 * nor discards its target.
 */
export function writeChecks<Options extends object>(
  subject: Subject<Options>,
  { rows, options, writeOptions, writtenRows = rows }: FormatFixture<Options>,
  format: WritableFormat<Options>,
): FormatCheck[] {
  const { schema } = subject.fixture;

  const batchesOf = (): Promise<OneSchema | undefined> => batchesToWrite(subject, rows.length);

  const readBack = async (bytes: Uint8Array): Promise<FixtureRow[]> => {
    const uri = `written${format.extensions[0] ?? ""}`;
    const reader = await format.open([bytesSource(bytes, uri)], { options });
    try {
      return await readRows(await reader.plan({ schema }));
    } finally {
      await reader.close();
    }
  };

  const rewritten = async (given: OneSchema, batches: readonly RecordBatch[]): Promise<FixtureRow[]> => {
    const target = slowTarget();
    const { arrowSchema } = given;
    const writer = await format.createWriter(target, { arrowSchema, schema, options: writeOptions });
    for (const batch of batches) await writer.write(batch);
    await writer.finish();
    check(!target.isBusy(), "the writer finished before its target had taken all bytes");
    await target.commit();
    return readBack(target.bytes());
  };

  return [
    {
      name: "reads back what it wrote, and its writes do not overlap",
      run: async () => {
        const given = await batchesOf();
        if (given === undefined) return;
        checkRows(await rewritten(given, given.batches), writtenRows, "what was written");
      },
    },
    {
      name: "writes slices of batches",
      run: async () => {
        const given = await batchesOf();
        if (given === undefined) return;
        const slices = given.batches.flatMap((batch) =>
          Array.from({ length: batch.numRows }, (_, row) => batch.slice(row, row + 1)),
        );
        checkRows(await rewritten(given, slices), writtenRows, "what was written in slices of one row");
      },
    },
    {
      name: "writes a valid file without batches",
      run: async () => {
        const given = await batchesOf();
        if (given === undefined) return;
        checkRows(await rewritten(given, []), [], "a file without batches");
      },
    },
    {
      name: "passes on the error of its target, and neither commits nor discards the target",
      run: async () => {
        const given = await batchesOf();
        if (given === undefined) return;
        const failure = { failed: "disk full" };
        const calls: string[] = [];
        const target: ByteTarget = {
          uri: "full",
          write: () => Promise.reject(failure),
          commit: async () => void calls.push("commit"),
          discard: async () => void calls.push("discard"),
        };
        const write = async (): Promise<void> => {
          const writer = await format.createWriter(target, {
            arrowSchema: given.arrowSchema,
            schema,
            options: writeOptions,
          });
          for (const batch of given.batches) await writer.write(batch);
          await writer.finish();
          // The writer need not write anything for a file without batches.
          if (given.batches.length === 0) throw failure;
        };
        const rejection = await rejectionOf(write, "a write to a failing target");
        check(
          rejection === failure,
          `the write must fail with its target's error, but failed with ${String(rejection)}`,
        );
        check(
          calls.length === 0,
          `the writer called ${calls.join(" and ")} on its target, which only the caller may do`,
        );
      },
    },
    {
      name: "rejects batches after it has finished",
      run: async () => {
        const given = await batchesOf();
        if (given === undefined) return;
        const { arrowSchema } = given;
        const target = memoryTarget("written");
        const writer = await format.createWriter(target, { arrowSchema, schema, options: writeOptions });
        await writer.finish();
        const late = async (): Promise<unknown> =>
          Promise.all(given.batches.map((batch) => writer.write(batch)));
        if (given.batches.length > 0) await codedRejectionOf(late, "a late write", "invalid-argument");
      },
    },
  ];
}

/** Batches that share one Arrow schema, as a writer requires. */
interface OneSchema {
  readonly batches: readonly RecordBatch[];
  readonly arrowSchema: ArrowSchema;
}

/**
 * Reads the fixture as batches of two rows. If their schemas differ, reads it as one batch per split. Returns undefined if the
 * schemas still differ or there is no schema.
 */
async function batchesToWrite<Options extends object>(
  subject: Subject<Options>,
  numRows: number,
): Promise<OneSchema | undefined> {
  for (const batchSize of [2, numRows + 1]) {
    const found = await withOpened(subject, async (opened) => {
      const plan = await opened.plan({ batchSize });
      const batches = await readAllBatches(plan);
      return { batches, arrowSchema: plan.arrowSchema ?? batches[0]?.schema };
    });
    const { batches, arrowSchema } = found;
    const isOne = batches.every((batch) => String(batch.schema) === String(arrowSchema));
    if (arrowSchema !== undefined && isOne) return { batches, arrowSchema };
  }
  return undefined;
}

/** Returns whether the fixture has rows of one Arrow schema, so that the write checks can use it. */
export async function canBeWritten<Options extends object>(
  subject: Subject<Options>,
  { rows }: FormatFixture<Options>,
): Promise<boolean> {
  return rows.length > 0 && (await batchesToWrite(subject, rows.length)) !== undefined;
}

/** Creates a slow memory target that fails the check if writes overlap. */
function slowTarget(): ByteTarget & { bytes(): Uint8Array; isBusy(): boolean } {
  const target = memoryTarget("written");
  let numWriting = 0;
  return {
    uri: target.uri,
    async write(bytes) {
      numWriting++;
      check(numWriting === 1, "the writer began a write before the previous one ended");
      await new Promise((resolve) => setTimeout(resolve));
      await target.write(bytes);
      numWriting--;
    },
    commit: () => target.commit(),
    discard: () => target.discard(),
    bytes: () => target.bytes(),
    isBusy: () => numWriting > 0,
  };
}
