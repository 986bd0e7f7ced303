// Loads the compiled page. In a file of its own, because the content security policy allows no script inside the HTML.
import start from "./locklab.js";

await start();
