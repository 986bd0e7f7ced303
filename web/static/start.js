// Loads the compiled page. In a file of its own, because the content security policy allows no script inside the HTML.
import start from "./locklab.js";

// On the way while the module is compiled; it waits for them.
globalThis.scenarios = fetch("./scenarios.txt");

await start();
// A browser that keeps nothing still shows the page.
navigator.serviceWorker?.register("./sw.js").catch(() => {});
