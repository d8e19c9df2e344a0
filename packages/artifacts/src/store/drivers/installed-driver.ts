import { UnsupportedError } from "@tfxio/wire/errors";
import type { SqlDriver } from "./driver.js";
import { libsqlDriver } from "./libsql.js";
import { nodeSqliteDriver } from "./node-sqlite.js";

/**
 * Returns a driver for the available SQLite library: `node:sqlite` if Node has it, otherwise the package `libsql`.
 * @throws {UnsupportedError} (`sqlite-driver`) if neither is available, or if libsql is installed but does not load.
 */
export async function installedDriver(): Promise<SqlDriver> {
  const driver = nodeSqliteDriver() ?? (await libsqlDriver());
  if (driver !== undefined) return driver;
  throw new UnsupportedError(
    "A metadata store needs node:sqlite (Node 22.13 or later) or the package libsql (npm install libsql). " +
      `Node ${process.versions.node} lacks node:sqlite, and libsql is not installed.`,
    { feature: "SQLite", reason: "sqlite-driver" },
  );
}
