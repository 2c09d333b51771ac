/** Marks `readPhoneNumber` of `ringback/phone-numbers`, which threads can load by themselves. */
export const isOwnReader: unique symbol = Symbol.for("ringback.readPhoneNumber");
