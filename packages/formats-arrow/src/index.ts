export { arrow } from "./format.js";
export type { ArrowOptions } from "./options.js";
