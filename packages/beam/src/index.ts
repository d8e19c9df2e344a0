export { decodeBatch, encodeBatch } from "./coders/batch-bytes.js";
