import type { Split } from "@tfxio/format";
import { anInteger, assertOptions, required, unusableArgument } from "@tfxio/wire/checks";

/**
 * A part of a read that one worker runs alone, and writes as one shard. JSON-safe. Two runs of a unit give the same batches,
 * so that a retried or duplicated unit does no harm.
 */
export interface Unit {
  /** Position and count in five digits, `00003-of-00010`: sorts like the positions, and names the unit's shard. */
  readonly id: string;
  readonly index: number;
  /** Number of units in the plan. */
  readonly numUnits: number;
  /** What to read, in order. Consecutive parts of the data, often of one file. */
  readonly parts: readonly Split[];
  /** Stored bytes of all parts, if known. */
  readonly numBytes?: number;
}

/** The id of unit `index` of `numUnits`. More digits than five if there are more units. */
function unitId(index: number, numUnits: number): string {
  const digits = Math.max(5, String(numUnits).length);
  const padded = (value: number): string => String(value).padStart(digits, "0");
  return `${padded(index)}-of-${padded(numUnits)}`;
}

/**
 * Groups consecutive parts into units of about `unitBytes`. A part is never cut here: one that is larger, such as a gzip
 * file, is a unit of its own, and so is a part of unknown size.
 */
export function unitsOf(parts: readonly Split[], unitBytes: number): Unit[] {
  const groups: Split[][] = [];
  let open: Split[] | undefined;
  let openBytes = 0;
  for (const part of parts) {
    const numBytes = part.numBytes ?? Number.POSITIVE_INFINITY;
    if (open === undefined || openBytes + numBytes > unitBytes) {
      open = [];
      openBytes = 0;
      groups.push(open);
    }
    open.push(part);
    openBytes += numBytes;
  }
  return groups.map((group, index) => {
    const isKnown = group.every(({ numBytes }) => numBytes !== undefined);
    const numBytes = group.reduce((sum, part) => sum + (part.numBytes ?? 0), 0);
    return {
      id: unitId(index, groups.length),
      index,
      numUnits: groups.length,
      parts: group,
      ...(isKnown ? { numBytes } : {}),
    };
  });
}

/** A worker among several, as an indexed Kubernetes job numbers them. */
export interface WorkerShare {
  /** From 0. */
  readonly worker: number;
  readonly numWorkers: number;
}

/**
 * The units of one worker, for engines that do not hand out work themselves: every `numWorkers`-th unit. The shares of all
 * workers are disjoint, and together they are all units.
 * @throws {ArgumentError} `invalid-argument`.
 */
export function unitsOfWorker(units: readonly Unit[], options: WorkerShare): Unit[] {
  assertOptions("unitsOfWorker", options, {
    worker: required(anInteger(0)),
    numWorkers: required(anInteger(1)),
  });
  const { worker, numWorkers } = options;
  if (worker >= numWorkers)
    throw unusableArgument("worker", `must be less than numWorkers, ${numWorkers}; found ${worker}`);
  // In a whole plan every unit stands at its index, so a share takes no longer than it is.
  const isWhole = units.length === units[0]?.numUnits;
  if (!isWhole) return units.filter(({ index }) => index % numWorkers === worker);
  const share: Unit[] = [];
  for (let at = worker; at < units.length; at += numWorkers) share.push(units[at] as Unit);
  return share;
}
