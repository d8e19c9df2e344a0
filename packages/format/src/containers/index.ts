export { type CuttableSource, cutsBehind } from "./cut-source.js";
export { fixedLengthContainer, type FixedLengthOptions } from "./fixed-length.js";
export { findLines, linesContainer, type LinesOptions } from "./lines.js";
export {
  type FindRecords,
  type FoundRecords,
  type PiecePlace,
  recordBlocks,
  type RecordBlocksOptions,
} from "./record-blocks.js";
export { sizeDelimitedContainer, type SizeDelimitedOptions } from "./size-delimited.js";
