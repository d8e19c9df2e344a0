import { openRead, shardName, writeTfxio, type WriteTfxioOptions } from "@tfxio/io";
import { aName, assertArgument } from "@tfxio/wire/checks";
import type { OpenUnitsOptions, UnitPlan } from "./plan-units.js";
import { batchesOf } from "./run-unit.js";
import type { Unit } from "./unit.js";

/** Options of {@link writeUnit}. */
export interface WriteUnitOptions
  extends OpenUnitsOptions,
    Pick<WriteTfxioOptions, "format" | "formatOptions" | "schema" | "arrowSchema" | "onProgress"> {}

/** A shard that a unit wrote, as JSON. */
export interface WrittenShard {
  /** Position of the unit in the plan, and of the shard in the output. */
  readonly index: number;
  readonly uri: string;
  readonly numRows: number;
  /** Stored bytes, after compression. */
  readonly numBytes: number;
}

/**
 * Writes the rows of a unit as one shard, such as `data.parquet-00003-of-00010` for the target `data.parquet`. The shard gets its
 * name only when it is complete, and then replaces an existing file of that name. Every attempt at a unit writes the same rows
 * under the same name, so retries and duplicates leave one shard. A unit without rows becomes a valid file without rows. A failed
 * attempt removes its files.
 * @throws {ArgumentError} `invalid-argument` for invalid arguments. Also throws the errors of `runUnit` and `writeTfxio`.
 */
export async function writeUnit(
  { description }: Pick<UnitPlan, "description">,
  unit: Unit,
  target: string,
  options: WriteUnitOptions = {},
): Promise<WrittenShard> {
  assertArgument("target", target, aName);
  const { formats, stores, signal, ...writeOptions } = options;
  const tfxio = await openRead(description, { formats, stores, signal });
  try {
    // A unit without rows has no batches from which the writer could take the schemas.
    const known =
      description.request.schema === undefined
        ? {}
        : { schema: tfxio.schema(), arrowSchema: tfxio.arrowSchema() };
    const { uris, numRows, numBytes } = await writeTfxio(
      batchesOf(tfxio, unit, { signal }),
      shardName(target, unit.index, unit.numUnits),
      { ...known, ...writeOptions, formats, stores, signal },
    );
    return { index: unit.index, uri: uris[0] as string, numRows, numBytes };
  } finally {
    await tfxio.close();
  }
}
