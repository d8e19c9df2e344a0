/**
 * The value of a column or parameter. The types correspond to those of SQLite: bigint to INTEGER, number to REAL, string to TEXT,
 * and Uint8Array to BLOB.
 */
export type SqlValue = bigint | number | string | Uint8Array | null;
/** The values of a row, by column name. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** Access mode of a database file. "create" allows writes, as "write" does, and creates a missing file. */
export type StoreAccess = "read" | "write" | "create";

/** Opens SQLite files. Implement this interface to use another SQLite library, such as better-sqlite3. */
export interface SqlDriver {
  /** Name of the library, for error messages. */
  readonly name: string;
  /**
   * Opens the file. With `access` "read", every write must fail. The store passes "read" or "write" only if the file exists.
   * The library must use the operating system's file locks as SQLite does. Otherwise, other processes may lose updates.
   */
  open(path: string, access: StoreAccess): SqlConnection;
}

/** One connection to a SQLite file. Every call is synchronous, and throws a {@link SqlFailure} if SQLite fails. */
export interface SqlConnection {
  /**
   * Returns the rows of a query. Integers must arrive as bigint and blobs as Uint8Array. Prepare each SQL text only once per
   * connection.
   */
  all(sql: string, params: readonly SqlValue[]): readonly SqlRow[];
  /** Runs a statement that returns no rows. Returns the number of changed rows and the id of the last inserted row. */
  run(sql: string, params: readonly SqlValue[]): { readonly numChanges: number; readonly lastRowId: bigint };
  /** Runs statements without parameters, separated by semicolons. */
  exec(sql: string): void;
  /** Closes the file. Later calls fail. */
  close(): void;
}

/** A SQLite error, which the store converts to a `TfxioError`. */
export class SqlFailure extends Error {
  override readonly name = "SqlFailure";
  constructor(
    message: string,
    /**
     * Primary result code of SQLite. The store has specific errors for 5 and 6 (locked), 8 (read-only), 11 (corrupt), 19
     * (constraint) and 26 (not a database).
     */
    readonly resultCode: number,
    cause: unknown,
  ) {
    super(message, { cause });
  }
}
