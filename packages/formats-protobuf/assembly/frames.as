// Stack of the messages that enclose the current one, the innermost last, as in src/kernels/typescript/frames.ts.

/** Maximum nesting of messages and groups. */
const MAX_DEPTH: usize = 100;

/** Four words for each message: plan, item, end and group number. */
export const FRAME_BYTES: usize = 16;
export const FRAME_ITEM: usize = 4;
export const FRAME_LIMIT: usize = 8;
export const FRAME_GROUP: usize = 12;

export const firstFrame: usize = memory.data(1616);
export const lastFrame: usize = firstFrame + MAX_DEPTH * FRAME_BYTES;
