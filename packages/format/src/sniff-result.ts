/**
 * True: these bytes can only be of this format. `"likely"`: nothing in them contradicts it, as of text that looks like a table;
 * it counts where no format is sure. False: nothing says that they are.
 */
export type SniffResult = boolean | "likely";

/** First bytes of a source that a format gets to see. */
export const SNIFF_BYTES = 4096;
