export { typeOfSource } from "./message-types.js";
export { parseFiles } from "./parse-proto.js";
