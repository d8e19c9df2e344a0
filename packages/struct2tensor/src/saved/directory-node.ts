import { constants } from "node:fs";
import { lstat, mkdir, mkdtemp, open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { SourceError } from "@tfxio/wire";
import { aName, assertArgument } from "@tfxio/wire/checks";
import type { AnyDataView } from "./data-view.js";
import type { ModelFiles } from "../models/model-files.js";
import { isSavedModelFile } from "../models/saved-model-files.js";
import { decodeDataView, type DecodeDataViewOptions } from "./decode-data-view.js";
import { CONTENT_FILES, encodeDataView } from "./encode-data-view.js";
import { malformed } from "./errors.js";
import { MANIFEST_FILE } from "./manifest.js";
import { MODEL_FOLDERS, modelPlaceOf } from "./model-directory.js";

const FILES: ReadonlySet<string> = new Set([MANIFEST_FILE, ...CONTENT_FILES.expression]);

/** Limit on the number of models in one model folder, because loading a view loads all its models. */
const MAX_MODELS = 64;

/** Limit on the bytes of one file. A vocabulary of millions of terms fits. */
const MAX_FILE_BYTES: number = 256 * 1024 * 1024;

/**
 * Saves a view as a directory, which must be missing or empty. The files are written to a temporary directory beside it and
 * synced. The temporary directory is then renamed, so no reader sees a partial view.
 * @throws {SourceError} `not-found` if the parent directory is missing, `io-failed` (`file`). Also throws the errors of
 *   `encodeDataView`, before anything is written.
 */
export async function saveDataView(view: AnyDataView, directory: string): Promise<void> {
  assertArgument("directory", directory, aName);
  const files = await encodeDataView(view);
  const target = path.resolve(directory);
  const fail = failure(target);
  const temporary = await mkdtemp(`${target}.tmp-`).catch(fail);
  try {
    const folders = new Set([...files.keys()].map((name) => path.dirname(path.join(temporary, name))));
    for (const folder of folders) await mkdir(folder, { recursive: true });
    for (const [name, bytes] of files) await writeSynced(path.join(temporary, name), bytes);
    for (const folder of [...folders].toReversed()) await syncDirectory(folder);
    await rename(temporary, target);
    await syncDirectory(path.dirname(target));
  } catch (cause) {
    await rm(temporary, { recursive: true, force: true });
    fail(cause);
  }
}

/**
 * Reads a view from an untrusted directory. Links, unknown files and files of more than 256 MiB are rejected.
 * @throws {SourceError} `not-found`, `io-failed` (`file`). Also throws the errors of `decodeDataView`.
 */
export async function loadDataView(
  directory: string,
  options: DecodeDataViewOptions = {},
): Promise<AnyDataView> {
  assertArgument("directory", directory, aName);
  const folder = path.resolve(directory);
  const fail = failure(folder);
  if (!(await lstat(folder).catch(fail)).isDirectory()) {
    throw malformed(folder, "it must be a directory, not a link or a file", "data-view-files");
  }
  const names = await fileNames(folder, fail);
  return decodeDataView(await readFiles(folder, names, fail), options);
}

/**
 * Reads the files of a SavedModel for `createSavedQueryModel`: `saved_model.pb` and `variables/`. Other files are left out.
 * @param directory written by `tf.saved_model.save`, or by Keras's `model.export`.
 * @throws {SourceError} `not-found`, `io-failed` (`file`).
 * @throws {RecordError} `malformed-payload`: `data-view-files` if `variables/` is not a directory, or if a link, directory or
 *   special file takes the place of a file to be read; `data-view-size` for files of more than 256 MiB.
 */
export async function readSavedModel(directory: string): Promise<ModelFiles> {
  assertArgument("directory", directory, aName);
  const folder = path.resolve(directory);
  const fail = failure(folder);
  const names = await readdir(folder).catch(fail);
  const variables = names.includes("variables") ? await namesIn(folder, "variables", fail) : [];
  return readFiles(
    folder,
    [...names, ...variables.map((name) => `variables/${name}`)].filter(isSavedModelFile),
    fail,
  );
}

/** Reads plain files, one after another. @param names paths relative to `folder`. */
async function readFiles(
  folder: string,
  names: readonly string[],
  fail: (cause: unknown) => never,
): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const name of names) {
    await assertPlainFile(folder, name, fail);
    files.set(name, await readPlainFile(path.join(folder, name)).catch(fail));
  }
  return files;
}

