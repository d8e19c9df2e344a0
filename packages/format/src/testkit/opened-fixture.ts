import type { RecordBatch } from "apache-arrow";
import type { Format, Reader } from "../format.js";
import type { ReadOptions, ReadPlan, Split } from "../read-plan.js";
import type { ReadRequest } from "../read-request.js";
import { check } from "./check.js";
import type { FixtureRow, FormatFixture } from "./fixture.js";
import { createProbeSource, type ProbeOptions, type ProbeSource } from "./probe-source.js";
import { rowsOf } from "./rows.js";

/** A format, and one of its fixtures. */
export interface Subject<Options extends object = object> {
  readonly format: Format<Options>;
  readonly fixture: Omit<FormatFixture<Options>, "rows">;
}

/** A reader over a fixture whose sources are watched. */
export interface OpenedFixture {
  readonly reader: Reader;
  readonly sources: readonly ProbeSource[];
  /** A plan with the fixture's schema, unless the request has one. */
  plan(request?: ReadRequest): Promise<ReadPlan>;
  /** @throws {CheckFailure} if a source is open. */
  checkNothingOpen(when: string): void;
}

/** Opens the fixture, passes it to `use`, and closes it. */
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

/** Reads the fixture once with `request`. */
export function readFixture<Options extends object>(
  subject: Subject<Options>,
  request?: ReadRequest,
): Promise<FixtureRow[]> {
  return withOpened(subject, async (opened) => readRows(await opened.plan(request)));
}

/** Rows of all splits. */
export async function readRows(plan: ReadPlan): Promise<FixtureRow[]> {
  const rows: FixtureRow[] = [];
  for (const split of plan.splits) rows.push(...(await readSplit(plan, split)));
  return rows;
}

/** Rows of one split, copied as their batches arrive. */
export async function readSplit(plan: ReadPlan, split: Split, options?: ReadOptions): Promise<FixtureRow[]> {
  const rows: FixtureRow[] = [];
  for await (const batch of plan.read(split, options)) rows.push(...rowsOf(batch));
  return rows;
}

/** Batches of one split. */
export async function readBatches(
  plan: ReadPlan,
  split: Split,
  options?: ReadOptions,
): Promise<RecordBatch[]> {
  const batches: RecordBatch[] = [];
  for await (const batch of plan.read(split, options)) batches.push(batch);
  return batches;
}

/** Batches of all splits. */
export async function readAllBatches(plan: ReadPlan): Promise<RecordBatch[]> {
  const batches: RecordBatch[] = [];
  for (const split of plan.splits) batches.push(...(await readBatches(plan, split)));
  return batches;
}

/** A copy made through JSON, as another process would receive it. */
export function throughJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
