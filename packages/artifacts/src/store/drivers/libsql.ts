import { pathToFileURL } from "node:url";
import { isTagged } from "@tfxio/wire/checks";
import { UnsupportedError } from "@tfxio/wire/errors";
import { type SqlDriver, SqlFailure, type SqlRow, type SqlValue, type StoreAccess } from "./driver.js";

/**
 * The part of libsql that we use. We do not use its published types, because they are those of better-sqlite3 and include methods
 * that libsql does not implement.
 */
interface LibsqlStatement {
  all(params: readonly SqlValue[]): SqlRow[];
  run(params: readonly SqlValue[]): { changes: number; lastInsertRowid: number | bigint };
  safeIntegers(): LibsqlStatement;
}
interface LibsqlDatabase {
  prepare(sql: string): LibsqlStatement;
  exec(sql: string): void;
  close(): void;
}
type LibsqlModule = new (path: string) => LibsqlDatabase;

const MODES: Readonly<Record<StoreAccess, string>> = { read: "ro", write: "rw", create: "rwc" };

/**
 * Returns a driver for `libsql`, an optional peer dependency with a native binary for each platform. Returns undefined if the
 * package is not installed.
 * @param importModule Imports the package. Tests replace it to make the import fail.
 * @throws {UnsupportedError} (`sqlite-driver`) if the package is installed but does not load, for example because the
 * binary for this platform is missing. `cause` is the import's error.
 */
export async function libsqlDriver(
  importModule: () => Promise<unknown> = () => import("libsql"),
): Promise<SqlDriver | undefined> {
  let Database: LibsqlModule;
  try {
    Database = ((await importModule()) as { readonly default: LibsqlModule }).default;
  } catch (cause) {
    if (isNotInstalled(cause)) return undefined;
    throw new UnsupportedError(
      `The package libsql is installed but does not load on ${process.platform}-${process.arch}: ${String(cause)}`,
      { feature: "SQLite", reason: "sqlite-driver", cause },
    );
  }
  return {
    name: "libsql",
    open: (path, access) => {
      // libsql ignores the options `readonly` and `fileMustExist`, but respects the parameter `mode` of a file URI.
      const database = guarded(() => new Database(`${pathToFileURL(path).href}?mode=${MODES[access]}`));
      // Each statement is prepared once and kept. Preparing and finalizing it again and again has crashed libsql under load.
      const statements = new Map<string, LibsqlStatement>();
      const prepared = (sql: string): LibsqlStatement => {
        let statement = statements.get(sql);
        if (statement === undefined) {
          statement = database.prepare(sql).safeIntegers();
          statements.set(sql, statement);
        }
        return statement;
      };
      return {
        all: (sql, params) => guarded(() => prepared(sql).all(params)).map(withBytes),
        run: (sql, params) => {
          const { changes, lastInsertRowid } = guarded(() => prepared(sql).run(params));
          return { numChanges: changes, lastRowId: BigInt(lastInsertRowid) };
        },
        exec: (sql) => guarded(() => database.exec(sql)),
        close: () => {
          statements.clear();
          database.close();
        },
      };
    },
  };
}

/** True if the package itself is missing. False if only a binary that it requires is missing. */
function isNotInstalled(error: unknown): boolean {
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown };
  return code === "ERR_MODULE_NOT_FOUND" && String(message).includes("package 'libsql'");
}

/** Returns the row with its blobs as Uint8Arrays. libsql returns them as ArrayBuffers. */
function withBytes(row: SqlRow): SqlRow {
  const entries = Object.entries(row);
  if (!entries.some(([, value]) => isArrayBuffer(value))) return row;
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isArrayBuffer(value) ? new Uint8Array(value) : value]),
  );
}

function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return typeof value === "object" && isTagged("ArrayBuffer")(value);
}

function guarded<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    const { rawCode, message } = error as { readonly rawCode?: number; readonly message: string };
    // The lowest byte of an extended result code is the primary code. An error without a code counts as SQLITE_ERROR, which is 1.
    throw new SqlFailure(message, (rawCode ?? 1) & 0xff, error);
  }
}
