// The worker's end of the line. It stands behind the glue of the worker's program, in a script the page makes
// of both, which then calls `begin` with the address of the program.
//
// Every message is `{ id, request, file }`. It is answered, in the order they came, with `{ id, answer }`, long
// work more than once; or with `{ id, error }` where the browser gave up. A trace comes in pieces before the answer:
// the next is made when the page has posted `{ taken: true }`, so that they do not heap up before it. A program that breaks down ends in an `error` event.
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
    digests.onmessage = ({ data }) => resolve(data);
    digests.onerror = reject;
    digests.postMessage(buffer, [buffer]);
  });
}

// The whole program of the worker that takes digests.
function digestWhatComes() {
  self.onmessage = async ({ data }) => {
    const digest = self.crypto.subtle?.digest("SHA-256", data);
    self.postMessage(digest ? await digest.catch(() => null) : null);
  };
}
