// The page around a frame: it makes the frame as high as its exhibit, and writes down what it is told.
const frame = document.querySelector("iframe");
const log = document.querySelector("output");
addEventListener("message", ({ source, origin, data }) => {
  if (source !== frame.contentWindow || origin !== location.origin) return;
  if (typeof data !== "object" || data === null || data.inflight !== 1) return;
  if (data.type === "hello") {
    source.postMessage({ inflight: 1, type: "welcome", frame: data.frame, seq: 1, data: { theme: "light", visible: true } }, origin);
  }
  if (data.type === "height") frame.style.height = data.data.px + "px";
  log.textContent += data.type + (data.type === "event" ? " " + data.data.name : "") + "\n";
});
// The frame is asked for only now, so that nothing it says is missed; it is told whom it may tell.
frame.src = "../embed.html?exhibit=event-life&origin=" + encodeURIComponent(location.origin);
