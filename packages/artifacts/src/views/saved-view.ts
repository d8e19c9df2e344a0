import { mkdir, readdir, readFile, rename, rmdir } from "node:fs/promises";
import path from "node:path";
import type { DataView } from "@tfxio/struct2tensor";
import { dataViewLibrary } from "./struct2tensor.js";

const MANIFEST = "dataview.json";

/**
 * Saves a view into the existing, empty folder of an artifact, the manifest last. Temporary files stay inside the folder, so the
 * artifact owns whatever a killed process leaves.
 * @throws as `saveDataView` of `@tfxio/struct2tensor`.
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

/** The digest in the manifest of a saved view, in hexadecimal. The view must have been loaded, which compares it with the files. */
export async function dataViewDigest(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(path.join(folder, MANIFEST), "utf8")) as {
    readonly digest: string;
  };
  return manifest.digest;
}
