import type { Split } from "@tfxio/format";
import { anInteger, assertOptions, required, unusableArgument } from "@tfxio/wire/checks";

/**
 * A unit of work. One worker reads the unit's parts of the data, or writes them as one shard. The unit is plain JSON. Every run
 * of a unit yields the same batches, so a retried or duplicated unit does no harm.
 */
export interface Unit {
  /**
   * Index of the unit and number of units, such as `00003-of-00010`. Both have the same number of digits, at least five. Ids sort
   * like indices.
   */
  readonly id: string;
  /** Position in the plan, from 0. */
  readonly index: number;
  /** Number of units in the plan. */
  readonly numUnits: number;
  /** Consecutive parts of the data, in reading order. Usually parts of one file. */
  readonly parts: readonly Split[];
  /** Stored bytes of all parts. Absent if the size of any part is unknown. */
  readonly numBytes?: number;
}

/** Returns the id of unit `index` of `numUnits`. */
function unitId(index: number, numUnits: number): string {
  const digits = Math.max(5, String(numUnits).length);
  const padded = (value: number): string => String(value).padStart(digits, "0");
  return `${padded(index)}-of-${padded(numUnits)}`;
}

/**
 * Groups consecutive parts into units of at most `unitBytes`. Parts are not split here. A larger part, such as a large gzip file,
 * becomes one unit, and so does a part of unknown size.
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

/** The number of a worker, as in an indexed Kubernetes job. */
export interface WorkerShare {
  /** Number of the worker, from 0 to `numWorkers - 1`. */
  readonly worker: number;
  /** Total number of workers. */
  readonly numWorkers: number;
}

/**
 * Returns the units of one worker: every `numWorkers`-th unit, starting at index `worker`. Each unit belongs to exactly one
 * worker. Use this function where no engine distributes the work.
 * @throws {ArgumentError} `invalid-argument` for invalid options, or if `worker` is not less than `numWorkers`.
 */
export function unitsOfWorker(units: readonly Unit[], options: WorkerShare): Unit[] {
  assertOptions("unitsOfWorker", options, {
    worker: required(anInteger(0)),
    numWorkers: required(anInteger(1)),
  });
  const { worker, numWorkers } = options;
  if (worker >= numWorkers)
    throw unusableArgument("worker", `must be less than numWorkers (${numWorkers}), found ${worker}`);
  // If the list is complete and in order, each unit's position is its `index`, so the units of other workers can be skipped.
  if (units.length === units[0]?.numUnits) {
    const share: Unit[] = [];
    for (let at = worker; at < units.length; at += numWorkers) share.push(units[at] as Unit);
    if (share.every(({ index }, position) => index === worker + position * numWorkers)) return share;
  }
  return units.filter(({ index }) => index % numWorkers === worker);
}
