// Searches an index folder of the command with the installed package: node artefacts.mjs FOLDER QUERY PAGE. Fails unless PAGE comes first.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { SmoothClir } from "smooth-clir";

const [folder, query, page] = process.argv.slice(2);
const model = readdirSync(join(folder, "model")).map((name) => join(folder, "model", name));
const engine = await SmoothClir.load({ model, documents: join(folder, "index.safetensors.gz") });
const [first] = await engine.search(query);
engine.close();
if (first?.id.split("#")[0] !== page) throw new Error(`${query}: expected ${page} first, found ${first?.id}`);
console.log(`${query}: ${first.id}`);
