let isOurs = false;

/** Sets ticks or immediates of our own, which are not to be taken for work of the app. */
export function setAsOurs(set: () => void): void {
  isOurs = true;
  try {
    set();
  } finally {
    isOurs = false;
  }
}

/** Whether what is being set is our own. */
export function isSetByUs(): boolean {
  return isOurs;
}
