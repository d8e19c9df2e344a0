import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { markForDeletion } from "../../src/collection/policies.js";
import { sweep } from "../../src/collection/sweep.js";
import { startExecution } from "../../src/runner/start-execution.js";
import type { SqlConnection } from "../../src/store/drivers/driver.js";
import { libsqlDriver } from "../../src/store/drivers/libsql.js";
import type { Artifact } from "../../src/store/entities.js";
import type { MetadataStore } from "../../src/store/metadata-store.js";
import type { ArtifactState } from "../../src/store/names.js";
import { openMetadataStore } from "../../src/store/open-store.js";
import { Crash, type MemoryFiles, memoryFiles } from "./memory-files.js";

// A history is a sequence of random steps. `pnpm check` sets TFXIO_FUZZ_RECORDS to 100,000, so it runs 10,000 histories.
const HISTORIES = Math.ceil(Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 2500) / 10);
const STEPS = 18;
const ROOT = "/root";
const PLACES = [
  "/root/a",
  "/root/a/b",
  "/root/a/b/c",
  "/root/ab",
  "/root/d",
  "/root/d/e",
  "/root/g",
  "/root/h/i",
  "/root/j",
  "/root/k",
  "/elsewhere/f",
];

const folder = mkdtempSync(path.join(tmpdir(), "tfxio-model-"));
let store: MetadataStore;
let connection: SqlConnection | undefined;

