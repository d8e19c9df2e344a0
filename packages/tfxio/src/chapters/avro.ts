// A chapter re-exports everything that one package, or one of its subpaths, exports. Only chapters use `export *`.
export * from "@tfxio/formats-avro";
