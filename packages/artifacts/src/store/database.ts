import { ArgumentError, RecordError, SourceError, type TfxioError } from "@tfxio/wire/errors";
import { type SqlConnection, SqlFailure, type SqlRow, type SqlValue } from "./drivers/driver.js";

/**
 * A database file with transactions. It throws SQLite errors as `TfxioError`s. All access to a store goes through this interface.
 */
export interface Database {
  /** Path of the file, for error messages. */
  readonly path: string;
  /** Returns the rows of a query. */
  all(sql: string, ...params: readonly SqlValue[]): readonly SqlRow[];
  /** Runs a statement and returns the id of the inserted row. */
  insert(sql: string, ...params: readonly SqlValue[]): number;
  /** Runs a statement and returns the number of changed rows. */
  run(sql: string, ...params: readonly SqlValue[]): number;
  /** Runs statements without parameters, separated by semicolons. */
  exec(sql: string): void;
  /** Runs `body` and returns its result. All queries in `body` see the same state of the data. */
  read<Result>(body: () => Result): Result;
  /**
   * Runs `body` as a transaction and returns its result. The transaction takes the write lock at its start, so data that it
   * reads stays valid until its end. A nested transaction can fail and be rolled back without the outer one.
   * @throws {ArgumentError} `invalid-argument` (`async-transaction`) if `body` returns a promise.
   */
  write<Result>(body: () => Result): Result;
  close(): void;
}

/**
 * Calls the driver, and converts SQLite errors to `TfxioError`s.
 * @throws {SourceError} `io-failed` (`store-busy`, `store-read-only`, `store`)
 * @throws {RecordError} `corrupt-record` (`metadata-store`) if the file is not a valid SQLite database.
 * @throws {ArgumentError} `invalid-argument` (`already-exists`) if a statement violates a constraint.
 */
export function coded<Result>(path: string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw error instanceof SqlFailure ? codedError(error, path) : error;
  }
}

/**
 * Returns a database that uses `connection`.
 * @param path Path of the file, for error messages.
 */
export function databaseOf(connection: SqlConnection, path: string): Database {
  let depth = 0;
  const exec = (sql: string): void => coded(path, () => connection.exec(sql));
  const bracket = <Result>(begin: string, commit: string, rollback: string, body: () => Result): Result => {
    exec(begin);
    depth += 1;
    let result: Result;
    try {
      result = body();
      if (result instanceof Promise) {
        // What follows the body's first `await` runs after the rollback, outside any transaction. Ignore its outcome, even a
        // rejection.
        result.catch(() => undefined);
        throw new ArgumentError(
          "invalid-argument",
          "The body of a transaction must be synchronous, because the transaction holds the store's lock.",
          { argument: "body", reason: "async-transaction" },
        );
      }
      exec(commit);
    } catch (error) {
      try {
        connection.exec(rollback);
      } catch {
        // After some failures, SQLite has already rolled back, so this rollback fails. The first error is the one to report.
      }
      throw error;
    } finally {
      depth -= 1;
    }
    return result;
  };
  return {
    path,
    all: (sql, ...params) => coded(path, () => connection.all(sql, params)),
    insert: (sql, ...params) => Number(coded(path, () => connection.run(sql, params)).lastRowId),
    run: (sql, ...params) => coded(path, () => connection.run(sql, params)).numChanges,
    exec,
    read: (body) => (depth > 0 ? body() : bracket("BEGIN", "COMMIT", "ROLLBACK", body)),
    write: (body) => {
      if (depth === 0) return bracket("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK", body);
      const point = `tfxio_${depth}`;
      return bracket(
        `SAVEPOINT ${point}`,
        `RELEASE ${point}`,
        `ROLLBACK TO ${point}; RELEASE ${point}`,
        body,
      );
    },
    close: () => coded(path, () => connection.close()),
  };
}

function codedError(failure: SqlFailure, path: string): TfxioError {
  const { message, resultCode } = failure;
  switch (resultCode) {
    case 5:
    case 6:
      return new SourceError(
        "io-failed",
        `${path} is locked by another connection (${message}); try again, or increase busyTimeoutMs.`,
        {
          uri: path,
          reason: "store-busy",
          cause: failure,
        },
      );
    case 8:
      return new SourceError(
        "io-failed",
        `${path} cannot be changed: it was opened with access "read", or the file is read-only.`,
        {
          uri: path,
          reason: "store-read-only",
          cause: failure,
        },
      );
    case 11:
    case 26:
      return new RecordError("corrupt-record", `${path} is not a valid SQLite database: ${message}.`, {
        uri: path,
        reason: "metadata-store",
        cause: failure,
      });
    case 19:
      return new ArgumentError(
        "invalid-argument",
        `${path} already has an entry with the same values: ${message}.`,
        {
          reason: "already-exists",
          cause: failure,
        },
      );
    default:
      return new SourceError("io-failed", `${path}: SQLite failed with code ${resultCode}: ${message}.`, {
        uri: path,
        reason: "store",
        cause: failure,
      });
  }
}
