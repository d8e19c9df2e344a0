import { ArgumentError, RecordError, SourceError, type TfxioError } from "@tfxio/wire/errors";
import { type SqlConnection, SqlFailure, type SqlRow, type SqlValue } from "./drivers/driver.js";

/** A database file with transactions and coded errors. All access to the store uses it. */
export interface Database {
  /** Path of the file, for error messages. */
  readonly path: string;
  all(sql: string, ...params: readonly SqlValue[]): readonly SqlRow[];
  /** Runs a statement and returns the id of the inserted row. */
  insert(sql: string, ...params: readonly SqlValue[]): number;
  /** Runs a statement and returns the number of changed rows. */
  run(sql: string, ...params: readonly SqlValue[]): number;
  exec(sql: string): void;
  /** Runs several queries on one consistent view of the data. */
  read<Result>(body: () => Result): Result;
  /**
   * Runs a transaction. It takes the lock at its start, so that data read in it stays valid until its end. A nested
   * transaction can fail and be rolled back without the outer one.
   */
  write<Result>(body: () => Result): Result;
  close(): void;
}

/** Calls the driver, and converts SQLite errors to coded errors. */
export function coded<Result>(path: string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw error instanceof SqlFailure ? codedError(error, path) : error;
  }
}

/** @param busyTimeoutMs Longest time that a statement waits for the lock of another process, in milliseconds. */
export function databaseOf(connection: SqlConnection, path: string, busyTimeoutMs: number): Database {
  let depth = 0;
  const exec = (sql: string): void => coded(path, () => connection.exec(sql));
  const bracket = <Result>(begin: string, commit: string, rollback: string, body: () => Result): Result => {
    exec(begin);
    depth += 1;
    let result: Result;
    try {
      result = body();
      if (result instanceof Promise) {
        // The body continues after the rollback, outside any transaction. Its outcome is ignored.
        result.catch(() => undefined);
        throw new ArgumentError(
          "invalid-argument",
          "The body of a transaction must not be asynchronous: it holds the lock of the store.",
          { argument: "body", reason: "async-transaction" },
        );
      }
      exec(commit);
    } catch (error) {
      try {
        connection.exec(rollback);
      } catch {
        // After some failures, SQLite has already rolled back. The first error explains the failure.
      }
      throw error;
    } finally {
      depth -= 1;
    }
    return result;
  };
  exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
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
      return new SourceError("io-failed", `${path} is locked by another process: ${message}.`, {
        uri: path,
        reason: "store-busy",
        cause: failure,
      });
    case 8:
      return new SourceError("io-failed", `${path} is open for reading only; open it for writing.`, {
        uri: path,
        reason: "store-read-only",
        cause: failure,
      });
    case 11:
    case 26:
      return new RecordError("corrupt-record", `${path} is not a valid SQLite database: ${message}.`, {
        uri: path,
        reason: "metadata-store",
        cause: failure,
      });
    case 19:
      return new ArgumentError("invalid-argument", `${path} already has such an entry: ${message}.`, {
        reason: "already-exists",
        cause: failure,
      });
    default:
      return new SourceError("io-failed", `${path}: SQLite failed with ${resultCode}: ${message}.`, {
        uri: path,
        reason: "store",
        cause: failure,
      });
  }
}
