// read.js FILE: reads a .usda or .usdc with tinyusdz and prints it again, as tinyusdz understood it. Exit code 1 with its message
// if it cannot, also not as a stage with typed prims.
import fs from "node:fs";

// The package is built for browsers: it looks for a window, and would fetch its code over the net.
process.type = "renderer";
globalThis.window = globalThis;
const { default: init } = await import("tinyusdz/tinyusdz.js");
const code = fs.readFileSync(new URL("./node_modules/tinyusdz/tinyusdz.wasm", import.meta.url));
const tiny = await init({
    instantiateWasm(imports, done) {
        WebAssembly.instantiate(code, imports).then((made) => done(made.instance, made.module));
        return {};
    },
});

const bytes = fs.readFileSync(process.argv[2]);
const name = process.argv[2].endsWith(".usdc") ? "file.usdc" : "file.usda";
const stage = new tiny.TinyUSDZLoaderNative();
const layer = new tiny.TinyUSDZLoaderNative();
if (!stage.loadFromBinary(bytes, name) || !layer.loadAsLayerFromBinary(bytes, name)) {
    console.error(stage.error() || layer.error());
    process.exit(1);
}
process.stdout.write(`# meshes ${stage.numMeshes()}\n` + layer.layerToString());
