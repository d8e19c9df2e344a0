import type { RecordBatch } from "apache-arrow";
import type { Format, Reader } from "../format.js";
import type { ReadOptions, ReadPlan, Split } from "../read-plan.js";
import type { ReadRequest } from "../read-request.js";
import { check } from "./check.js";
import type { FixtureRow, FormatFixture } from "./fixture.js";
import { createProbeSource, type ProbeOptions, type ProbeSource } from "./probe-source.js";
import { rowsOf } from "./rows.js";

/** A format and one of its fixtures. */
export interface Subject<Options extends object = object> {
  readonly format: Format<Options>;
  readonly fixture: Omit<FormatFixture<Options>, "rows">;
}

/** A reader of a fixture, and its sources, which record what is open. */
export interface OpenedFixture {
  readonly reader: Reader;
  readonly sources: readonly ProbeSource[];
  /** Plans a read with the fixture's schema, unless the request sets `schema`, even to undefined. */
  plan(request?: ReadRequest): Promise<ReadPlan>;
  /** Checks that no stream or slice is open. @param when The end of the failure message, such as `after an abort`. */
  checkNothingOpen(when: string): void;
}

/** Opens the fixture, passes it to `use`, and closes the reader. */
export async function withOpened<Options extends object, Result>(
  { format, fixture }: Subject<Options>,
  use: (opened: OpenedFixture) => Promise<Result>,
  probeOptions?: ProbeOptions,
): Promise<Result> {
  const { schema, options } = fixture;
  const sources = fixture.sources.map((bytes, index) =>
    createProbeSource(`fixture-${index}${format.extensions[0] ?? ""}`, bytes, probeOptions),
  );
  const reader = await format.open(sources, { options });
  try {
    return await use({
      reader,
      sources,
      plan: (request) => reader.plan({ schema, ...request }),
      checkNothingOpen(when) {
        for (const source of sources) {
          check(source.numOpen() === 0, `${source.uri} is still open ${when}`);
        }
      },
    });
  } finally {
    await reader.close();
  }
}

/** Opens the fixture, reads all its rows with `request`, and closes it. */
export function readFixture<Options extends object>(
  subject: Subject<Options>,
  request?: ReadRequest,
): Promise<FixtureRow[]> {
  return withOpened(subject, async (opened) => readRows(await opened.plan(request)));
}

/** Reads the rows of all splits. */
export async function readRows(plan: ReadPlan): Promise<FixtureRow[]> {
  const rows: FixtureRow[] = [];
  for (const split of plan.splits) rows.push(...(await readSplit(plan, split)));
  return rows;
}

/** Reads the rows of one split. Each batch is copied before the next batch is requested. */
export async function readSplit(plan: ReadPlan, split: Split, options?: ReadOptions): Promise<FixtureRow[]> {
  const rows: FixtureRow[] = [];
  for await (const batch of plan.read(split, options)) rows.push(...rowsOf(batch));
  return rows;
}

export async function readBatches(
  plan: ReadPlan,
  split: Split,
  options?: ReadOptions,
): Promise<RecordBatch[]> {
  const batches: RecordBatch[] = [];
  for await (const batch of plan.read(split, options)) batches.push(batch);
  return batches;
}

export async function readAllBatches(plan: ReadPlan): Promise<RecordBatch[]> {
  const batches: RecordBatch[] = [];
  for (const split of plan.splits) batches.push(...(await readBatches(plan, split)));
  return batches;
}

/** Copies a value through JSON, so that the copy is what another process would receive. */
export function throughJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
