import { type SqlDriver, SqlFailure, type SqlRow, type SqlValue } from "./driver.js";

/** The part of `node:sqlite` that we use. The type definitions for Node 20 do not include this module. */
interface NodeStatement {
  all(...params: readonly SqlValue[]): SqlRow[];
  run(...params: readonly SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  setReadBigInts(enabled: boolean): void;
}
interface NodeDatabase {
  prepare(sql: string): NodeStatement;
  exec(sql: string): void;
  close(): void;
}
interface NodeSqlite {
  readonly DatabaseSync: new (path: string, options: { readonly readOnly: boolean }) => NodeDatabase;
}

/**
 * Returns a driver for `node:sqlite`, or undefined if Node does not have the module. Node has had it since version 22.5. Before
 * 22.13, it requires the flag `--experimental-sqlite`.
 */
export function nodeSqliteDriver(): SqlDriver | undefined {
  const sqlite = process.getBuiltinModule?.("node:sqlite") as NodeSqlite | undefined;
  if (sqlite === undefined) return undefined;
  return {
    name: "node:sqlite",
    open: (path, access) => {
      const database = guarded(() => new sqlite.DatabaseSync(path, { readOnly: access === "read" }));
      const statements = new Map<string, NodeStatement>();
      const prepared = (sql: string): NodeStatement => {
        let statement = statements.get(sql);
        if (statement === undefined) {
          statement = database.prepare(sql);
          statement.setReadBigInts(true);
          statements.set(sql, statement);
        }
        return statement;
      };
      return {
        all: (sql, params) => guarded(() => prepared(sql).all(...params)),
        run: (sql, params) => {
          const { changes, lastInsertRowid } = guarded(() => prepared(sql).run(...params));
          return { numChanges: Number(changes), lastRowId: BigInt(lastInsertRowid) };
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

function guarded<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    const { errcode, message } = error as { readonly errcode?: number; readonly message: string };
    throw new SqlFailure(message, (errcode ?? 1) & 0xff, error);
  }
}
