import type { Schema } from "@tfxio/schema";
import type { TfxioErrorCode } from "@tfxio/wire";

/**
 * A cell as plain data. Arrow numbers compare by value (`5` equals int64 5, and 0.1 the float32 nearest to it), a
 * string equals its UTF-8 bytes, a list an array, a struct an object. Null and `[]` differ.
 */
export type FixtureValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly FixtureValue[]
  | { readonly [field: string]: FixtureValue };

/** Column name to cell. A column left out is null in this row. */
export type FixtureRow = Readonly<Record<string, FixtureValue>>;

/** Bytes of a format, and the rows that they must read as. */
export interface FormatFixture<Options extends object> {
  readonly name: string;
  /** Content of each source, in order. */
  readonly sources: readonly Uint8Array[];
  /** The rows of all sources, in order. Small fixtures with at least three rows check most. */
  readonly rows: readonly FixtureRow[];
  /** Schema to read with. Checks that compare columns then hold the format to it. */
  readonly schema?: Schema | undefined;
  readonly options?: Partial<Options> | undefined;
  /** Schema to write the rows with, if the format writes. Default: none. */
  readonly writeOptions?: Partial<Options> | undefined;
  /** The rows as read back after writing, if writing changes them. Default: {@link rows}. */
  readonly writtenRows?: readonly FixtureRow[] | undefined;
}

/** Bytes that a format must refuse. */
export interface BrokenFixture<Options extends object> extends Omit<FormatFixture<Options>, "rows"> {
  /** Code of the error that reading them must cause. */
  readonly error: { readonly code: TfxioErrorCode; readonly reason?: string | undefined };
}
