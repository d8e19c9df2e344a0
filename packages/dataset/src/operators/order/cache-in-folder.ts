import { loadStored } from "#stored";
import type { Block } from "../../blocks/block.js";
import { disposeBlock, isItemRows } from "../../blocks/block.js";
import { BlockQueue } from "../../blocks/block-queue.js";
import { describePlan, nodeOn } from "../../checkpoint/plan-node.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";
import type { Manifest } from "../../stored/stored-folder.js";
import type { Stored } from "../../stored/load-node.js";
import { assertOfPlan, storedStream } from "../../stored/stored-stream.js";
import { collectRows } from "../batching/collect-rows.js";

/**
 * Maximum number of elements per record batch of the folder's Arrow file. Until the folder is filled, passes read up to this many
 * elements ahead.
 */
const CHUNK_ROWS = 256;

/** The state shared by all passes of one dataset. */
interface FolderState {
  readonly folder: string;
  /** One-line description of the upstream plan. */
  readonly plan: string;
  /** Undefined until a pass of this dataset fills the folder, or finds it filled. */
  manifest: Manifest | undefined;
  /** True while a pass of this dataset writes the folder. */
  isFilling: boolean;
}

/** Stores the elements of the first complete pass in a folder. Later passes, even in other processes, read them from it. */
export function cacheInFolderPlan(upstream: Plan, folder: string): Plan {
  const state: FolderState = { folder, plan: describePlan(upstream), manifest: undefined, isFilling: false };
  return {
    ...upstream,
    node: { ...nodeOn(upstream, "cache", ["folder"]), isRegular: false },
    cardinality: () => state.manifest?.numElements ?? upstream.cardinality(),
    reshuffles: false,
    moved: { arrowSchema: undefined },
    open: (pass) => new FolderStream(upstream, pass, state),
  };
}

/**
 * Returns the path of the subfolder for a plan. The name of the subfolder is a hash of the plan's description, so that other
 * plans use other subfolders.
 */
export function snapshotFolder(folder: string, plan: Plan): string {
  // FNV-1a over code points. If two plans share a hash, the manifest shows which plan filled the folder.
  let hash = 0x811c9dc5;
  for (const unit of describePlan(plan)) hash = Math.imul(hash ^ (unit.codePointAt(0) as number), 0x01000193);
  return `${folder.replace(/\/+$/, "")}/${(hash >>> 0).toString(16).padStart(8, "0")}`;
}

class FolderStream implements BlockStream {
  readonly #upstream: Plan;
  readonly #pass: Pass;
  readonly #state: FolderState;
  readonly #ready: BlockQueue = new BlockQueue();
  #stored: Stored | undefined;
  #source: BlockStream | undefined;
  #writer: InstanceType<Stored["StoredWriter"]> | undefined;
  #numElements = 0;
  #isStored = false;
  #isEnded = false;

  constructor(upstream: Plan, pass: Pass, state: FolderState) {
    this.#upstream = upstream;
    this.#pass = pass;
    this.#state = state;
  }

  async read(maxRows: number): Promise<Block | null> {
    this.#source ??= await this.#start();
    for (;;) {
      const rows = this.#ready.read(maxRows);
      if (rows !== null) return rows;
      if (this.#isStored) return this.#source.read(maxRows);
      if (this.#isEnded || !(await this.#readChunk())) return null;
    }
  }

  async close(): Promise<void> {
    this.#ready.dispose();
    await this.#endFilling();
    await this.#source?.close();
  }

  async #start(): Promise<BlockStream> {
    const { folder, plan } = this.#state;
    this.#stored = await loadStored();
    const { readManifest, StoredWriter } = this.#stored;
    this.#state.manifest ??= await readManifest(folder);
    const { manifest } = this.#state;
    if (manifest !== undefined) {
      assertOfPlan(manifest, plan, folder);
      this.#isStored = true;
      return storedStream(folder, () => manifest, this.#pass);
    }
    // If another pass of this dataset is filling the folder, this pass does not wait for it, and stores nothing.
    if (!this.#state.isFilling) {
      this.#state.isFilling = true;
      this.#writer = new StoredWriter(folder, plan);
    }
    return this.#upstream.open(this.#pass);
  }

  /**
   * Reads the next elements into the queue, in the form in which they are stored. Passes that store nothing also use this form,
   * so that all passes return equal elements. Returns false at the end of the input.
   */
  async #readChunk(): Promise<boolean> {
    const rows = await collectRows(this.#source as BlockStream, CHUNK_ROWS, false);
    if (rows === undefined) {
      this.#isEnded = true;
      this.#state.manifest = (await this.#writer?.commit()) ?? this.#state.manifest;
      await this.#endFilling();
      return false;
    }
    const runs = [...runsOf(rows.parts)];
    try {
      for (let run = runs.shift(); run !== undefined; run = runs.shift()) await this.#addRun(run);
    } finally {
      // If a run of rows cannot be stored, the runs after it never reach the queue, so they are disposed here.
      for (const run of runs) if (!(run instanceof Failure)) run.forEach(disposeBlock);
    }
    return true;
  }

  /** Stores a run and adds it to the queue. Disposes the run's blocks. */
  async #addRun(run: readonly Block[] | Failure): Promise<void> {
    if (run instanceof Failure) {
      // A failed element may succeed in a later pass, so this pass is not stored.
      await this.#endFilling();
      this.#ready.push({ numRows: 1, items: [run] });
      this.#numElements++;
      return;
    }
    const { storedRowsOf, blockOfLeaves } = this.#stored as Stored;
    try {
      const stored = storedRowsOf(run, this.#numElements);
      await this.#writer?.write(stored);
      this.#ready.push(blockOfLeaves(stored.numRows, stored.structure, stored.leaves));
      this.#numElements += stored.numRows;
    } finally {
      run.forEach(disposeBlock);
    }
  }

  /** Stops storing. Removes the files of an incomplete pass. */
  async #endFilling(): Promise<void> {
    const writer = this.#writer;
    if (writer === undefined) return;
    this.#writer = undefined;
    this.#state.isFilling = false;
    await writer.discard();
  }
}

/** Yields runs of consecutive rows without failures, and the failures between them, in order. */
function* runsOf(parts: readonly Block[]): Generator<readonly Block[] | Failure, void, undefined> {
  let run: Block[] = [];
  for (const part of parts) {
    if (!isItemRows(part) || !part.items.some((item) => item instanceof Failure)) {
      run.push(part);
      continue;
    }
    for (const item of part.items) {
      if (!(item instanceof Failure)) {
        run.push({ numRows: 1, items: [item] });
        continue;
      }
      if (run.length > 0) yield run;
      run = [];
      yield item;
    }
  }
  if (run.length > 0) yield run;
}
