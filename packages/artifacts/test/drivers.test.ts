import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import type { SqlDriver } from "../src/store/drivers/driver.js";
import { installedDriver } from "../src/store/drivers/installed-driver.js";
import { libsqlDriver } from "../src/store/drivers/libsql.js";
import { nodeSqliteDriver } from "../src/store/drivers/node-sqlite.js";
import { openMetadataStore } from "../src/store/open-store.js";
import { temporaryFolder, temporaryStore } from "./temporary-store.js";

// Node 20 has no node:sqlite, so its driver is undefined there.
const drivers = [await libsqlDriver(), nodeSqliteDriver()].filter((driver) => driver !== undefined);

test("the installed driver is node:sqlite where Node has that module, otherwise libsql", async () => {
  expect((await installedDriver()).name).toBe(nodeSqliteDriver()?.name ?? "libsql");
});

test("libsqlDriver returns no driver if libsql is missing, but reports the reason if libsql fails to load", async () => {
  const failing = (code: string, message: string) => () =>
    Promise.reject(Object.assign(new Error(message), { code }));
  const missing = failing("ERR_MODULE_NOT_FOUND", "Cannot find package 'libsql' imported from /app/index.js");
  expect(await libsqlDriver(missing)).toBeUndefined();
  const withoutBinary = libsqlDriver(
    failing("MODULE_NOT_FOUND", "Cannot find module '@libsql/linux-x64-gnu'"),
  );
  await expect(withoutBinary).rejects.toMatchObject({
    code: "unsupported",
    reason: "sqlite-driver",
    message: expect.stringContaining("Cannot find module '@libsql/linux-x64-gnu'"),
  });
});

describe.each(drivers.map((driver) => [driver.name, driver] as const))("%s", (_name, driver: SqlDriver) => {
  test("stores 64-bit integers, floats, text, bytes and null without changing the values or types", () => {
    const connection = driver.open(path.join(temporaryFolder(), "a"), "create");
    connection.exec("CREATE TABLE T (id INTEGER PRIMARY KEY, a, b, c, d, e)");
    const values = [-(2n ** 63n), 0.5, "日本 '", Uint8Array.of(0, 255), null];
    const { lastRowId } = connection.run("INSERT INTO T (a, b, c, d, e) VALUES (?, ?, ?, ?, ?)", values);
    expect(lastRowId).toBe(1n);
    const [row] = connection.all("SELECT * FROM T WHERE id = ?", [1n]);
    expect([row?.["a"], row?.["b"], row?.["c"], row?.["e"]]).toEqual([values[0], 0.5, "日本 '", null]);
    expect(Array.from(row?.["d"] as Uint8Array)).toEqual([0, 255]);
    expect(connection.run("UPDATE T SET b = ?", [1]).numChanges).toBe(1);
    expect(connection.all("SELECT typeof(b) AS type FROM T", [])[0]?.["type"]).toBe("real");
    connection.close();
  });

  test("reports SQLite's result codes", () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "a");
    const connection = driver.open(file, "create");
    connection.exec("CREATE TABLE T (a UNIQUE); INSERT INTO T VALUES (1)");
    const code = (resultCode: number): unknown => expect.objectContaining({ name: "SqlFailure", resultCode });
    expect(() => connection.run("INSERT INTO T VALUES (?)", [1n])).toThrow(code(19));
    expect(() => connection.all("SELECT nothing FROM T", [])).toThrow(code(1));
    const reader = driver.open(file, "read");
    expect(() => reader.run("INSERT INTO T VALUES (2)", [])).toThrow(code(8));
    reader.close();
    const other = driver.open(file, "write");
    connection.exec("BEGIN IMMEDIATE");
    expect(() => other.exec("BEGIN IMMEDIATE")).toThrow(code(5));
    connection.exec("ROLLBACK");
    other.close();
    connection.close();
    const broken = path.join(folder, "b");
    writeFileSync(broken, "no database ".repeat(100));
    expect(() => {
      const damaged = driver.open(broken, "write");
      try {
        damaged.all("SELECT * FROM sqlite_master", []);
      } finally {
        damaged.close();
      }
    }).toThrow(code(26));
  });

  test("shares a store with every installed driver", async () => {
    const { path: file } = await temporaryStore(undefined, { driver });
    for (const other of drivers) {
      const store = await openMetadataStore(file, { driver: other });
      store.types.put("artifact", { name: "Examples" });
      store.artifacts.put([{ type: "Examples", name: other.name, customProperties: { large: 2n ** 62n } }]);
      store.close();
    }
    const store = await openMetadataStore(file, { driver });
    expect(store.artifacts.list({ filter: `custom_properties.large.int_value = ${2n ** 62n}` })).toHaveLength(
      drivers.length,
    );
    store.close();
  });
});
