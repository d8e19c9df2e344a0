import { CHUNK, COLUMN, GROUP } from "../footer/file-footer.js";
import {
  integerOf,
  listOf,
  structOf,
  T,
  type ThriftStruct,
  type ThriftValue,
  withFields,
} from "../footer/thrift.js";

/** Id of the field that holds the number of the row group in its file. */
const ORDINAL = 7;

/**
 * Returns a row group as it appears in another file, with number `ordinal` and with `shift` added to the byte offsets.
 * The offsets of page indexes are left to `placedIndexes`.
 */
export function shiftedGroup(group: ThriftValue, shift: number, ordinal: number): ThriftValue {
  const struct = structOf(group) as ThriftStruct;
  const columns = (listOf(struct.get(GROUP.columns)) ?? []).map((column): ThriftValue => {
    const chunk = structOf(column) as ThriftStruct;
    const metadata = structOf(chunk.get(CHUNK.metadata)) as ThriftStruct;
    const places = [COLUMN.dataPage, COLUMN.indexPage, COLUMN.dictionaryPage, COLUMN.bloomFilter];
    return {
      type: T.struct,
      value: withFields(moved(chunk, [CHUNK.fileOffset], shift), {
        [CHUNK.metadata]: { type: T.struct, value: moved(metadata, places, shift) },
      }),
    };
  });
  return {
    type: T.struct,
    value: withFields(moved(struct, [GROUP.fileOffset], shift), {
      [GROUP.columns]: { type: T.list, of: T.struct, value: columns },
      // The field has 16 bits, so larger ordinals are omitted.
      [ORDINAL]: ordinal < 2 ** 15 ? { type: T.i16, value: ordinal } : undefined,
    }),
  };
}

/** Returns a copy of a struct, with `shift` added to each field that is listed in `ids`, unless the field is absent or 0. */
function moved(struct: ThriftStruct, ids: readonly number[], shift: number): ThriftStruct {
  const entries = ids.flatMap((id) => {
    const place = integerOf(struct.get(id));
    // 0 means that there is no such offset.
    return place === undefined || place === 0 ? [] : [[id, { type: T.i64, value: place + shift }] as const];
  });
  return withFields(struct, Object.fromEntries(entries));
}
