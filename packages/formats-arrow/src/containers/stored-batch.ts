import type { Vector } from "apache-arrow";
import type { ReadLimits } from "../compression/codecs.js";

import type { Body } from "../columns/body-buffers.js";
import { loadBuffers } from "../columns/body-buffers.js";
import type { Dictionaries } from "../columns/dictionaries.js";
import { readColumns } from "../columns/read-columns.js";
import type { FlatPlace } from "../flatbuffer/flat-table.js";
import { damaged } from "../metadata/damage.js";
import type { BatchHeader, DictionaryHeader } from "../metadata/message.js";
import type { StoredSchema } from "../metadata/stored-column.js";

/** A record batch whose header has been read. Its body may still have to be read from the source. */
export interface StoredBatch {
  readonly header: BatchHeader;
  readonly body: Body;
  /** Stored size of the message in bytes. */
  readonly numBytes: number;
  /** Returns a dictionary with the values that it has for this batch. Call it only before the next batch is requested. */
  dictionary(id: number, place: FlatPlace): Vector;
}

/** A dictionary whose header has been read, but not its values. */
export interface StoredDictionary {
  readonly header: DictionaryHeader;
  readonly body: Body;
}

/**
 * Reads the values of a dictionary into `dictionaries`.
 * @throws {RecordError} `corrupt-record` (`dictionary`) for a dictionary that the schema lacks.
 * @throws The errors of {@link loadBuffers} and {@link readColumns}.
 */
export async function readDictionary(
  { header, body }: StoredDictionary,
  { dictionaries: columns, isBigEndian }: StoredSchema,
  dictionaries: Dictionaries,
  limits: ReadLimits,
): Promise<void> {
  const { id, isDelta, values } = header;
  const { place } = values;
  const column = columns.get(id);
  if (column === undefined)
    throw damaged(place, `it holds dictionary ${id}, which is not in the schema`, "dictionary");
  const buffers = await loadBuffers([column], values, body, limits);
  const dictionary = (inner: number): Vector => dictionaries.get(inner, place);
  const [data] = readColumns([column], values, buffers, { isBigEndian, limits, dictionary });
  if (data === undefined) return;
  if (isDelta) dictionaries.append(id, data, place);
  else dictionaries.set(id, data);
}
