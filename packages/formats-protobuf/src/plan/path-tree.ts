import type { ColumnPath } from "@tfxio/schema";
import { ArgumentError } from "@tfxio/wire";

/** Requested paths as a tree of steps, in the order requested. */
export interface PathTree {
  /**
   * True if a path ends at this step, or with `*` directly below it. With `messagePaths: "whole"`, a message is then requested
   * with all its fields.
   */
  isEnd: boolean;
  /** True if a path ends with `*` directly below this step. */
  isWildcard: boolean;
  readonly steps: Map<string, PathTree>;
}

/** Matches a step with a `*`, except in a map key or type name. */
const PARTIAL_WILDCARD = /^[^[(]*\*/u;

/**
 * Builds the tree of the paths. A final step `*` selects everything below.
 * @throws {ArgumentError} `invalid-argument`: `column-path` for a `*` that is not the entire last step; `duplicate-path` for a
 *   path below a message that another path selects with `*`.
 */
export function pathTree(paths: readonly ColumnPath[]): PathTree {
  const root = emptyTree();
  for (const path of paths) {
    let tree = root;
    for (const [index, step] of path.steps.entries()) {
      const isLast = index === path.length - 1;
      if (step === "*" && isLast) {
        if (tree.isWildcard || tree.steps.size > 0) throw duplicate(path);
        tree.isWildcard = tree.isEnd = true;
        break;
      }
      if (PARTIAL_WILDCARD.test(step)) throw badWildcard(path);
      if (tree.isWildcard) throw duplicate(path);
      const next = tree.steps.get(step) ?? emptyTree();
      tree.steps.set(step, next);
      tree = next;
      if (isLast) tree.isEnd = true;
    }
  }
  return root;
}

function emptyTree(): PathTree {
  return { isEnd: false, isWildcard: false, steps: new Map() };
}

function badWildcard(path: ColumnPath): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `A "*" must be the entire last step of a path, found "${path}".`,
    { reason: "column-path", argument: "columns" },
  );
}

function duplicate(path: ColumnPath): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `"${path}" overlaps with another path. A path must not lead to a field that another path selects with "*".`,
    {
      reason: "duplicate-path",
      argument: "columns",
    },
  );
}
