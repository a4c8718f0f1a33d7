// Encodes one clip in a thread of its own. node-encoders.ts joins this text after the encoder's, which leaves itself in
// `clipEncoder`: a worker made from text has no place of its own to load packages from.
import { parentPort, workerData } from "node:worker_threads";

const { width, height, fps } = workerData;
const encoder = await globalThis.clipEncoder.createH264MP4Encoder();
encoder.outputFilename = "clip.mp4";
encoder.width = width;
encoder.height = height;
encoder.frameRate = fps;
encoder.quantizationParameter = 27;
encoder.speed = 8;
encoder.groupOfPictures = fps;
encoder.initialize();

parentPort.on("message", (message) => {
  if (message.frame) {
    encoder.addFrameRgba(message.frame);
    parentPort.postMessage({ taken: true });
    return;
  }
  if (message.isComplete) {
    encoder.finalize();
    const bytes = encoder.FS.readFile(encoder.outputFilename);
    encoder.delete();
    parentPort.postMessage({ bytes }, [bytes.buffer]);
  }
  // Nothing more comes, so the thread ends by itself.
  parentPort.close();
});
parentPort.postMessage({ taken: true });
