import type { ManagedFiles } from "../../src/collection/managed-files.js";
import { isInside } from "../../src/uris.js";

/** A simulated crash. */
export class Crash extends Error {
  override readonly name = "Crash";
}

/** Simulated storage that records only which URIs have bytes. A simulated crash can interrupt a deletion. */
export interface MemoryFiles extends ManagedFiles {
  /** URIs with bytes. */
  readonly present: Set<string>;
  /** Number of deletion steps that succeed before a {@link Crash} is thrown. If undefined, none is thrown. */
  crashAfter: number | undefined;
}

/**
 * Creates simulated storage in which no URI has bytes.
 * @param detaches True if bytes can be moved away within a transaction, as on a disk; false if they can only be removed, as in an
 * object store.
 */
export function memoryFiles(root: string, detaches: boolean): MemoryFiles {
  const present = new Set<string>();
  const trash = new Set<string>();
  const step = (): void => {
    if (files.crashAfter === undefined) return;
    files.crashAfter -= 1;
    if (files.crashAfter < 0) {
      files.crashAfter = undefined;
      throw new Crash();
    }
  };
  const under = (uri: string): string[] =>
    [...present].filter((place) => place === uri || isInside(place, uri));
  const files: MemoryFiles = {
    present,
    crashAfter: undefined,
    isManaged: (uri) => isInside(uri, root),
    remove: async (uri) => {
      for (const place of under(uri)) {
        step();
        present.delete(place);
      }
      step();
    },
    ...(detaches
      ? {
          detach: (uri: string) => {
            step();
            for (const place of under(uri)) {
              present.delete(place);
              trash.add(place);
            }
            step();
          },
          purge: async () => {
            for (const place of trash) {
              step();
              trash.delete(place);
            }
          },
        }
      : {}),
  };
  return files;
}
