import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { aName, anInteger, anObject, assertArgument, assertOptions, oneOf } from "@tfxio/wire/checks";
import { RecordError, SourceError, UnsupportedError } from "@tfxio/wire/errors";
import { coded, type Database, databaseOf } from "./database.js";
import type { SqlDriver, StoreAccess } from "./drivers/driver.js";
import { installedDriver } from "./drivers/installed-driver.js";
import { type MetadataStore, storeOf } from "./metadata-store.js";
import { TYPE_KINDS } from "./names.js";
import { CREATE_STORE, SCHEMA_VERSION, TABLES } from "./schema.js";

/** Options of {@link openMetadataStore}. */
export interface OpenStoreOptions {
  /**
   * "write" (default) and "read" require an existing store. "create" creates a missing file, and adds the tables to a file that
   * has none.
   */
  readonly access?: StoreAccess;
  /**
   * Longest time, in milliseconds, to wait for another process to release its lock. Default 10,000. ML Metadata's client
   * waits up to 3,000.
   */
  readonly busyTimeoutMs?: number;
  /** Driver of the SQLite library to use. Default: `node:sqlite` if Node has it, otherwise the package `libsql`. */
  readonly driver?: SqlDriver;
}

/**
 * System types by kind, without their prefix `mlmd.`. ML Metadata's client adds them to every store that it opens, so we add
 * them to every store that we create.
 */
const SYSTEM_TYPES: readonly (readonly [keyof typeof TYPE_KINDS, readonly string[]])[] = [
  ["artifact", ["Dataset", "Model", "Metrics", "Statistics"]],
  ["execution", ["Train", "Transform", "Process", "Evaluate", "Deploy"]],
];

/**
 * Opens an ML Metadata store in a SQLite file. ml-metadata 1.12 to 1.17 can read and write the same file, even at the same
 * time. Keep the file on a file system whose locks work; many network file systems do not qualify. SQLite's journal mode
 * stays unchanged. Close the store after use.
 * @throws {SourceError} `not-found` if the file does not exist (with "create", if its folder does not exist); `io-failed`
 * (`store`) if the path is a folder or SQLite cannot open the file, (`store-busy`) if another process holds the lock for too
 * long.
 * @throws {RecordError} `corrupt-record` (`metadata-store`) for a file that is not a valid store.
 * @throws {UnsupportedError} (`store-version`) for a schema version other than 10, (`sqlite-driver`) if no SQLite library is
 * available.
 */
export async function openMetadataStore(
  file: string,
  options: OpenStoreOptions = {},
): Promise<MetadataStore> {
  assertArgument("file", file, aName);
  assertOptions("openMetadataStore", options, {
    access: oneOf("read", "write", "create"),
    busyTimeoutMs: anInteger(0, 2 ** 31 - 1),
    driver: anObject,
  });
  const { access = "write", busyTimeoutMs = 10_000, driver = await installedDriver() } = options;
  const location = path.resolve(file);
  if (access !== "create" && !existsSync(location)) throw notFound(location);
  if (!existsSync(path.dirname(location))) throw notFound(path.dirname(location));
  if (statSync(location, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new SourceError("io-failed", `${location} must be a SQLite file, but is a folder.`, {
      uri: location,
      reason: "store",
    });
  }
  const connection = coded(location, () => driver.open(location, access));
  const database = databaseOf(connection, location);
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    if (access === "create") createStore(database);
    checkStore(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return storeOf(database);
}

function createStore(database: Database): void {
  if (tableNames(database).length > 0) return;
  database.write(() => {
    // Another process may have created the tables while this one waited for the lock.
    if (tableNames(database).length > 0) return;
    database.exec(CREATE_STORE);
    for (const [kind, names] of SYSTEM_TYPES) {
      for (const name of names) {
        database.run(
          "INSERT INTO Type (name, type_kind) VALUES (?, ?)",
          `mlmd.${name}`,
          BigInt(TYPE_KINDS[kind]),
        );
      }
    }
  });
}

function checkStore(database: Database): void {
  const tables = tableNames(database);
  const missing = Object.keys(TABLES).filter((name) => !tables.includes(name));
  // A store of an older version may also lack tables. The version is checked first, because it explains why they are missing.
  const versions = tables.includes("MLMDEnv") ? database.all("SELECT schema_version FROM MLMDEnv") : [];
  const [version] = versions.map((row) => Number(row["schema_version"]));
  if (version !== undefined && version !== SCHEMA_VERSION) {
    const advice =
      version < SCHEMA_VERSION ? "; upgrade it with enable_upgrade_migration of ml-metadata" : "";
    throw new UnsupportedError(
      `${database.path} must have version ${SCHEMA_VERSION} of ML Metadata's schema, but has version ${version}${advice}.`,
      { feature: "schema version of ML Metadata", reason: "store-version" },
    );
  }
  if (versions.length === 1 && missing.length === 0) return;
  const found =
    missing.length === 0
      ? `found ${versions.length} rows in MLMDEnv instead of 1`
      : `it lacks required tables (${missing.join(", ")})`;
  throw new RecordError("corrupt-record", `${database.path} is not an ML Metadata store: ${found}.`, {
    uri: database.path,
    reason: "metadata-store",
  });
}

function tableNames(database: Database): string[] {
  return database
    .all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .map((row) => String(row["name"]));
}

function notFound(location: string): SourceError {
  return new SourceError("not-found", `${location} does not exist.`, { uri: location });
}
