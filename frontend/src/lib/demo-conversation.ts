/** The conversation that every demo workspace has. */

export const SAMPLE = "demo:booking-service";
