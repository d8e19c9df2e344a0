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
/** More rows than a record batch can hold, so that no batch is split. */
const WHOLE_BATCHES = 2 ** 31 - 1;

/** The manifest of a folder of stored elements. Written last: a folder without it counts as empty. */
export interface Manifest {
  readonly version: 1;
  /** One-line description of the stored dataset. */
  readonly plan: string;
  readonly numElements: number;
  /** Name of the Arrow file; null if there are no elements. */
  readonly file: string | null;
  readonly numBytes: number;
}

/** The manifest of a folder; undefined if it has none. @throws {RecordError} `corrupt-record` (`manifest`). */
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
  throw new RecordError("corrupt-record", `${uri} is not the manifest of stored elements.`, {
    uri,
    reason: "manifest",
  });
}

/** The elements of a folder, in blocks. @throws {RecordError} `corrupt-record` (`manifest`) if file and manifest disagree. */
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
      `${uri} has ${found}, which contradicts its manifest; store the elements again.`,
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
  if (source.byteLength !== numBytes) throw wrong(`${source.byteLength} bytes, expected ${numBytes}`);
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
    if (numRead !== numElements) throw wrong(`${numRead} elements, expected ${numElements}`);
  } finally {
    await reader.close();
  }
}

/** Writes elements to a folder. They become visible only with `commit`. */
export class StoredWriter {
  readonly #folder: string;
  readonly #plan: string;
  #open: OpenFile | undefined;
  #numElements = 0;

  /** @param plan one-line description of the dataset. */
  constructor(folder: string, plan: string) {
    this.#folder = folder;
    this.#plan = plan;
  }

  get numElements(): number {
    return this.#numElements;
  }

  /**
   * @throws {SchemaError} `schema-mismatch` (`dataset-element`)
   * @throws {SourceError} when the folder cannot be written.
   */
  async write({ numRows, structure, leaves }: StoredRows): Promise<void> {
    if (this.#open === undefined) this.#open = await openFile(this.#folder, structure);
    else assertSameStructure(this.#open.structure, structure, this.#numElements);
    await this.#open.write(storedBatchOf(this.#open.schema, numRows, leaves));
    this.#numElements += numRows;
  }

  /** Publishes the files, the manifest last. */
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

  /** Removes the written file. Safe to call at any time. */
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
  // A unique name, so that two processes that write to one folder do not mix their files.
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

/** @throws {ArgumentError} `invalid-argument` (`stored`) when the folder already holds elements. */
export async function assertNothingStored(folder: string): Promise<void> {
  if ((await readManifest(folder)) === undefined) return;
  throw new ArgumentError(
    "invalid-argument",
    `${folder} already holds stored elements; choose another folder, or remove it`,
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
