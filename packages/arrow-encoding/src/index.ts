export { BytesColumn } from "./column-access-bytes.js";
