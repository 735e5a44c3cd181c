// How Chromium is started, by tests and benchmarks alike.
export const launchOptions = {
  executablePath: process.env.CHROME,
  // The sandbox refuses to start as root; the rest keeps Chromium from calling home.
  args: [
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};
