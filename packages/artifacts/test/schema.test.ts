import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import type { SqlConnection } from "../src/store/drivers/driver.js";
import { libsqlDriver } from "../src/store/drivers/libsql.js";
import { openMetadataStore } from "../src/store/open-store.js";
import { temporaryFolder, temporaryStore } from "./temporary-store.js";

interface TableFacts {
  readonly columns: readonly object[];
  readonly autoincrement: boolean;
  readonly indexes: readonly {
    readonly name: string;
    readonly origin: string;
    readonly columns: readonly string[];
  }[];
}

// Facts read from a store created by ml-metadata.
const vectors = path.join(
  import.meta.dirname,
  "../../../tools/conformance/vectors/struct2tensor/mlmd_schema_v10.json",
);
const { tables, schemaVersion } = JSON.parse(readFileSync(vectors, "utf8")) as {
  readonly tables: Readonly<Record<string, TableFacts>>;
  readonly schemaVersion: number;
};

test("openMetadataStore creates the tables, indices and system types of ML Metadata", async () => {
  const { path: file } = await temporaryStore();
  const connection = await connect(file);
  const names = connection
    .all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name", [])
    .map(({ name }) => name as string);
  const ours = Object.fromEntries(names.map((name) => [name, factsOf(connection, name)]));
  expect(ours).toEqual(
    Object.fromEntries(Object.entries(tables).map(([name, facts]) => [name, comparable(facts)])),
  );
  expect(connection.all("SELECT * FROM MLMDEnv", [])).toMatchObject([
    { schema_version: BigInt(schemaVersion) },
  ]);
  const [{ count }] = connection.all(
    "SELECT count(*) AS count FROM sqlite_master WHERE type = 'index' AND name LIKE 'idx_%'",
    [],
  ) as [{ count: bigint }];
  expect(count).toBe(24n);
  expect(connection.all("SELECT id, name, type_kind FROM Type ORDER BY id", [])).toMatchObject([
    { id: 1n, name: "mlmd.Dataset", type_kind: 1n },
    { id: 2n, name: "mlmd.Model", type_kind: 1n },
    { id: 3n, name: "mlmd.Metrics", type_kind: 1n },
    { id: 4n, name: "mlmd.Statistics", type_kind: 1n },
    { id: 5n, name: "mlmd.Train", type_kind: 0n },
    { id: 6n, name: "mlmd.Transform", type_kind: 0n },
    { id: 7n, name: "mlmd.Process", type_kind: 0n },
    { id: 8n, name: "mlmd.Evaluate", type_kind: 0n },
    { id: 9n, name: "mlmd.Deploy", type_kind: 0n },
  ]);
  connection.close();
});

test("openMetadataStore rejects files that are missing or are not ML Metadata stores", async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "store.sqlite");
  await expect(openMetadataStore(file)).rejects.toMatchObject({ code: "not-found", uri: file });
  await expect(openMetadataStore(path.join(folder, "no/store"), { access: "create" })).rejects.toMatchObject({
    code: "not-found",
  });
  writeFileSync(
    file,
    "this is not a database, but text that is longer than the header of a database, which has one hundred bytes",
  );
  for (const access of ["read", "write", "create"] as const) {
    await expect(openMetadataStore(file, { access })).rejects.toMatchObject({
      code: "corrupt-record",
      reason: "metadata-store",
    });
  }
  const other = await connect(path.join(folder, "other.sqlite"));
  other.exec("CREATE TABLE Something (id INT)");
  await expect(
    openMetadataStore(path.join(folder, "other.sqlite"), { access: "create" }),
  ).rejects.toMatchObject({
    code: "corrupt-record",
    message: expect.stringContaining("it lacks required tables (Type, ParentType"),
  });
  other.close();
});

test.each([9, 11])("openMetadataStore rejects a store with schema version %i", async (version) => {
  const { path: file } = await temporaryStore();
  const connection = await connect(file);
  connection.exec(`UPDATE MLMDEnv SET schema_version = ${version}`);
  connection.close();
  await expect(openMetadataStore(file)).rejects.toMatchObject({
    code: "unsupported",
    reason: "store-version",
    message: expect.stringContaining(`has version ${version}`),
  });
});

test("a store that was opened for reading cannot be written to", async () => {
  const { path: file } = await temporaryStore();
  const reader = await openMetadataStore(file, { access: "read" });
  expect(() => reader.types.put("artifact", { name: "Examples" })).toThrow(
    expect.objectContaining({ code: "io-failed", reason: "store-read-only" }),
  );
  expect(reader.types.all("artifact")).toEqual([]);
  reader.close();
});

test("openMetadataStore opens files whose paths contain characters that must be escaped in URIs", async () => {
  const file = path.join(temporaryFolder(), "a store?mode=ro #1%20 ü.sqlite");
  const store = await temporaryStore(file);
  store.types.put("artifact", { name: "Examples" });
  const reader = await openMetadataStore(file, { access: "read" });
  expect(reader.types.all("artifact")).toMatchObject([{ name: "Examples" }]);
  reader.close();
});

async function connect(file: string): Promise<SqlConnection> {
  const driver = await libsqlDriver();
  if (driver === undefined) throw new Error("libsql is not installed");
  return driver.open(file, "create");
}

function factsOf(connection: SqlConnection, table: string): unknown {
  const columns = connection.all(`PRAGMA table_info(${table})`, []);
  const indexes = connection.all(`PRAGMA index_list(${table})`, []);
  const [{ sql }] = connection.all("SELECT sql FROM sqlite_master WHERE name = ?", [table]) as [
    { sql: string },
  ];
  return comparable({
    columns: columns.map((column) => ({
      name: column["name"],
      type: column["type"],
      notNull: column["notnull"] === 1n,
      default: column["dflt_value"],
      pk: Number(column["pk"]),
    })),
    autoincrement: sql.includes("AUTOINCREMENT"),
    indexes: indexes.map((index) => ({
      name: index["name"] as string,
      unique: index["unique"] === 1n,
      origin: index["origin"] as string,
      partial: index["partial"] === 1n,
      columns: connection
        .all(`PRAGMA index_info(${index["name"] as string})`, [])
        .map(({ name }) => name as string),
    })),
  });
}

/** Returns the facts with sorted indices. Omits the names of automatic indices, which SQLite numbers by constraint order. */
function comparable({ columns, autoincrement, indexes }: TableFacts): unknown {
  const unnamed = indexes.map((index) => ({
    ...index,
    name: index.origin === "c" ? index.name : index.origin,
  }));
  return { columns, autoincrement, indexes: unnamed.map((index) => JSON.stringify(index)).sort() };
}
