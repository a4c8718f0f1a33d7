// The floor: no Markdown at all, text added to the last paragraph once per frame.
import { output, registerPage } from "./measure.mjs";

let waiting = "";
let isScheduled = false;
/** @type {Text | undefined} */
let node;

function write() {
  isScheduled = false;
  if (!node || node.length > 600) {
    const paragraph = document.createElement("p");
    paragraph.style.whiteSpace = "pre-wrap";
    node = document.createTextNode("");
    paragraph.append(node);
    output.append(paragraph);
  }
  node.appendData(waiting);
  waiting = "";
}

registerPage({
  onText(text) {
    waiting += text;
    if (!isScheduled) requestAnimationFrame(write);
    isScheduled = true;
  },
  onEnd: write,
});
