/**
 * Result of sniffing. True: the bytes can only be of this format. `"likely"`: nothing contradicts it, such as text that looks
 * like a table; it counts only if no format returns true. False: nothing suggests this format.
 */
export type SniffResult = boolean | "likely";

/** Number of first bytes that a format can sniff. */
export const SNIFF_BYTES = 4096;
