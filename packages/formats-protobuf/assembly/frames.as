// The messages that are open, the innermost one last, as src/kernels/typescript/frames.ts.

/** Messages and groups nested deeper than this are refused. */
const MAX_DEPTH: usize = 100;

/** Plan, item, end and group number of a message. */
export const FRAME_BYTES: usize = 16;
export const FRAME_ITEM: usize = 4;
export const FRAME_LIMIT: usize = 8;
export const FRAME_GROUP: usize = 12;

export const firstFrame: usize = memory.data(1616);
export const lastFrame: usize = firstFrame + MAX_DEPTH * FRAME_BYTES;
