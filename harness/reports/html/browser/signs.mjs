// The signs of moments, as paths around their own middle: one form for the static picture and for the canvas.

/** @type {Readonly<Record<string, { path: string, isFilled: boolean, about: string }>>} */
export const SIGNS = {
  request: { path: 'M-4,-5L5,0L-4,5Z', isFilled: true, about: 'request' },
  head: { path: 'M-4,-5L5,0L-4,5Z', isFilled: false, about: 'answer began' },
  end: { path: 'M-4,-4H4V4H-4Z', isFilled: true, about: 'answer ended' },
  told: { path: 'M-4,-4H4V4H-4ZM-4,-4L4,4M-4,4L4,-4', isFilled: false, about: 'answer broke off, or an error' },
  fin: { path: 'M0,-6L5,0L0,6L-5,0Z', isFilled: false, about: 'FIN' },
  rst: { path: 'M0,-6L5,0L0,6L-5,0Z', isFilled: true, about: 'RST' },
  vanish: { path: 'M-5,-5L5,5M-5,5L5,-5', isFilled: false, about: 'vanished' },
  signal: { path: 'M1,-7L-4,1H0L-1,7L4,-1H0Z', isFilled: true, about: 'signal' },
  exit: { path: 'M-4,-6H-1V6H-4ZM1,-6H4V6H1Z', isFilled: true, about: 'process ended' },
  ready: { path: 'M0,-5L5,4H-5Z', isFilled: true, about: 'ready' },
  fault: { path: 'M1,-7L-4,1H0L-1,7L4,-1H0Z', isFilled: true, about: 'fault' },
  lost: { path: 'M0,-6L6,5H-6ZM0,-2V2M0,3V4', isFilled: false, about: 'something was not seen, or was lost' },
  terminal: { path: 'M-5,0L-1,4L5,-5', isFilled: false, about: 'reservation ended' },
  refund: { path: 'M4,-3A5,5 0 1 0 5,1M5,-6V-2H1', isFilled: false, about: 'refund asked' },
  blocked: { path: 'M-4,-5H-1V5H-4ZM1,-5H4V5H1Z', isFilled: true, about: 'stopped reading, or no more is taken' },
  resumed: { path: 'M-3,-5L5,0L-3,5Z', isFilled: false, about: 'goes on' },
  note: { path: 'M-3,0A3,3 0 1 0 3,0A3,3 0 1 0 -3,0Z', isFilled: false, about: 'note' },
};
