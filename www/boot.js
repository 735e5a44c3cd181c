// Starts the page: the stored theme before the first paint, then the wasm module, or words that say why not.
//
// The build puts this behind wasm-bindgen's glue in one file. The root's `data-boot` says how it ended, `ready`
// or `failed`.
(() => {
  "use strict";

  const root = document.documentElement;

  try {
    const theme = localStorage.getItem("netspurt.theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; the system's theme then holds.
  }

  const link = document.getElementById("wasm");

  // Trunk loads the module itself and says when it has.
  if (link === null) {
    addEventListener("TrunkApplicationStarted", () => {
      wasmBindings.start();
      root.dataset.boot = "ready";
    });
    return;
  }

  const ready = new Promise((resolve) => {
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", resolve);
    else resolve();
  });

  start().catch(tell);

  async function start() {
    if (typeof WebAssembly !== "object") {
      throw new Failure(
        "This browser has no WebAssembly, or a setting of it turns WebAssembly off.",
        "Allow WebAssembly for this page, or open it in another browser.",
      );
    }
    const module = await compile(await load(link.href));
    await wasm_bindgen({ module_or_path: module });
    await ready;
    wasm_bindgen.start();
    root.dataset.boot = "ready";
  }

  async function load(url) {
    const todo = location.protocol === "file:"
      ? "A browser does not let a page read files beside it. Serve the folder, for example with “netspurt serve”, and open the address it prints."
      : "Check the connection and load the page again. If that does not help, the page was not copied to its host in full.";
    let response;
    try {
      response = await fetch(url);
    } catch {
      throw new Failure(`The program of this page, ${url}, could not be loaded.`, todo);
    }
    if (!response.ok) {
      throw new Failure(`The program of this page, ${url}, could not be loaded: status ${response.status}.`, todo);
    }
    return response;
  }

  // Not every host knows the type of wasm, and only the right one may be compiled while it arrives.
  async function compile(response) {
    const streams = WebAssembly.compileStreaming && response.headers.get("content-type") === "application/wasm";
    try {
      return await (streams
        ? WebAssembly.compileStreaming(response)
        : WebAssembly.compile(await response.arrayBuffer()));
    } catch (error) {
      throw new Failure(
        `This browser could not read the program of this page: ${error.message}.`,
        "Netspurt needs Chrome or Edge 96, Firefox 89, Safari 16.4, or a later one. If yours is, load the page again.",
      );
    }
  }

  async function tell(error) {
    await ready;
    const todo = error instanceof Failure
      ? error.todo
      : "Load the page again. If this comes back, open the page without the part of its address after “#”.";
    if (!(error instanceof Failure)) console.error(error);
    const section = document.createElement("section");
    section.className = "boot-error";
    section.setAttribute("role", "alert");
    for (const [name, text] of [["h1", "Netspurt did not start"], ["p", error.message], ["p", todo]]) {
      section.appendChild(document.createElement(name)).textContent = text;
    }
    document.getElementById("app").replaceChildren(section);
    root.dataset.boot = "failed";
  }

  function Failure(message, todo) {
    this.message = message;
    this.todo = todo;
  }
})();
