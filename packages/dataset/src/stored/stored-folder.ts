import { arrow } from "@tfxio/formats-arrow";
import {
  ArgumentError,
  type ByteTarget,
  createFolder,
  fileSource,
  isTfxioError,
  openTarget,
  RecordError,
} from "@tfxio/wire";
import { anInteger, membersOf } from "@tfxio/wire/checks";
import type { RecordBatch } from "apache-arrow";
import type { Block } from "../blocks/block.js";
import { storedElements } from "./decode-elements.js";
import { STRUCTURE_KEY, storedBatchOf, storedSchemaOf } from "./encode-elements.js";
import type { StoredRows } from "./leaf-rows.js";
import { assertSameStructure, type StoredStructure } from "./stored-structure.js";

const MANIFEST = "manifest.json";
/** Batch size above the number of rows in any record batch, so that the reader splits no batch. */
const WHOLE_BATCHES = 2 ** 31 - 1;

/** The manifest of a folder of stored elements. It is written last, so a folder without one counts as empty. */
export interface Manifest {
  readonly version: 1;
  /** One-line description of the stored dataset. */
  readonly plan: string;
  readonly numElements: number;
  /** Name of the Arrow file; null if there are no elements. */
  readonly file: string | null;
  /** Size of the Arrow file in bytes; 0 if there are no elements. */
  readonly numBytes: number;
}

/**
 * Reads the manifest of a folder. Resolves to undefined if the folder or its manifest does not exist.
 * @throws {RecordError} `corrupt-record` (`manifest`) for a damaged manifest.
 */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const uri = pathIn(folder, MANIFEST);
  let bytes: Uint8Array;
  try {
    const source = await fileSource(uri);
    bytes = await source.slice(0, source.byteLength as number);
  } catch (error) {
    if (isTfxioError(error, "not-found")) return undefined;
    throw error;
  }
  const manifest = parsed(bytes);
  const { version, plan, numElements, file, numBytes } = membersOf(manifest);
  const isName = file === null || (typeof file === "string" && !/[/\\]/.test(file));
  const isManifest =
    version === 1 && typeof plan === "string" && isName && [numElements, numBytes].every(anInteger(0).holds);
  if (isManifest) return manifest as Manifest;
  throw new RecordError(
    "corrupt-record",
    `${uri} must be a manifest of stored elements, but it is damaged or holds something else. Store the elements again.`,
    {
      uri,
      reason: "manifest",
    },
  );
}

/**
 * Reads the elements of a folder, one block per record batch.
 * @throws {RecordError} `corrupt-record` (`manifest`) if the Arrow file contradicts the manifest, or has no valid description of
 *   its elements. Also throws any error from reading the file.
 */
export async function* readStored(
  folder: string,
  { file, numBytes, numElements }: Manifest,
  signal: AbortSignal,
): AsyncGenerator<Block, void, undefined> {
  if (file === null) return;
  const uri = pathIn(folder, file);
  const source = await fileSource(uri);
  const wrong = (found: string, cause?: unknown): RecordError =>
    new RecordError(
      "corrupt-record",
      `${uri} has ${found}, so it is not the file that its manifest describes. Store the elements again.`,
      {
        uri,
        reason: "manifest",
        cause,
      },
    );
  const described = <Value>(decode: () => Value): Value => {
    try {
      return decode();
    } catch (cause) {
      throw wrong(`a damaged description of its elements (${String(cause)})`, cause);
    }
  };
  if (source.byteLength !== numBytes) throw wrong(`${source.byteLength} bytes instead of ${numBytes}`);
  const reader = await arrow.open([source], { signal, options: { joinBatches: false } });
  try {
    const plan = await reader.plan({ batchSize: WHOLE_BATCHES, signal });
    const text = plan.arrowSchema?.metadata.get(STRUCTURE_KEY);
    if (text === undefined) throw wrong("no description of its elements");
    const structure = described(() => JSON.parse(text) as StoredStructure);
    let numRead = 0;
    for (const split of plan.splits) {
      for await (const batch of plan.read(split, { signal })) {
        numRead += batch.numRows;
        yield described(() => storedElements(batch, structure));
      }
    }
    if (numRead !== numElements) throw wrong(`${numRead} elements instead of ${numElements}`);
  } finally {
    await reader.close();
  }
}

