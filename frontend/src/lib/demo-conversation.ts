/** The external id of the conversation that every demo workspace has. */

export const DEMO_EXTERNAL_ID = "demo:booking-service";
