// Learns a server's services from the server itself.
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";

// Tokens, revisions and ids exceed what a JavaScript number holds: they stay texts. Fields have their names of the proto.
const OPTIONS = { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true };
const PROTO = fileURLToPath(new URL("reflection.proto", import.meta.url));

export class Reflection {
  #client;
  #call;
  #waiting = [];

  constructor(address, credentials) {
    const { ServerReflection } = grpc.loadPackageDefinition(protoLoader.loadSync(PROTO, OPTIONS)).grpc
      .reflection.v1alpha;
    this.#client = new ServerReflection(address, credentials);
    this.#call = this.#client.serverReflectionInfo();
    this.#call.on("data", (answer) => {
      const { resolve, reject } = this.#waiting.shift();
      const error = answer.error_response;
      error ? reject(new Error(`${error.error_code}: ${error.error_message}`)) : resolve(answer);
    });
    this.#call.on("error", (error) => this.#waiting.splice(0).forEach(({ reject }) => reject(error)));
  }

  // Answers come in the order of the questions.
  #ask(question) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#call.write(question);
    });
  }

  async services() {
    const answer = await this.#ask({ list_services: "*" });
    return answer.list_services_response.service.map((service) => service.name);
  }

  // Everything that a service needs, as grpc.loadPackageDefinition takes it.
  async definition(service) {
    const files = new Map();
    await this.#collect({ file_containing_symbol: service }, files);
    const set = Buffer.concat([...files.values()].flatMap((file) => [head(file.length), file]));
    return protoLoader.loadFileDescriptorSetFromBuffer(set, OPTIONS);
  }

  async #collect(question, files) {
    const answer = await this.#ask(question);
    for (const bytes of answer.file_descriptor_response.file_descriptor_proto) {
      const { name, dependencies } = nameAndDependencies(bytes);
      if (!files.has(name)) {
        files.set(name, bytes);
        for (const dependency of dependencies) {
          await this.#collect({ file_by_filename: dependency }, files);
        }
      }
    }
  }

  close() {
    this.#call.cancel();
    this.#client.close();
  }
}

// A FileDescriptorSet is its files, each as field 1: a tag, a length, the bytes.
function head(length) {
  const bytes = [0x0a];
  for (; length > 0x7f; length >>>= 7) {
    bytes.push((length & 0x7f) | 0x80);
  }
  return Buffer.from([...bytes, length]);
}

// Of a FileDescriptorProto: field 1 is its name, field 3 each dependency. All its fields have a length but two.
function nameAndDependencies(bytes) {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const octet = bytes[at++];
      value += (octet & 0x7f) * 2 ** shift;
      if (octet < 0x80) return value;
    }
  };
  let name = "";
  const dependencies = [];
  while (at < bytes.length) {
    const tag = varint();
    const value = varint();
    if ((tag & 7) === 2) {
      const text = () => bytes.subarray(at, at + value).toString("utf8");
      if (tag >>> 3 === 1) name = text();
      if (tag >>> 3 === 3) dependencies.push(text());
      at += value;
    }
  }
  return { name, dependencies };
}
