import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { dumpOf, type MlmdDump } from "@tfxio-tools/conformance/mlmd/dump";
import { type MetadataStore, openMetadataStore } from "@tfxio/artifacts";
import { assertSame } from "../assert-same.js";
import type { Interop } from "../interop.js";
import { pythonWith, runPython } from "../python.js";
import { seeded } from "../seeded.js";
import { applyOperations } from "./apply.js";
import { randomOperations } from "./operations.js";
import { checkAgainstTfx } from "./tfx-answers.js";

/**
 * Number of histories that our code and the Python client both run, each in a separate store. A history is a sequence of random
 * calls.
 */
const HISTORIES = 12;
/** Number of calls in each of these histories. */
const OPERATIONS = 60;
/** Number of artifacts that each concurrent writer stores. */
const WRITES = 100;

/** Checks our store against ML Metadata's Python client on the same SQLite files, and our code for artifacts against TFX. */
export const mlmd: Interop = {
  name: "mlmd",
  about: "shares stores with ML Metadata's Python client, and resolves and binds artifacts as TFX does",
  run: async (context) => {
    const python = await pythonWith("ml_metadata", context);
    const folder = await mkdtemp(path.join(tmpdir(), "tfxio-interop-"));
    const peer = (...args: readonly string[]): Promise<unknown> => runPython(python, "mlmd_peer.py", args);
    const { check } = context.report;
    try {
      await checkTables(path.join(folder, "tables.sqlite"), peer, check);
      for (let seed = 1; seed <= HISTORIES; seed += 1) {
        await check(`history ${seed}: both sides produce the same store and read each other's`, () =>
          compareHistories(folder, seed, peer),
        );
      }
      for (const seed of [101, 102, 103]) {
        await check(`history ${seed}: both sides take turns writing one file and read the same content`, () =>
          takeTurns(folder, seed, peer),
        );
      }
      await check(`four concurrent writers, two per side, lose none of ${4 * WRITES} artifacts`, () =>
        writeTogether(path.join(folder, "together.sqlite"), peer),
      );
      await checkAgainstTfx(context, folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

type Peer = (...args: readonly string[]) => Promise<unknown>;

/** Checks that the client opens our store, and that all tables have the client's columns and indices. */
async function checkTables(
  file: string,
  peer: Peer,
  check: (what: string, run: () => unknown) => Promise<void>,
): Promise<void> {
  await withStore(file, () => undefined);
  const tables = (await peer("tables", file)) as Readonly<Record<string, boolean>>;
  await check("the client opens our store and finds its 15 tables", () =>
    assertSame(15, Object.keys(tables).length),
  );
  for (const [name, isEqual] of Object.entries(tables)) {
    await check(`table ${name} has the client's columns and indices`, () => assertSame(true, isEqual));
  }
}

/**
 * Performs one random history on both sides, each in its own store. Checks that the answers match, and that both sides read the
 * same content from each of the two stores.
 */
async function compareHistories(folder: string, seed: number, peer: Peer): Promise<void> {
  const [ours, theirs, calls] = ["ours", "theirs", "calls"].map((name) =>
    path.join(folder, `${name}-${seed}`),
  ) as [string, string, string];
  const operations = randomOperations(seeded(seed), OPERATIONS, "");
  await writeFile(calls, JSON.stringify(operations));
  const answers = await withStore(ours, (store) => applyOperations(store, operations));
  assertSame(await peer("apply", theirs, calls), answers);
  const expected = comparable((await peer("dump", theirs)) as MlmdDump);
  assertSame(expected, comparable(await withStore(theirs, dumpOf)));
  assertSame(expected, comparable(await withStore(ours, dumpOf)));
  assertSame(expected, comparable((await peer("dump", ours)) as MlmdDump));
}

/** Writes one file alternately with our store and with the client, and checks that both read the same content. */
async function takeTurns(folder: string, seed: number, peer: Peer): Promise<void> {
  const [file, calls] = [path.join(folder, `turns-${seed}`), path.join(folder, `calls-${seed}`)];
  for (let turn = 0; turn < 4; turn += 1) {
    const operations = randomOperations(seeded(seed + 7919 * turn), 25, `t${turn}-`);
    if (turn % 2 === 0) {
      await withStore(file, (store) => applyOperations(store, operations));
    } else {
      await writeFile(calls, JSON.stringify(operations));
      await peer("apply", file, calls);
    }
  }
  const theirs = (await peer("dump", file)) as MlmdDump;
  assertSame(withoutTypeIds(theirs), withoutTypeIds(await withStore(file, dumpOf)));
}

/** Writes one file with four concurrent writers, and checks that no artifact is missing. */
async function writeTogether(file: string, peer: Peer): Promise<void> {
  await withStore(file, (store) => store.types.put("artifact", { name: "Written" }));
  const ours = async (name: string): Promise<void> => {
    const store = await openMetadataStore(file);
    for (let number = 0; number < WRITES; number += 1) {
      store.artifacts.put([
        {
          type: "Written",
          name: `${name}-${number}`,
          uri: `/${name}/${number}`,
          customProperties: { number: BigInt(number) },
        },
      ]);
      // The pause lets the other writers get the lock.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    store.close();
  };
  await Promise.all([
    peer("write", file, "c", String(WRITES)),
    peer("write", file, "d", String(WRITES)),
    ours("a"),
    ours("b"),
  ]);
  const expected = ["a", "b", "c", "d"].flatMap((name) =>
    Array.from({ length: WRITES }, (_, number) => `${name}-${number}`),
  );
  const found = await withStore(file, (store) => store.artifacts.list());
  assertSame(expected.toSorted(compareText), found.map(({ name = "" }) => name).toSorted(compareText));
  assertSame(
    found.map(({ name }) => `/${name?.replace("-", "/")}`),
    found.map(({ uri }) => uri),
  );
  const { artifacts } = (await peer("dump", file)) as { readonly artifacts: readonly unknown[] };
  assertSame(4 * WRITES, artifacts.length);
}

async function withStore<Result>(file: string, use: (store: MetadataStore) => Result): Promise<Result> {
  const store = await openMetadataStore(file, { access: "create" });
  try {
    return use(store);
  } finally {
    store.close();
  }
}

/** Returns a dump without write times, which differ between two stores, and without the external ids of types. */
function comparable(dump: MlmdDump): unknown {
  const nodes = ["artifacts", "executions", "contexts"].map((name) => [
    name,
    (dump[name] as readonly Readonly<Record<string, unknown>>[]).map((node) => ({
      ...node,
      create_time_since_epoch: "",
      last_update_time_since_epoch: "",
    })),
  ]);
  return { ...(withoutTypeIds(dump) as object), ...(Object.fromEntries(nodes) as object) };
}

/** Returns a dump without the external ids of types, which the client omits from its lists. */
function withoutTypeIds(dump: MlmdDump): unknown {
  const types = ["artifact_types", "execution_types", "context_types"].map((name) => [
    name,
    (dump[name] as readonly object[]).map((type) => ({ ...type, external_id: "" })),
  ]);
  return { ...dump, ...(Object.fromEntries(types) as object) };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