beforeAll(async () => {
  const driver = await libsqlDriver();
  if (driver === undefined) throw new Error("libsql is not installed");
  // Waiting for the disk would take most of the time. These settings avoid it, so crashes of the machine are not tested.
  const open: typeof driver.open = (file, access) => {
    connection = driver.open(file, access);
    connection.exec(
      "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE",
    );
    return connection;
  };
  store = await openMetadataStore(path.join(folder, "store.sqlite"), {
    access: "create",
    driver: { ...driver, open },
  });
  for (const name of ["Examples", "DataView"]) store.types.put("artifact", { name });
  store.types.put("execution", { name: "Trainer" });
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

test(`in ${HISTORIES} random histories with crashes, sweeps keep needed bytes, and finally delete all others`, async () => {
  const seen = { deleted: 0, kept: 0, crashes: 0, rejectedStarts: 0 };
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    try {
      await playHistory(seed, seen);
    } catch (error) {
      throw new Error(`history ${seed}: ${String(error)}`, { cause: error });
    }
  }
  // The test proves nothing unless each of these cases occurs often enough.
  expect(seen.deleted).toBeGreaterThan(HISTORIES / 4);
  expect(seen.kept).toBeGreaterThan(HISTORIES / 2);
  expect(seen.crashes).toBeGreaterThan(HISTORIES / 10);
  expect(seen.rejectedStarts).toBeGreaterThan(0);
}, 1_800_000);

async function playHistory(
  seed: number,
  seen: Record<"deleted" | "kept" | "crashes" | "rejectedStarts", number>,
): Promise<void> {
  for (const table of [
    "Artifact",
    "ArtifactProperty",
    "Execution",
    "ExecutionProperty",
    "Event",
    "EventPath",
  ]) {
    connection?.exec(`DELETE FROM ${table}`);
  }
  const random = generator(seed);
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[random(items.length)];
  const files = memoryFiles(ROOT, random(2) === 0);
  const run = async (crashAfter: number | undefined): Promise<void> => {
    files.crashAfter = crashAfter;
    const before = new Set(files.present);
    const needed = neededPlaces();
    try {
      const { decisions, deletedIds } = await sweep(store, { files, leaseMs: 1 });
      seen.deleted += deletedIds.length;
      seen.kept += decisions.filter(({ action }) => action === "keep").length;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      seen.crashes += 1;
    }
    files.crashAfter = undefined;
    const lost = [...before].filter((place) => !files.present.has(place) && needed(place));
    if (lost.length > 0) throw new Error(`the sweep deleted ${lost.join(", ")}, which something needs`);
  };
  const steps: readonly (() => Promise<void> | void)[] = [
    () => publish(files, random),
    () => publish(files, random),
    () => publish(files, random),
    () => bind(random),
    () =>
      setState(
        pick(store.artifacts.list({ filter: "state = LIVE" })),
        pick(["MARKED_FOR_DELETION", "ABANDONED"]),
      ),
    () => setState(pick(store.artifacts.list({ filter: "state = PENDING" })), pick(["LIVE", "ABANDONED"])),
    () => void markForDeletion(store, (artifacts) => artifacts.filter(() => random(2) === 0)),
    () => void markForDeletion(store, (artifacts) => artifacts.filter(() => random(2) === 0)),
    () => void (start(pick(store.artifacts.list())) || (seen.rejectedStarts += 1)),
    () => {
      const running = store.executions
        .list({ filter: "last_known_state = RUNNING" })
        .filter(() => random(4) > 0);
      store.executions.put(running.map((execution) => ({ ...execution, lastKnownState: "COMPLETE" })));
    },
    () => run(random(3)),
    () => run(random(2) === 0 ? undefined : random(4)),
  ];
  for (let step = 0; step < STEPS; step += 1) await pick(steps)?.();
  // After this wait, every lease of one millisecond has expired.
  for (const begin = Date.now(); Date.now() - begin < 2; );
  await run(undefined);
  expectNothingLeft(files);
  expectDeletedMeansGone(files);
}

/**
 * Writes bytes to a place and publishes them, unless a sweep is deleting bytes there. The package's functions make the same
 * check.
 */
function publish(files: MemoryFiles, random: (limit: number) => number): void {
  const uri = PLACES[random(PLACES.length)] as string;
  const isTaken = store.artifacts
    .list({ filter: "custom_properties.gc_phase.string_value = 'deleting'" })
    .some((other) => overlaps(other.uri, uri));
  if (isTaken) return;
  const states: readonly (ArtifactState | undefined)[] = [
    "LIVE",
    "LIVE",
    "PENDING",
    "REFERENCE",
    "UNKNOWN",
    undefined,
  ];
  const state = states[random(states.length)];
  files.present.add(uri);
  store.artifacts.put([
    {
      type: random(3) === 0 ? "DataView" : "Examples",
      // Equivalent spellings of the same URI.
      uri: [uri, `${uri}/`, uri.replaceAll("/", "//"), `file://${uri}`][random(4)] as string,
      ...(state === undefined ? {} : { state }),
      customProperties: random(8) === 0 ? { is_external: 1n } : {},
    },
  ]);
}

/** Binds a view to examples, as `dataViewBinder` does. Both must be live, and no sweep may be deleting them. */
function bind(random: (limit: number) => number): void {
  const live = store.artifacts.list({ filter: "state = LIVE" });
  const [examples] = live.filter(({ type }) => type === "Examples").slice(random(3));
  const [view] = live.filter(({ type }) => type === "DataView").slice(random(2));
  if (examples === undefined || view === undefined) return;
  if (!start(examples) || !start(view)) return;
  const isLegacy = random(2) === 0;
  store.artifacts.put([
    {
      type: "Examples",
      uri: examples.uri,
      state: "LIVE",
      customProperties: isLegacy
        ? { data_view_uri: view.uri }
        : { gc_context: JSON.stringify({ v: 1, uris: [view.uri] }) },
    },
  ]);
}

function setState(artifact: Artifact | undefined, state: ArtifactState | undefined): void {
  if (artifact !== undefined && state !== undefined) store.artifacts.put([{ ...artifact, state }]);
}

/** Starts an execution that reads the artifact. Returns false if the start is rejected. */
function start(artifact: Artifact | undefined): boolean {
  if (artifact === undefined) return true;
  try {
    startExecution(store, { execution: { type: "Trainer" }, inputs: { examples: [artifact.id] } });
    return true;
  } catch {
    return false;
  }
}

// The next functions state a sweep's rules independently of the package. They reduce each URI to a path, in the form used in
// PLACES.

interface Known {
  readonly own: string;
  readonly refs: readonly string[];
  readonly counts: boolean;
  readonly locked: boolean;
  readonly external: boolean;
  readonly collectable: boolean;
  readonly deleted: boolean;
}

function knowledge(): Known[] {
  const running = store.executions
    .list()
    .filter(({ lastKnownState }) => lastKnownState === "RUNNING" || lastKnownState === "NEW");
  const inUse = new Set(
    store.events.ofExecutions(running.map(({ id }) => id)).map(({ artifactId }) => artifactId),
  );
  return store.artifacts.list().map(({ id, uri, state, customProperties: custom }) => {
    const context = custom["gc_context"];
    const uris = typeof context === "string" ? (JSON.parse(context) as { readonly uris: string[] }).uris : [];
    const view = custom["data_view_uri"];
    return {
      own: plain(uri),
      refs: [uri, ...uris, ...(typeof view === "string" ? [view] : [])].map(plain),
      counts: !["MARKED_FOR_DELETION", "ABANDONED", "DELETED"].includes(state ?? ""),
      locked: inUse.has(id),
      external: custom["is_external"] === 1n,
      collectable: state === "MARKED_FOR_DELETION" || state === "ABANDONED",
      deleted: state === "DELETED",
    };
  });
}

function plain(uri: string): string {
  const segments = uri
    .replace("file:", "")
    .split("/")
    .filter((segment) => segment !== "");
  return `/${segments.join("/")}`;
}

function overlaps(a: string, b: string): boolean {
  const [one, other] = [`${plain(a)}/`, `${plain(b)}/`];
  return one.startsWith(other) || other.startsWith(one);
}

/**
 * Returns a predicate for places. It is true for places outside the root, and for places whose bytes were needed when
 * `neededPlaces` was called.
 */
function neededPlaces(): (place: string) => boolean {
  const known = knowledge();
  return (place) =>
    known.some(
      ({ refs, counts, locked }) => (counts || locked) && refs.some((ref) => overlaps(ref, place)),
    ) ||
    known.some(({ own, external, deleted }) => external && !deleted && overlaps(own, place)) ||
    !place.startsWith(`${ROOT}/`);
}

/** Checks that, after a sweep without a crash, no bytes of a collectable artifact remain unless something needs them. */
function expectNothingLeft(files: MemoryFiles): void {
  const isNeeded = neededPlaces();
  const known = knowledge();
  const left = [...files.present].filter((place) => {
    const isOwned = known.some(({ own, collectable }) => collectable && own === place);
    // `isNeeded` is also true for a place inside a folder that must be kept. Such a place may remain.
    return isOwned && !isNeeded(place);
  });
  if (left.length > 0) throw new Error(`nothing needs ${left.join(", ")}, which the sweep left`);
}

function expectDeletedMeansGone(files: MemoryFiles): void {
  const known = store.artifacts.list();
  const deleted = known.filter(({ state }) => state === "DELETED").map(({ uri }) => plain(uri));
  const others = new Set(known.filter(({ state }) => state !== "DELETED").map(({ uri }) => plain(uri)));
  const left = deleted.filter((place) => files.present.has(place) && !others.has(place));
  if (left.length > 0)
    throw new Error(`artifacts at ${left.join(", ")} are DELETED, but their bytes are still there`);
}

/** Returns a function that returns random integers from 0 to its argument, exclusive (Park and Miller's minimal standard). */
function generator(seed: number): (limit: number) => number {
  let state = (seed * 7919) % 2_147_483_647;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return limit === 0 ? 0 : state % limit;
  };
}
