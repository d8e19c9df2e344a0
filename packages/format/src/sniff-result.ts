/**
 * Result of sniffing. True: the bytes can only be in this format. `"likely"`: the bytes are probably in this format, for example
 * because they look like a table. This result is used only if no format returns true. False: nothing suggests this format.
 */
export type SniffResult = boolean | "likely";

/** `sniff` receives at most this many bytes, from the start of the data. */
export const SNIFF_BYTES = 4096;
