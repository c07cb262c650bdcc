// Locks, watches and unlocks a key of a Holdfast node: node sample.js HOST:PORT
import { randomUUID } from "node:crypto";
import grpc from "@grpc/grpc-js";
import { Reflection } from "./reflection.js";

const SERVICE = "holdfast.v1.LockService";
const address = process.argv[2] ?? "127.0.0.1:7400";
const credentials = grpc.credentials.createInsecure(); // there is no authentication yet

const reflection = new Reflection(address, credentials);
console.log(`services: ${(await reflection.services()).sort().join(" ")}`);
const { LockService } = grpc.loadPackageDefinition(await reflection.definition(SERVICE)).holdfast.v1;
reflection.close();
const locks = new LockService(address, credentials);

const ask = (method, request) =>
  new Promise((resolve, reject) => {
    const deadline = Date.now() + 20_000;
    locks[method](request, { deadline }, (error, answer) => (error ? reject(error) : resolve(answer)));
  });

const key = "samples/node";
const client_id = `sample-${randomUUID()}`; // with the same one, two processes would be one holder
const watch = locks.watch();
const events = [];
const freed = new Promise((resolve, reject) => {
  watch.on("error", reject);
  watch.on("data", (message) => {
    if (message.created) resolveCreated();
    events.push(...message.events.map((event) => `${event.type} ${event.cause}`));
    if (message.events.some((event) => event.type === "TYPE_DELETE")) resolve();
  });
});
let resolveCreated;
const created = new Promise((resolve) => (resolveCreated = resolve));
watch.write({ create: { key } });
await created;

const held = await ask("lock", { key, client_id, holder_id: "sample", ttl_ms: 10_000, timeout_ms: 5_000 });
console.log(`held: ${held.held_now} fencing token: ${held.fencing_token}`);
const read = await ask("getLock", { key, remaining_ttl: true });
console.log(`holder: ${read.lock.holders[0].holder_id}`);
const refused = await ask("tryLock", { key, client_id, holder_id: "another", ttl_ms: 10_000 });
console.log(`another: ${refused.acquired} ${refused.reason}`);
const released = await ask("unlock", { key, fencing_token: held.fencing_token });
console.log(`released: ${released.released}`);

await freed;
console.log(`watched: ${events.join(", ")}`);
watch.cancel(); // a stream stands for as long as somebody wants it
locks.close();