/** Writes elements to a folder. Readers can see them only after `commit`. */
export class StoredWriter {
  readonly #folder: string;
  readonly #plan: string;
  #open: OpenFile | undefined;
  #numElements = 0;

  /** @param plan One-line description of the dataset. */
  constructor(folder: string, plan: string) {
    this.#folder = folder;
    this.#plan = plan;
  }

  /** Number of elements written so far. */
  get numElements(): number {
    return this.#numElements;
  }

  /**
   * Writes rows as one record batch. The first call creates the folder and the Arrow file.
   * @throws {SchemaError} `schema-mismatch` (`dataset-element`) if the structure differs from that of earlier rows.
   * @throws {SourceError} if the folder cannot be written.
   */
  async write({ numRows, structure, leaves }: StoredRows): Promise<void> {
    if (this.#open === undefined) this.#open = await openFile(this.#folder, structure);
    else assertSameStructure(this.#open.structure, structure, this.#numElements);
    await this.#open.write(storedBatchOf(this.#open.schema, numRows, leaves));
    this.#numElements += numRows;
  }

  /** Publishes the Arrow file, then the manifest. Without elements, writes only the manifest. */
  async commit(): Promise<Manifest> {
    if (this.#open === undefined) await createFolder(this.#folder);
    const { name, numBytes } = (await this.#open?.commit()) ?? { name: null, numBytes: 0 };
    const manifest: Manifest = {
      version: 1,
      plan: this.#plan,
      numElements: this.#numElements,
      file: name,
      numBytes,
    };
    const target = await openTarget(pathIn(this.#folder, MANIFEST));
    try {
      await target.write(new TextEncoder().encode(`${JSON.stringify(manifest)}\n`));
      await target.commit();
    } catch (error) {
      await target.discard();
      throw error;
    }
    this.#open = undefined;
    return manifest;
  }

  /** Removes the Arrow file, unless {@link commit} has succeeded. Safe to call at any time. */
  async discard(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.discard();
  }
}

interface OpenFile {
  readonly structure: StoredStructure;
  readonly schema: ReturnType<typeof storedSchemaOf>;
  write(batch: RecordBatch): Promise<void>;
  commit(): Promise<{ readonly name: string; readonly numBytes: number }>;
  discard(): Promise<void>;
}

async function openFile(folder: string, structure: StoredStructure): Promise<OpenFile> {
  await createFolder(folder);
  // The random name keeps apart the files of two processes that write to the same folder.
  const name = `elements-${Math.floor(Math.random() * 2 ** 48).toString(36)}.arrow`;
  const target = await openTarget(pathIn(folder, name));
  let numBytes = 0;
  const counting: ByteTarget = {
    ...target,
    uri: target.uri,
    async write(bytes) {
      numBytes += bytes.length;
      await target.write(bytes);
    },
  };
  const schema = storedSchemaOf(structure);
  const writer = await arrow.createWriter(counting, { arrowSchema: schema });
  return {
    structure,
    schema,
    write: (batch) => writer.write(batch),
    async commit() {
      await writer.finish();
      await target.commit();
      return { name, numBytes };
    },
    discard: () => target.discard(),
  };
}

/**
 * Asserts that a folder contains no stored elements.
 * @throws {ArgumentError} `invalid-argument` (`stored`) if it does.
 */
export async function assertNothingStored(folder: string): Promise<void> {
  if ((await readManifest(folder)) === undefined) return;
  throw new ArgumentError(
    "invalid-argument",
    `${folder} already contains stored elements. Choose another folder, or remove this one.`,
    {
      argument: "folder",
      reason: "stored",
    },
  );
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function pathIn(folder: string, name: string): string {
  return `${folder.replace(/\/+$/, "")}/${name}`;
}
