// A chapter re-exports one whole package. Only chapters use `export *`.
export * from "@tfxio/struct2tensor/directory";