/** Lists the relative paths of all files in a view, including its models. Rejects unknown names, and links to folders. */
async function fileNames(folder: string, fail: (cause: unknown) => never): Promise<readonly string[]> {
  const names = await readdir(folder).catch(fail);
  const extra = names.find((name) => !FILES.has(name) && !Object.hasOwn(MODEL_FOLDERS, name));
  if (extra !== undefined) throw malformed(extra, "a DataView must not contain this file", "data-view-files");
  const found = names.filter((name) => FILES.has(name));
  for (const models of names.filter((name) => !FILES.has(name))) {
    const ids = await namesIn(folder, models, fail);
    if (ids.length === 0 || ids.length > MAX_MODELS) {
      throw malformed(
        models,
        `it must contain 1 to ${MAX_MODELS} models, found ${ids.length}`,
        "data-view-files",
      );
    }
    for (const id of ids) found.push(...(await modelPaths(folder, `${models}/${id}`, fail)));
  }
  return found;
}

/** Lists the paths of one model's files, relative to the view. */
async function modelPaths(
  folder: string,
  model: string,
  fail: (cause: unknown) => never,
): Promise<readonly string[]> {
  const paths = (await namesIn(folder, model, fail)).map((name) => `${model}/${name}`);
  const variables = `${model}/variables`;
  if (model.startsWith("saved_models/") && paths.includes(variables)) {
    const inside = await namesIn(folder, variables, fail);
    paths.splice(paths.indexOf(variables), 1, ...inside.map((name) => `${variables}/${name}`));
  }
  const unknown = paths.find((name) => modelPlaceOf(name) === undefined);
  if (unknown !== undefined)
    throw malformed(unknown, "a DataView must not contain this file", "data-view-files");
  return paths;
}

/** Lists the names in a subfolder, which must not be a link. */
async function namesIn(
  folder: string,
  name: string,
  fail: (cause: unknown) => never,
): Promise<readonly string[]> {
  const target = path.join(folder, name);
  if ((await lstat(target).catch(fail)).isDirectory()) return readdir(target).catch(fail);
  throw malformed(name, "it must be a directory, not a link or a file", "data-view-files");
}

/**
 * @throws {RecordError} `malformed-payload`: `data-view-files` for a link or directory, `data-view-size` for a file that is too
 *   large.
 */
async function assertPlainFile(folder: string, name: string, fail: (cause: unknown) => never): Promise<void> {
  const entry = await lstat(path.join(folder, name)).catch(fail);
  if (!entry.isFile())
    throw malformed(name, "it must be a file, not a link or a directory", "data-view-files");
  if (entry.size > MAX_FILE_BYTES) {
    throw malformed(
      name,
      `it must have at most ${MAX_FILE_BYTES} bytes, found ${entry.size}`,
      "data-view-size",
    );
  }
}

/** Reads a file. Except on Windows, fails for a link, even one that replaced the file after it was checked. */
async function readPlainFile(file: string): Promise<Uint8Array> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await handle.stat();
    const bytes = new Uint8Array(Math.min(size, MAX_FILE_BYTES));
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await handle.read(bytes, at, bytes.length - at, at);
      if (bytesRead === 0) return bytes.subarray(0, at);
      at += bytesRead;
    }
    return bytes;
  } finally {
    await handle.close();
  }
}

/** Creates a file, and returns once its bytes are on disk. */
async function writeSynced(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, "wx");
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Returns once the entries of a directory are on disk. */
async function syncDirectory(folder: string): Promise<void> {
  // Windows cannot open a directory to sync it.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

/** Returns a function that rethrows errors of node:fs as SourceErrors. @param uri the directory that the errors name. */
function failure(uri: string): (cause: unknown) => never {
  return (cause) => {
    const isMissing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw isMissing
      ? new SourceError(
          "not-found",
          `The directory, its parent or one of its files does not exist: ${problem}`,
          {
            uri,
            cause,
          },
        )
      : new SourceError("io-failed", `The directory cannot be read or written: ${problem}`, {
          reason: "file",
          uri,
          cause,
        });
  };
}
