// The functions of the pipelines. Both the driver and the workers import this module, because functions are serialized by name.
import { appendFileSync } from "node:fs";
import path from "node:path";
import { columnElements, createExampleDecoder, flatValues, listElements } from "@tfxio/arrow-encoding";
import { installRepairs } from "@tfxio/beam/compat";
import { defineSchema, int } from "@tfxio/schema";
import type { Data, RecordBatch } from "apache-arrow";

/** The first id. It needs more than 32 bits, so that the checks detect a coder that truncates integers. */
export const FIRST_ID: number = 2 ** 40;
const NUM_KEYS = 16;

/** A value, and the key by which a pipeline groups it. */
interface Entry<Value> {
  readonly key: string;
  readonly value: Value;
}

/** The totals of a group. They are written as one line of JSON to a file named after the key. */
export interface GroupTotal {
  readonly key: string;
  readonly count: number;
  readonly distinct: number;
  readonly sum: number;
}

/** Yields the ids of a batch, each under one of 16 keys. Throws if it finds the id `failAt`. */
export class KeyIds {
  readonly failAt: number;

  constructor(failAt: number) {
    this.failAt = failAt;
  }

  *process(batch: RecordBatch): Iterable<Entry<number>> {
    const column = batch.getChild("id")?.data[0] as Data;
    for (const id of flatValues(listElements(columnElements(column)).elements).values as BigInt64Array) {
      const value = Number(id);
      if (value === this.failAt) throw new Error(`planted fault at id ${value}`);
      yield { key: `k${value % NUM_KEYS}`, value };
    }
  }
}

/** Appends the totals of a group of ids to the file of its key. If a group is processed twice, the file has two lines. */
export class TotalIds {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  *process({ key, value }: Entry<Iterable<number>>): Iterable<string> {
    const ids = Array.from(value, (id) => id - FIRST_ID);
    yield write(this.folder, {
      key,
      count: ids.length,
      distinct: new Set(ids).size,
      sum: ids.reduce((sum, id) => sum + id, 0),
    });
  }
}

/** Yields each record under one of 16 keys, which its first byte determines. */
export class KeyRecords {
  *process(value: Uint8Array): Iterable<Entry<Uint8Array>> {
    yield { key: `k${(value[0] as number) % NUM_KEYS}`, value };
  }
}

/** Like {@link TotalIds}, but `sum` adds up all bytes of the records, and `distinct` counts distinct first bytes. */
export class TotalRecords {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  *process({ key, value }: Entry<Iterable<Uint8Array>>): Iterable<string> {
    let [count, sum] = [0, 0];
    const firsts = new Set<number | undefined>();
    for (const record of value) {
      count++;
      firsts.add(record[0]);
      for (const byte of record) sum += byte;
    }
    yield write(this.folder, { key, count, distinct: firsts.size, sum });
  }
}

/**
 * Returns the timestamp of an event from its only feature, `second`. Beam also passes an Instant, and this function uses its
 * class to create the timestamp.
 */
export function timeOfEvent(record: Uint8Array, { constructor: Instant }: object): unknown {
  const [second] = flatValues(
    listElements(columnElements(eventDecoder.decode([record]).data.children[0] as Data)).elements,
  ).values as BigInt64Array;
  return (Instant as unknown as { fromNumber(value: number): unknown }).fromNumber(1000 * Number(second));
}

const eventDecoder = createExampleDecoder({ schema: defineSchema({ features: { second: int() } }) });

/** Adds {@link FIRST_ID} to each value of `second` in a batch. Yields the results under the key of the batch's window. */
export class KeyWindows {
  *process(batch: RecordBatch, { window }: WindowContext): Iterable<Entry<number>> {
    const { start } = window.lookup();
    const key = `w${Number(String(start)) / 1000}`;
    const column = batch.getChild("second")?.data[0] as Data;
    for (const second of flatValues(listElements(columnElements(column)).elements).values as BigInt64Array)
      yield { key, value: FIRST_ID + Number(second) };
  }
}

interface WindowContext {
  readonly window: { lookup(): { readonly start: unknown } };
}

/** Appends the totals to the file of their key, and returns the line. */
function write(folder: string, total: GroupTotal): string {
  const line = JSON.stringify(total);
  appendFileSync(path.join(folder, `${total.key}.jsonl`), `${line}\n`);
  return line;
}

installRepairs().registry.requireForSerialization("@tfxio-tools/interop", {
  KeyIds,
  KeyRecords,
  KeyWindows,
  timeOfEvent,
  TotalIds,
  TotalRecords,
});
