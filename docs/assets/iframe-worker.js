// Search from the disk: browsers start no worker of a file: page, so the search runs in a hidden frame.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.ready = new Promise((resolve) => {
        const script = frame.contentDocument.createElement("script");
        script.src = url;
        script.onload = resolve;
        frame.contentDocument.head.append(script);
      });
    }
    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {}
  };
}
