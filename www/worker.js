// The worker's end of the line, behind the glue of its program: crates/web/src/effects/worker.rs tells of the
// messages. The page calls `begin` with the address of the program.
function begin(program) {
  const ready = wasm_bindgen({ module_or_path: program });
  let last = ready.catch(() => {});
  let taken = () => {};
  self.onmessage = ({ data: { id, request, file, taken: isTaken } }) => {
    if (isTaken) return taken();
    const post = (answer) => self.postMessage({ id, answer }, answer ? [answer.buffer] : []);
    last = last.then(async () => {
      try {
        await ready;
        const answer = await wasm_bindgen.answer(id, request, file);
        for (let piece; (piece = wasm_bindgen.piece()); ) {
          const next = new Promise((resolve) => { taken = resolve; });
          post(piece);
          await next;
        }
        post(answer);
      } catch (error) {
        self.postMessage({ id, error: String(error?.message ?? error) });
      }
    });
  };
}

// SHA-256 of a buffer, which it takes; `null` where the browser gives none.
let digests;
async function digestBeside(buffer) {
  digests ??= new Worker(URL.createObjectURL(new Blob([`(${digestWhatComes})()`], { type: "text/javascript" })));
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    digests.onerror = reject;
    digests.postMessage({ buffer, port: port2 }, [buffer, port2]);
  });
}

// The whole program of the worker that takes digests.
function digestWhatComes() {
  self.onmessage = async ({ data: { buffer, port } }) => {
    const digest = self.crypto.subtle?.digest("SHA-256", buffer);
    port.postMessage(digest ? await digest.catch(() => null) : null);
  };
}
