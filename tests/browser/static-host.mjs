// A static host as one finds them: the page lies in a folder of it, it knows few types, compresses nothing
// and sends no header beyond the type.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { join, normalize, extname } from "node:path";

const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript" };

// Serves `dir` under `prefix`; returns the address and a function that stops it.
export async function staticHost(dir, prefix) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://host").pathname;
    const name = path.endsWith("/") ? "index.html" : "";
    try {
      if (!path.startsWith(prefix)) throw new Error("not ours");
      const file = join(dir, normalize(`/${path.slice(prefix.length)}${name}`));
      const bytes = await readFile(file);
      response.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream");
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${server.address().port}${prefix}`,
    stop: () => new Promise((stopped) => {
      server.close(stopped);
      server.closeAllConnections();
    }),
  };
}
