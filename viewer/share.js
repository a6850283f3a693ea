// share.js: what leaves the page: pictures, films, and its address with what is shown.

function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

export function savePicture(stage, name) {
  stage.draw(); // the browser forgets what is drawn once it is shown
  return new Promise((done) => stage.canvas.toBlob((blob) => { save(blob, name); done(); }, 'image/png'));
}

// A film of what the canvas shows until it is stopped.
export class Film {
  constructor(stage, changed) { Object.assign(this, { stage, changed, recorder: null }); }

  get running() { return this.recorder !== null; }

  start(name) {
    const stream = this.stage.canvas.captureStream(25), parts = [];
    const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((t) => MediaRecorder.isTypeSupported(t));
    this.recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 8e6 });
    this.recorder.ondataavailable = (e) => { if (e.data.size) parts.push(e.data); };
    this.recorder.onstop = () => {
      for (const track of stream.getTracks()) track.stop();
      save(new Blob(parts, { type: 'video/webm' }), name);
    };
    this.recorder.start(1000);
    this.changed();
  }

  stop() {
    if (!this.recorder) return;
    this.recorder.stop();
    this.recorder = null;
    this.changed();
  }
}

// The part of the address behind '#', as a map of texts; written back without a new entry in the history.
export const readAddress = () => new URLSearchParams(location.hash.slice(1));
export function writeAddress(values) {
  const text = new URLSearchParams(values).toString().replace(/%2C/g, ',');
  const hash = text ? `#${text}` : '';
  if (hash !== location.hash) history.replaceState(null, '', `${location.pathname}${location.search}${hash}`);
}
