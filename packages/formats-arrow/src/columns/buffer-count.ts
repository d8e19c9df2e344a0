import type { Layout } from "../metadata/stored-column.js";

/** Facts that determine the number of buffers, besides the layout. */
export interface BufferCountContext {
  readonly hasUnionValidity: boolean;
  /** Returns the number of data buffers of the next view column. */
  readonly variadicCount: () => number;
}

/** Returns the number of buffers of an array, without those of its children. */
export function bufferCount(layout: Layout, { hasUnionValidity, variadicCount }: BufferCountContext): number {
  switch (layout.kind) {
    case "null":
    case "run-ends":
      return 0;
    case "struct":
    case "fixed-list":
      return 1;
    case "bits":
    case "fixed":
    case "list":
    case "dictionary":
      return 2;
    case "bytes":
    case "list-view":
      return 3;
    case "union":
      return Number(hasUnionValidity) + 1 + Number(layout.isDense);
    case "views":
      return 2 + variadicCount();
  }
}
