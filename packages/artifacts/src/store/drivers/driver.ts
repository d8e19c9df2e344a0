/** The value of a column or parameter. A bigint is an INTEGER, a number is a REAL. */
export type SqlValue = bigint | number | string | Uint8Array | null;
/** A row by column name. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** Access mode of a database file. `create` creates a missing file. */
export type StoreAccess = "read" | "write" | "create";

/** Opens SQLite files. Pass a driver to use another SQLite library, such as better-sqlite3. */
export interface SqlDriver {
  /** Name of the library, for error messages. */
  readonly name: string;
  /**
   * Opens the file. With `access` "read", every write must fail. With "write", the file already exists.
   * The library must use the operating system's file locks as SQLite does, or other processes lose updates.
   */
  open(path: string, access: StoreAccess): SqlConnection;
}

/** One connection to a SQLite file. Every call is synchronous and throws SQLite errors as {@link SqlFailure}. */
export interface SqlConnection {
  /** Returns the rows of a query. Integers arrive as bigint, blobs as bytes. Statements are prepared once per connection. */
  all(sql: string, params: readonly SqlValue[]): readonly SqlRow[];
  /** Runs a statement that returns no rows. */
  run(sql: string, params: readonly SqlValue[]): { readonly numChanges: number; readonly lastRowId: bigint };
  /** Runs statements without parameters, separated by semicolons. */
  exec(sql: string): void;
  /** Closes the file. Later calls fail. */
  close(): void;
}

/** A SQLite error, which the store converts to a coded error. */
export class SqlFailure extends Error {
  override readonly name = "SqlFailure";
  constructor(
    message: string,
    /** Primary result code of SQLite: 5 busy, 8 read-only, 11 corrupt, 19 constraint, 26 not a database. */
    readonly resultCode: number,
    cause: unknown,
  ) {
    super(message, { cause });
  }
}
