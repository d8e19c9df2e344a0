import { mkdir, readdir, readFile, rename, rmdir } from "node:fs/promises";
import path from "node:path";
import type { DataView } from "@tfxio/struct2tensor";
import { dataViewLibrary } from "./struct2tensor.js";

const MANIFEST = "dataview.json";

/**
 * Saves a view into the existing, empty folder of an artifact. The manifest is moved into place last, so a folder with a
 * manifest holds a complete view. Temporary files stay inside the folder, so `sweep` also deletes the files that a killed
 * process leaves there.
 * @throws the errors of `saveDataView` in `@tfxio/struct2tensor`.
 */
export async function saveInside(folder: string, view: DataView): Promise<void> {
  const { saveDataView } = await dataViewLibrary();
  const saving = path.join(folder, ".saving");
  const saved = path.join(saving, "view");
  await mkdir(saving);
  await saveDataView(view, saved);
  const names = (await readdir(saved)).filter((name) => name !== MANIFEST);
  for (const name of [...names, MANIFEST]) await rename(path.join(saved, name), path.join(folder, name));
  await rmdir(saved);
  await rmdir(saving);
}

/**
 * Returns the digest from the manifest of a saved view, in hexadecimal. Load the view first: only loading checks that the
 * digest matches the files.
 */
export async function dataViewDigest(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(path.join(folder, MANIFEST), "utf8")) as {
    readonly digest: string;
  };
  return manifest.digest;
}
