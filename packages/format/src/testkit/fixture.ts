import type { Schema } from "@tfxio/schema";
import type { TfxioErrorCode } from "@tfxio/wire";

/**
 * A cell as plain data. Numbers compare by value: `5` equals int64 5, and 0.1 equals the nearest float32. A string equals its
 * UTF-8 bytes, a list equals an array, and a struct equals an object. Null and `[]` differ.
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

/** The cells of one row by column name. An omitted column is null in this row. */
export type FixtureRow = Readonly<Record<string, FixtureValue>>;

/** Bytes in a format, and the rows that reading them must yield. */
export interface FormatFixture<Options extends object> {
  readonly name: string;
  /** Content of each source, in order. */
  readonly sources: readonly Uint8Array[];
  /** The rows of all sources, in order. Use small fixtures with at least three rows; some checks need that number. */
  readonly rows: readonly FixtureRow[];
  /** Schema of the read requests. If present, additional checks compare the columns with it. */
  readonly schema?: Schema | undefined;
  readonly options?: Partial<Options> | undefined;
  /** Options that the write checks pass to `createWriter`. Default: the format's defaults. */
  readonly writeOptions?: Partial<Options> | undefined;
  /** The rows as read back after writing, if writing changes them. Default: {@link rows}. */
  readonly writtenRows?: readonly FixtureRow[] | undefined;
}

/** Bytes that a format must fail to read. */
export interface BrokenFixture<Options extends object> extends Omit<FormatFixture<Options>, "rows"> {
  /** Code and reason of the error that reading the bytes must cause. */
  readonly error: { readonly code: TfxioErrorCode; readonly reason?: string | undefined };
}
