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

/** Number of a row group in its file. */
const ORDINAL = 7;

/** A row group whose bytes were moved by `shift`, as the row group `ordinal` of another file. `placedIndexes` places its page indexes. */
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
      // The format has 16 bits for the ordinal, and omits larger ones.
      [ORDINAL]: ordinal < 2 ** 15 ? { type: T.i16, value: ordinal } : undefined,
    }),
  };
}

/** A struct with `shift` added to those of these fields that it has. */
function moved(struct: ThriftStruct, ids: readonly number[], shift: number): ThriftStruct {
  const entries = ids.flatMap((id) => {
    const place = integerOf(struct.get(id));
    // A chunk without one has 0 as its file offset.
    return place === undefined || place === 0 ? [] : [[id, { type: T.i64, value: place + shift }] as const];
  });
  return withFields(struct, Object.fromEntries(entries));
}
